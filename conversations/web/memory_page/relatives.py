"""Relatives who are people of the space, and two people who are one."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from conversations.web.facts.about import OF_NAMED, Subjects
from conversations.web.memory_page.places import tell_undoable
from conversations.web.memory_page.several import move_back, signed_moves
from conversations.web.memory_page.views import with_memory
from memory import service
from memory.subjects import SUBJECT_LIMIT, Subject
from people.access import (
    PageRequest,
    person_administered_by,
    person_of,
    profile_update_of,
)
from people.models import Person, ProfileUpdate, Space
from people.models.person import NotesField
from people.person_list import add_last, delete_person, restore_person
from people.profile_updates import Proposed, apply_updates, undo_update
from people.scope import Scope


@require_POST
@with_memory
def answer_relative(
    request: PageRequest, space: Space, scope: Scope, pk: UUID
) -> HttpResponse:
    """Whether a relative of whom the user told is this person."""
    person = person_of(request.user, space, pk)
    relative = Subject.read(request.POST.get("relative", "")[:SUBJECT_LIMIT])
    known = [found.subject for found in service.relatives_like(scope, person)]
    if relative not in known:
        raise Http404
    if request.POST.get("answer") == "yes":
        moved = service.join_relative(scope, relative, person)
        _tell_moved(request, scope, moved, person)
    else:
        service.keep_apart(scope, relative, person.pk)
    return redirect("people:person", pk)


def _tell_moved(
    request: PageRequest, scope: Scope, moved: Mapping[UUID, Subject], person: Person
) -> None:
    told = ngettext("%(count)d thing moved:", "%(count)d things moved:", len(moved))
    tell_undoable(
        request,
        told % {"count": len(moved)},
        person.name,
        address=reverse("memory_page:undo_changes"),
        fields=[("moved", signed_moves(scope, moved))],
    )


@require_POST
@with_memory
def become_person(request: PageRequest, space: Space, scope: Scope) -> HttpResponse:
    """Add a named relative to the people of the space."""
    key = request.POST.get("about", "")
    relative = Subjects.in_scope(scope).find(key) if key.startswith(OF_NAMED) else None
    if relative is None or not relative.name:
        raise Http404
    with transaction.atomic():
        person = Person(space=space, name=relative.name, sex=service.sex_of(relative))
        add_last(person)
        service.join_relative(scope, relative, person)
    told = _("%(name)s is one of the people of this household now.")
    messages.success(request, told % {"name": person.name})
    return redirect("people:person", person.pk)


@require_POST
@with_memory
def join_people(
    request: PageRequest, space: Space, scope: Scope, pk: UUID
) -> HttpResponse:
    """Move notes and the user's facts; delete the other softly."""
    person = person_administered_by(request.user, space, pk)
    other = person_administered_by(request.user, space, _key(request, "same"))
    if person == other or other.user_id is not None:
        raise Http404
    with transaction.atomic():
        moved = service.join_person(scope, other, person)
        updates = _with_notes(request, person, other)
        delete_person(other)
    fields = [("restored", str(other.pk))]
    fields += [("update", str(update.pk)) for update in updates]
    fields.append(("moved", signed_moves(scope, moved)))
    told = _("The notes of %(name)s are here now, and what you told about them.")
    address = reverse("memory_page:part_people", args=[pk])
    tell_undoable(request, told % {"name": other.name}, address=address, fields=fields)
    return redirect("people:person", pk)


def _with_notes(
    request: PageRequest, person: Person, other: Person
) -> Sequence[ProfileUpdate]:
    """What is not noted yet, line by line."""
    proposed = [
        Proposed(field, "append", line)
        for field in NotesField.values
        for line in getattr(other, field).splitlines()
        if line.strip() and line not in getattr(person, field)
    ]
    user, space = request.user.pk, person.space_id
    return apply_updates(user, person.pk, space, proposed).updates


@require_POST
@with_memory
def part_people(
    request: PageRequest, space: Space, scope: Scope, pk: UUID
) -> HttpResponse:
    """Take back `join_people`."""
    person = person_administered_by(request.user, space, pk)
    key = _key(request, "restored")
    other = person_administered_by(request.user, space, key, deleted=True)
    with transaction.atomic():
        restore_person(other)
        move_back(scope, request.POST.get("moved", ""))
        for update in reversed(request.POST.getlist("update")):
            undo_update(
                profile_update_of(request.user, space, _uuid(update)), request.user
            )
    messages.success(request, _("%s has been restored.") % other.name)
    return redirect("people:person", person.pk)


def _key(request: PageRequest, name: str) -> UUID:
    return _uuid(request.POST.get(name, ""))


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404 from error
