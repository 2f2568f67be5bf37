"""Roles, removal and leaving."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from people import members
from people.access import PageRequest, member_of, signed_in, space_administered_by
from people.models import Membership


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
def remove(request: PageRequest, pk: uuid.UUID, member_pk: uuid.UUID) -> HttpResponse:
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
            "You are the only member. If the space is no longer needed, delete it in"
            " its settings."
        )
    messages.error(request, sentence)


def _back(request: PageRequest, member: Membership) -> HttpResponse:
    """To the settings, or to the account for users who are no longer admins."""
    if member.user_id == request.user.pk:
        return redirect("people:account")
    return redirect("people:space_settings", member.space_id)
