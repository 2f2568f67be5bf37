"""Repairs and timelines on the pages of memories and profile facts."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, cast

from django import forms
from django.apps import apps
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from pgvector.django import CosineDistance

from meddie.admin import link_to_message, link_to_page
from memory.hooks import hooks
from memory.models import Memory, ProfileFact, without_text
from memory.models.memory import CONTENT_LIMIT
from memory.operators.profile_repairs import ProfileRepairs
from memory.operators.repairs import (
    CORRECT,
    ERASE,
    MERGE,
    RESTORE,
    RETIRE,
    UNDO,
    MemoryRepairs,
    RepairRefused,
)
from memory.operators.timeline import TimelineEntry, count_replies, read_timeline
from people.models import User
from people.scope import retraction_scope

Row = Memory | ProfileFact
MERGED = 10  # memories to choose from
LABELS = {
    UNDO: _("Undo last repair"),
    CORRECT: _("Correct"),
    MERGE: _("Merge"),
    RETIRE: _("Retire"),
    RESTORE: _("Restore"),
    ERASE: _("Erase"),
}
DONE = {
    UNDO: _("The last repair was undone."),
    CORRECT: _("Corrected. The old text is kept and can be brought back."),
    MERGE: _("Merged. The other one is kept and can be brought back."),
    RETIRE: _("Retired: it is in no answer now."),
    RESTORE: _("Restored: answers can use it again."),
    ERASE: _("Erased for good."),
}
EXPLAINED = {
    CORRECT: _(
        "Write what is true. The old text is superseded, and its timeline names you."
    ),
    MERGE: _("Choose the one that says the same. This one stays, the other does not."),
    ERASE: _(
        "The text is blanked now, with its earlier versions, and cannot be brought back."
        " A trace without text remains, so that it is not learnt again."
    ),
}


class CorrectionForm(forms.Form):
    text = forms.CharField(
        label=_("text"),
        max_length=CONTENT_LIMIT,
        widget=forms.Textarea({"rows": 3, "cols": 80}),
    )


class FactField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Rows by their whole texts."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.content)


class MergeForm(forms.Form):
    other = FactField(
        Memory.objects.none(),
        label=_("the other one"),
        widget=forms.RadioSelect,
        empty_label=None,
    )


class RepairPages(admin.ModelAdmin):  # type: ignore[type-arg]
    """Buttons for the repairs that a row allows. Changes are by POST only."""

    repairs_of: Callable[[Any, User], MemoryRepairs | ProfileRepairs]
    change_form_template = "admin/memory/fact.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path(
                f"<path:object_id>/{verb}/",
                view(partial(self.repair_view, verb=verb)),
                name=f"{self.opts.app_label}_{self.opts.model_name}_{verb}",
            )
            for verb in LABELS
        ]
        return own + super().get_urls()

    def may_repair(self, request: HttpRequest, verb: str) -> bool:
        right = "delete" if verb == ERASE else "change"
        name = f"{self.opts.app_label}.{right}_{self.opts.model_name}"
        return request.user.has_perm(name) and self.has_view_permission(request)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        verbs = self._repairs(request, row).allowed() if row is not None else []
        buttons = [
            (LABELS[verb], self._address(verb, row), verb in EXPLAINED, verb == ERASE)
            for verb in verbs
            if self.may_repair(request, verb)
        ]
        further = (extra_context or {}) | {"repairs": buttons, "inspect": row}
        return super().change_view(request, object_id, form_url, further)

    def repair_view(
        self, request: HttpRequest, object_id: str, *, verb: str
    ) -> HttpResponse:
        if not self.may_repair(request, verb):
            raise PermissionDenied
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if request.method != "POST" and verb not in EXPLAINED:
            return HttpResponseNotAllowed(["POST"])
        form = self._form(request, row, verb)
        if request.method == "POST" and form.is_valid():
            try:
                return self._repair(request, row, verb, form)
            except RepairRefused as refused:
                if verb not in EXPLAINED:
                    messages.error(request, str(refused))
                    return redirect(self._address("change", row))
                form.add_error(None, str(refused))
        return self._form_page(request, row, verb, form)

    def _repair(
        self, request: HttpRequest, row: Row, verb: str, form: forms.Form
    ) -> HttpResponse:
        values = form.cleaned_data.values()
        repair = getattr(self._repairs(request, row), verb)
        with _restoring(row) if verb in (RESTORE, UNDO) else nullcontext():
            repaired = repair(*values) or row
        for one in {row, repaired}:
            self.log_change(request, without_text(one), str(LABELS[verb]))
        self.message_user(request, DONE[verb], messages.SUCCESS)
        return redirect(self._address("change", repaired))

    def _form_page(
        self, request: HttpRequest, row: Row, verb: str, form: forms.Form
    ) -> HttpResponse:
        """Record what the page shows, and show it."""
        shown: list[Row] = [row]
        if isinstance(form, MergeForm):
            field = cast("forms.ModelChoiceField[Any]", form.fields["other"])
            shown += list(field.queryset or [])
        self.record_look(request, shown)  # type: ignore[attr-defined]
        context = self.admin_site.each_context(request) | {
            "title": LABELS[verb],
            "explanation": EXPLAINED[verb],
            "row": row,
            "opts": self.opts,
            "form": form,
            "back": self._address("change", row),
            "danger": verb == ERASE,
        }
        return TemplateResponse(request, "admin/memory/repair.html", context)

    def _form(self, request: HttpRequest, row: Row, verb: str) -> forms.Form:
        data = request.POST if request.method == "POST" else None
        if verb == CORRECT:
            text = row.content if isinstance(row, Memory) else row.value
            return CorrectionForm(data, initial={"text": text})
        if verb != MERGE:
            return forms.Form(request.POST)
        form = MergeForm(data)
        field = cast("forms.ModelChoiceField[Any]", form.fields["other"])
        field.queryset = _mergeable(row)
        return form

    def _repairs(
        self, request: HttpRequest, row: Any
    ) -> MemoryRepairs | ProfileRepairs:
        return self.repairs_of(row, cast("User", request.user))

    def _address(self, name: str, row: Any) -> str:
        model = f"{self.opts.app_label}_{self.opts.model_name}"
        return reverse(f"admin:{model}_{name}", args=[row.pk])

    def seen_with(self, row: Any) -> list[Any]:
        others = [entry.other for entry in read_timeline(row) if entry.other]
        return [row, *self.model.objects.filter(pk__in=others)]

    @admin.display(description=_("timeline"))
    def timeline(self, row: Any) -> SafeString:
        entries = read_timeline(row)
        keys = {entry.other for entry in entries if entry.other}
        others = self.model.objects.in_bulk(keys)
        lines = [(entry, _page_of(entry, others)) for entry in entries]
        return render_to_string("admin/memory/_timeline.html", {"lines": lines})

    @admin.display(description=_("shown in replies"))
    def shown(self, row: Any) -> SafeString:
        return render_to_string(
            "admin/memory/_shown.html", {"shown": count_replies(row)}
        )


def _page_of(entry: TimelineEntry, others: Mapping[Any, Row]) -> SafeString | str:
    if entry.line is not None:
        return link_to_message(entry.line)
    return link_to_page(others[entry.other]) if entry.other in others else ""


def find_above(model: str, key: uuid.UUID | None) -> Any:
    """A row of conversations, to which no foreign key can point."""
    rows = apps.get_model("conversations", model)._default_manager  # noqa: SLF001 -- Django's name for it
    return rows.filter(pk=key).first()


@contextmanager
def _restoring(row: Row) -> Iterator[None]:
    owner = row.user_id or getattr(row, "told_by_id", None)
    if owner is None or row.space_id is None:
        yield
        return
    with transaction.atomic(), hooks.restoring(retraction_scope(owner, row.space_id)):
        yield


def _mergeable(row: Row) -> Any:
    """The nearest active memories of the user in the space; all facts of a profile."""
    owner = {"user_id": row.user_id, "space_id": row.space_id}
    if isinstance(row, ProfileFact):
        facts = ProfileFact.objects.active().filter(**owner).exclude(pk=row.pk)
        return facts.order_by("category", "key")
    others = Memory.objects.active().filter(**owner, audience=row.audience)
    others = others.filter(embedding_model=row.embedding_model).exclude(pk=row.pk)
    nearest = others.order_by(CosineDistance("near", row.near))
    keys = list(nearest.values_list("pk", flat=True)[:MERGED])
    return Memory.objects.filter(pk__in=keys).defer("embedding", "near")
