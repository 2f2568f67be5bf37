"""The people of the current space."""

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from people import person_list, profile_updates, units
from people.access import (
    PageRequest,
    current_space,
    is_admin_of,
    person_administered_by,
    person_of,
    profile_update_of,
    signed_in,
    with_space,
)
from people.models import Person, Space
from people.person_forms import EditPersonForm, PersonForm
from people.person_list import delete_person, lacks, restore_person


@with_space
@require_safe
def index(request: PageRequest, space: Space) -> HttpResponse:
    """The list, beside it the first person."""
    people = list(Person.objects.in_space(space.pk))
    deleted = space.people.deleted().order_by("-deleted_at")
    page: dict[str, Any] = {"is_index": True}
    if is_admin_of(request.user, space):
        page["deleted"] = deleted
    if not people:
        return render(request, "people/empty.html", page)
    page |= _page(request, people, people[0])
    return render(request, "people/person.html", page)


@signed_in
@require_safe
def show(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    person = person_of(request.user, current_space(request), pk)
    people = list(Person.objects.in_space(person.space_id))
    return render(request, "people/person.html", _page(request, people, person))


@with_space
@require_safe
def you(request: PageRequest, space: Space) -> HttpResponse:
    """The user's own page, also where no person is linked to them."""
    people = list(Person.objects.in_space(space.pk))
    own = next((person for person in people if person.user_id == request.user.pk), None)
    if own:
        return redirect("people:person", own.pk)
    return render(request, "people/person.html", _page(request, people, None))


def _page(
    request: PageRequest, people: list[Person], person: Person | None
) -> dict[str, Any]:
    """Without a person, of the user."""
    return {
        "people": people,
        "person": person,
        "offers_you": lacks(people, request.user),
        "changes": profile_updates.last_changes(person) if person else {},
        "imperial": units.is_imperial(request),
    }


def _options(request: PageRequest, person: Person) -> dict[str, Any]:
    return {
        "instance": person,
        "viewer": request.user,
        "is_admin": is_admin_of(request.user, person.space),
        "imperial": units.is_imperial(request),
    }


@with_space
@require_http_methods(["GET", "POST"])
@transaction.atomic
def new(request: PageRequest, space: Space) -> HttpResponse:
    """Add a person; `preview` renders the notes."""
    if request.method == "POST":
        space.lock()
    person = Person(space=space)
    form = PersonForm(request.POST or None, **_options(request, person))
    form.initial["is_me"] = "me" in request.GET
    preview = "preview" in request.POST
    if request.method == "POST" and form.is_valid() and not preview:
        person_list.add_last(form.save(commit=False))
        profile_updates.record_edits(person, form.before, request.user)
        return redirect("people:person", person.pk)
    return render(request, "people/new.html", {"form": form, "preview": preview})


@signed_in
@require_http_methods(["GET", "POST"])
@transaction.atomic
def edit(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Change a person, unless another user did meanwhile; `preview` renders the notes."""
    space = current_space(request)
    writing = request.method == "POST"
    if writing and space:
        space.lock()
    person = person_of(request.user, space, pk, lock=writing)
    form = EditPersonForm(request.POST or None, **_options(request, person))
    preview = "preview" in request.POST
    if writing and form.is_valid() and not preview:
        profile_updates.record_edits(form.save(), form.before, request.user)
        messages.success(request, _("Saved."))
        return redirect("people:person", pk)
    page = {"form": form, "pk": pk, "name": form.initial["name"], "preview": preview}
    status = 409 if form.stored else 200
    return render(request, "people/edit.html", page, status=status)


@signed_in
@require_POST
def move(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    person = person_of(request.user, current_space(request), pk)
    person_list.move(person, up=request.POST.get("to") == "up")
    return redirect("people:person", pk)


@signed_in
@require_http_methods(["GET", "POST"])
def delete(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Confirm, then delete. Conversations stay, without the person."""
    person = person_administered_by(request.user, current_space(request), pk)
    if request.method == "GET":
        return render(request, "people/delete.html", {"person": person})
    delete_person(person)
    messages.success(
        request,
        _("%s has been deleted, and can be restored for 30 days.") % person.name,
    )
    return redirect("people:list")


@signed_in
@require_POST
def restore(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    space = current_space(request)
    person = person_administered_by(request.user, space, pk, deleted=True)
    restore_person(person)
    messages.success(request, _("%s has been restored.") % person.name)
    return redirect("people:person", pk)


ON_A_PAGE = 50


@signed_in
@require_safe
def history(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    person = person_of(request.user, current_space(request), pk)
    updates = person.profile_updates.select_related("author", "person")
    page = Paginator(updates.order_by("-created_at", "-pk"), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    return render(request, "people/history.html", {"person": person, "page": page})


@signed_in
@require_POST
def undo(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    update = profile_update_of(request.user, current_space(request), pk)
    if profile_updates.undo_update(update, request.user):
        messages.success(request, _("The change has been undone."))
    else:
        messages.error(
            request,
            _("The notes have changed since, so this could not be undone."),
        )
    return redirect("people:history", update.person_id)
