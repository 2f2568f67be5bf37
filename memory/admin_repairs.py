"""Facts added and repaired by staff on the pages of facts. Changes are by POST only."""

from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory.household import told_subject
from memory.models import Fact, Memory, without_text
from memory.operators.repairs import (
    CORRECT,
    ERASE,
    RESTORE,
    RETIRE,
    RepairRefused,
    add_fact,
    allowed_repairs,
    repair_fact,
)
from memory.subjects import SUBJECT_LIMIT
from memory.values import CONTENT_LIMIT
from people.models import Space, User
from people.scope import NotAMember

REPAIR_LABELS = {
    CORRECT: _("Correct"),
    RETIRE: _("Retire"),
    RESTORE: _("Restore"),
    ERASE: _("Erase"),
}
REPAIRED = {
    CORRECT: _("Corrected. The old text is superseded."),
    RETIRE: _("Retired: it is in no answer now, and its text goes in 30 days."),
    RESTORE: _("Restored: answers can use it again."),
    ERASE: _("Erased for good."),
}
EXPLAINED = {
    CORRECT: _(
        "Write what is true. The old text is superseded, and its events name you."
    ),
    ERASE: _(
        "The text is blanked now, with its earlier versions, and cannot be brought back."
        " A trace without text remains, so that it is not learnt again."
    ),
}


def _owner(name: str, label: Any, rows: Any) -> Any:
    field: Any = Memory._meta.get_field(name)  # noqa: SLF001 -- Django documents it
    widget = AutocompleteSelect(field, admin.site)
    return forms.ModelChoiceField(rows, label=label, widget=widget)


class CorrectionForm(forms.Form):
    text = forms.CharField(
        label=_("text"),
        max_length=CONTENT_LIMIT,
        widget=forms.Textarea({"rows": 3, "cols": 80}),
    )


class SubjectForm(CorrectionForm):
    """Of a sentence, which may be about another than its user."""

    about = forms.CharField(
        label=_("about"),
        max_length=SUBJECT_LIMIT,
        required=False,
        help_text=_(
            "Empty: the user. Else a name, a relation or both, as in “daughter Mia”; ?: not"
            " sure."
        ),
    )


class AddForm(SubjectForm):
    user = _owner("user", _("user"), User.objects.all())
    space = _owner("space", _("space"), Space.objects.all())
    field_order = ("user", "space", "text", "about")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["about"].help_text = _(
            "A name, a relation or both, as in “daughter Mia”. Empty: as the text says."
        )


class RepairPages(admin.ModelAdmin):  # type: ignore[type-arg]
    """Buttons for the repairs that a row allows."""

    change_form_template = "admin/memory/fact.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path(
                f"<path:object_id>/{verb}/",
                view(partial(self.repair_view, verb=verb)),
                name=f"{self.opts.app_label}_{self.opts.model_name}_{verb}",
            )
            for verb in REPAIR_LABELS
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
        verbs = allowed_repairs(row) if row is not None else []
        buttons = [
            (
                REPAIR_LABELS[verb],
                self._address(verb, row),
                verb in EXPLAINED,
                verb == ERASE,
            )
            for verb in verbs
            if self.may_repair(request, verb)
        ]
        further = (extra_context or {}) | {"repairs": buttons}
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
        self, request: HttpRequest, row: Fact, verb: str, form: forms.Form
    ) -> HttpResponse:
        text = form.cleaned_data.get("text", "")
        about = form.cleaned_data["about"] if "about" in form.changed_data else None
        repaired = repair_fact(row, verb, cast("User", request.user), text, about)
        for changed in {row, repaired}:
            self.log_change(request, without_text(changed), str(REPAIR_LABELS[verb]))
        self.message_user(request, REPAIRED[verb], messages.SUCCESS)
        return redirect(self._address("change", repaired))

    def _form_page(
        self, request: HttpRequest, row: Fact, verb: str, form: forms.Form
    ) -> HttpResponse:
        """Record what the page shows, and show it."""
        self.record_look(request, [row])  # type: ignore[attr-defined]
        context = self.admin_site.each_context(request) | {
            "title": REPAIR_LABELS[verb],
            "explanation": EXPLAINED[verb],
            "row": row,
            "opts": self.opts,
            "form": form,
            "back": self._address("change", row),
            "danger": verb == ERASE,
        }
        return TemplateResponse(request, "admin/memory/repair.html", context)

    def _form(self, request: HttpRequest, row: Fact, verb: str) -> forms.Form:
        if verb != CORRECT:
            return forms.Form(request.POST)
        data = request.POST if request.method == "POST" else None
        if not isinstance(row, Memory) or row.is_lore:
            return CorrectionForm(data, initial={"text": row.told})
        initial = {"text": row.told, "about": told_subject(row) or ""}
        return SubjectForm(data, initial=initial)

    def _address(self, name: str, row: Any) -> str:
        model = f"{self.opts.app_label}_{self.opts.model_name}"
        return reverse(f"admin:{model}_{name}", args=[row.pk])


class AddPage(admin.ModelAdmin):  # type: ignore[type-arg]
    """A form for a fact about a member, in place of one for each column."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        name = f"{self.opts.app_label}.add_{self.opts.model_name}"
        return request.user.has_perm(name) and self.has_view_permission(request)

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AddForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                return self._add(request, **form.cleaned_data)
            except RepairRefused as refused:
                form.add_error("text", str(refused))
            except NotAMember:
                form.add_error(
                    "user", gettext("The user is not a member of the space.")
                )
        context = self.admin_site.each_context(request) | {
            "title": _("Add"),
            "explanation": _(
                "Write what is true about the user, in one sentence. Its event names you."
            ),
            "opts": self.opts,
            "form": form,
            "back": reverse(f"admin:{self._name}_changelist"),
        }
        return TemplateResponse(request, "admin/memory/repair.html", context)

    def _add(
        self, request: HttpRequest, user: User, space: Space, text: str, about: str
    ) -> HttpResponse:
        by = cast("User", request.user)
        row = add_fact(user, space.pk, text, by, about or None)
        self.log_addition(request, without_text(row), gettext("Added by hand"))
        self.message_user(request, _("Added: answers can use it now."))
        return redirect(reverse(f"admin:{self._name}_change", args=[row.pk]))

    @property
    def _name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"
