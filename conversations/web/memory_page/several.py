"""Changes of several facts at once, with one Undo."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core import signing
from django.db import transaction
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from conversations.fact_texts import subject_label
from conversations.web.facts.about import AboutForm, Subjects
from conversations.web.facts.headings import heading_of
from conversations.web.forms import StorableField
from conversations.web.memory_page.entries import Entry
from conversations.web.memory_page.fact_page import find_entry
from conversations.web.memory_page.places import back, dialog, tell_undoable
from conversations.web.memory_page.views import with_memory
from conversations.web.responses import read_or_post
from memory import service
from memory.subjects import Subject
from people.access import PageRequest
from people.models import Person, Space
from people.models.person import NotesField
from people.profile_updates import TEXT_LIMIT, Proposed, apply_updates
from people.scope import Scope

MOST_AT_ONCE = 200


@require_POST
@with_memory
def change(request: PageRequest, _space: Space, scope: Scope) -> HttpResponse:
    keys = _keys(request.POST.getlist("key"))
    if not keys:
        messages.info(request, _("Nothing was selected."))
    elif request.POST.get("action") == "forget":
        _forget(request, scope, keys)
    else:
        _move(request, scope, keys)
    return back(request)


def _forget(request: PageRequest, scope: Scope, keys: list[UUID]) -> None:
    at = timezone.now()
    forgotten = service.forget(scope, keys, at=at)
    told = ngettext(
        "%(count)d thing forgotten.", "%(count)d things forgotten.", len(forgotten)
    )
    fields = [("at", at.isoformat()), *(("key", str(key)) for key in forgotten)]
    _tell(request, told % {"count": len(forgotten)}, fields)


def _move(request: PageRequest, scope: Scope, keys: list[UUID]) -> None:
    subjects = Subjects.in_scope(scope)
    form = AboutForm(request.POST, subjects=subjects)
    chosen = form.cleaned_data["subject"] if form.is_valid() else None
    if chosen is None:
        messages.error(request, _("Choose whom it is about."))
        return
    moved = service.assign(scope, keys, chosen)
    if not moved:
        messages.info(request, _("Nothing was moved."))
        return
    told = ngettext("%(count)d thing moved:", "%(count)d things moved:", len(moved))
    label = subject_label(chosen) if chosen.person_id is None else chosen.name
    fields = [("moved", signed_moves(scope, moved))]
    _tell(request, told % {"count": len(moved)}, fields, label)


def _tell(
    request: PageRequest, text: str, fields: list[tuple[str, str]], what: str = ""
) -> None:
    address = reverse("memory_page:undo_changes")
    tell_undoable(request, text, what, address=address, fields=fields)


@require_POST
@with_memory
def undo_changes(request: PageRequest, _space: Space, scope: Scope) -> HttpResponse:
    """Take back what one `change` did."""
    posted = request.POST
    at = parse_datetime(posted.get("at", ""))
    done = (
        _restored(scope, posted.getlist("key"), at)
        if at
        else move_back(scope, posted.get("moved", ""))
    )
    if done:
        messages.success(request, _("The change has been undone."))
    else:
        messages.error(request, _("It has changed in the meantime. Reload the page."))
    return back(request)


def _restored(scope: Scope, keys: list[str], at: datetime) -> bool:
    decisions = service.restore(scope, _keys(keys), at=at)
    return any(decision.action == "restore" for decision in decisions)


def signed_moves(scope: Scope, moved: Mapping[UUID, Subject]) -> str:
    """For a hidden field: of any number of facts, whom they were about."""
    keys: defaultdict[Subject, list[str]] = defaultdict(list)
    for key, before in moved.items():
        keys[before].append(key.hex)
    told = [
        (before.text, before.person_id and before.person_id.hex, facts)
        for before, facts in keys.items()
    ]
    return signing.dumps(told, salt=_salt(scope), compress=True)


@transaction.atomic
def move_back(scope: Scope, signed: str) -> bool:
    """Whether any fact moved. Raises Http404."""
    try:
        told = signing.loads(signed, salt=_salt(scope))
    except signing.BadSignature as error:
        raise Http404 from error
    done = [
        service.assign(
            scope,
            [UUID(fact) for fact in facts],
            Subject.read(text, UUID(person) if person else None),
        )
        for text, person, facts in told
    ]
    return any(done)


def _salt(scope: Scope) -> str:
    return f"moved facts of {scope.user_id} in {scope.space_id}"


def _keys(texts: list[str]) -> list[UUID]:
    try:
        return [UUID(text) for text in texts[:MOST_AT_ONCE]]
    except ValueError as error:
        raise Http404 from error


@require_POST
@with_memory
def answer_older(request: PageRequest, _space: Space, scope: Scope) -> HttpResponse:
    """Take back whom older facts were found to be about, or say that it is right."""
    unsure = service.settle_older(scope, undo=request.POST.get("answer") == "undo")
    if unsure:
        told = ngettext(
            "Meddie is not sure any more whom %(count)d thing is about.",
            "Meddie is not sure any more whom %(count)d things are about.",
            unsure,
        )
        messages.success(request, told % {"count": unsure})
    return back(request)


@read_or_post
@with_memory
def note(request: PageRequest, space: Space, scope: Scope, pk: UUID) -> HttpResponse:
    """Add a fact to the notes, which all members read."""
    entry = find_entry(request.user, scope, pk)
    person = _noted_person(request, space, entry) if entry else None
    if entry is None or person is None:
        raise Http404
    first = {"text": entry.text, "field": _field_of(entry)}
    form = NoteForm(request.POST or None, initial=first)
    if not form.is_valid():
        context = {"form": form, "entry": entry, "person": person}
        return dialog(request, "note", context)
    proposed = Proposed(form.cleaned_data["field"], "append", form.cleaned_data["text"])
    with transaction.atomic():
        applied = apply_updates(request.user.pk, person.pk, space.pk, [proposed])
    if applied.updates:
        label = NotesField(proposed.field).label
        messages.success(request, _("Noted: %(notes)s") % {"notes": label})
    else:
        messages.info(request, _("It is noted already, or there is no room for it."))
    return back(request)


def _noted_person(request: PageRequest, space: Space, entry: Entry) -> Person | None:
    people = Person.objects.in_space(space.pk)
    if entry.about.is_user:
        return people.filter(user=request.user).first()
    person_id = entry.about.person_id
    return people.filter(pk=person_id).first() if person_id else None


def _field_of(entry: Entry) -> str:
    (heading,) = heading_of([entry.text])
    if heading == "medicine":
        return NotesField.MEDICATIONS
    return NotesField.HEALTH_NOTES


class NoteForm(forms.Form):
    text = StorableField(
        label=gettext_lazy("Line"),
        max_length=TEXT_LIMIT,
        widget=forms.Textarea({"dir": "auto", "rows": 2, "autofocus": True}),
    )
    field = forms.ChoiceField(label=gettext_lazy("Notes"), choices=NotesField.choices)


@require_POST
@with_memory
def answer_doubt(
    request: PageRequest, _space: Space, scope: Scope, pk: UUID
) -> HttpResponse:
    """Replace the older fact, or keep both."""
    if find_entry(request.user, scope, pk) is None:
        raise Http404
    replace = request.POST.get("answer") == "replace"
    service.answer_doubts(scope, [pk], replace=replace)
    messages.success(request, _("Replaced.") if replace else _("Both are kept."))
    return back(request)
