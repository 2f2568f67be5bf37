"""Switching, creating and administering spaces, and their members."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from people import access, mail, members
from people.access import (
    PageRequest,
    member_of,
    signed_in,
    space_administered_by,
    space_of,
    with_space,
)
from people.deletion import BotConnected, delete_spaces
from people.forms import InvitationForm, NewSpaceForm, SpaceForm
from people.models import Membership, Space


@signed_in
@require_POST
def switch(request: PageRequest) -> HttpResponse:
    space = space_of(request.user, _uuid(request.POST.get("space")))
    access.enter(request, space)
    return redirect("/")


def _uuid(value: str | None) -> uuid.UUID:
    try:
        return uuid.UUID(value)
    except (TypeError, ValueError, AttributeError):
        raise Http404 from None


@signed_in
@require_http_methods(["GET", "POST"])
def new(request: PageRequest) -> HttpResponse:
    form = NewSpaceForm(request.POST or None, initial={"memory_page": True})
    if request.method == "POST" and form.is_valid():
        space = access.create_space(**form.cleaned_data, admin=request.user)
        access.enter(request, space)
        return redirect("/")
    return render(request, "people/new_space.html", {"form": form})


@with_space
@require_safe
def settings_here(request: PageRequest, space: Space) -> HttpResponse:
    """Redirect to the current space's settings."""
    return redirect(
        "people:space_settings", space_administered_by(request.user, space.pk).pk
    )


@signed_in
@require_http_methods(["GET", "POST"])
def settings(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    space = space_administered_by(request.user, pk)
    form = SpaceForm(request.POST or None, instance=space)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("people:space_settings", pk)
    return render_settings(request, space_administered_by(request.user, pk), form=form)


def render_settings(
    request: PageRequest, space: Space, *, status: int = 200, **parts: object
) -> HttpResponse:
    """Render the page; `parts` has the form that was sent."""
    page = {
        "space": space,
        "form": SpaceForm(instance=space),
        "invite_form": InvitationForm(space=space),
        "members": space.memberships.with_account()
        .select_related("user")
        .order_by("user__name", "user__email"),
        "invitations": space.invitations.filter(used_at=None).order_by("-created_at"),
        "has_mail": mail.is_set_up(),
        "roles": Membership.Role.choices,
    }
    return render(request, "people/space_settings.html", page | parts, status=status)


@signed_in
@require_POST
def delete(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Delete a space after its name was typed."""
    space = space_administered_by(request.user, pk)
    if request.POST.get("name", "").strip() != space.name.strip():
        error = _("The name does not match, so nothing was deleted.")
        return render_settings(request, space, status=422, delete_error=error)
    try:
        delete_spaces([space.pk])
    except BotConnected:
        error = _("Nothing was deleted. Disconnect the household's Telegram bot first.")
        return render_settings(request, space, status=422, delete_error=error)
    messages.success(request, _("The household “%s” has been deleted.") % space.name)
    return redirect("/")


@signed_in
@require_POST
def change_role(
    request: PageRequest, pk: uuid.UUID, member_pk: uuid.UUID
) -> HttpResponse:
    member = member_of(space_administered_by(request.user, pk), member_pk)
    role = request.POST.get("role", "")
    if role in Membership.Role.values:
        try:
            members.change_role(member, role)
        except members.LastAdmin as refused:
            _tell_last_admin(request, refused)
    return _back(request, member)


@signed_in
@require_http_methods(["GET", "POST"])
def remove_member(
    request: PageRequest, pk: uuid.UUID, member_pk: uuid.UUID
) -> HttpResponse:
    """Confirm, then remove a member."""
    member = member_of(space_administered_by(request.user, pk), member_pk)
    if request.method == "GET":
        return render(request, "people/remove_member.html", {"member": member})
    try:
        members.remove_member(member)
    except members.LastAdmin as refused:
        _tell_last_admin(request, refused)
    else:
        name = member.user.get_short_name()
        messages.success(request, _("%s is no longer a member.") % name)
    return _back(request, member)


@signed_in
@require_http_methods(["GET", "POST"])
def leave(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Confirm, then leave the space."""
    member = get_object_or_404(request.user.memberships, space_id=pk)
    if request.method == "GET":
        return render(request, "people/leave.html", {"member": member})
    try:
        members.remove_member(member)
    except members.LastAdmin as refused:
        _tell_last_admin(request, refused)
    else:
        messages.success(request, _("You have left “%s”.") % member.space.name)
    return redirect("people:account")


def _tell_last_admin(request: PageRequest, refused: members.LastAdmin) -> None:
    sentence = _("You are the only admin. Make another member an admin first.")
    if refused.space.memberships.with_account().count() == 1:
        sentence = _(
            "You are the only member. If the household is no longer needed, delete it in"
            " its settings."
        )
    messages.error(request, sentence)


def _back(request: PageRequest, member: Membership) -> HttpResponse:
    """To the settings, or to the account for users who are no longer admins."""
    if member.user_id == request.user.pk:
        return redirect("people:account")
    return redirect("people:space_settings", member.space_id)
