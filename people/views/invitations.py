"""Inviting a user into a space, and following an invitation."""

import uuid

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people import access, invitations, throttling
from people.access import (
    PageRequest,
    invitation_of,
    signed_in,
    space_administered_by,
)
from people.forms import InvitationForm, NewcomerForm
from people.models import Invitation, Space, User
from people.views.spaces import render_settings

BACKEND = "django.contrib.auth.backends.ModelBackend"


@signed_in
@require_POST
def invite(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Store an invitation, mail its link and show it once."""
    space = space_administered_by(request.user, pk)
    form = InvitationForm(request.POST, space=space)
    if form.is_valid() and not throttling.INVITATIONS.allows(request.user.pk):
        form.add_error(None, _enough_for_today())
    if not form.is_valid():
        return render_settings(request, space, status=422, invite_form=form)
    link = invitations.invite(
        space, form.cleaned_data["email"], form.cleaned_data["role"], request.user
    )
    return _show_link(request, space, link)


@signed_in
@require_POST
def resend(
    request: PageRequest, pk: uuid.UUID, invitation_pk: uuid.UUID
) -> HttpResponse:
    """Mail a new link; the old one ends."""
    space = space_administered_by(request.user, pk)
    found = invitation_of(space, invitation_pk)
    if not throttling.INVITATIONS.allows(request.user.pk):
        messages.error(request, _enough_for_today())
        return redirect("people:space_settings", pk)
    return _show_link(request, space, invitations.renew(found))


def _enough_for_today() -> str:
    return _("You have reached the daily limit of invitations. Try again tomorrow.")


def _show_link(
    request: PageRequest, space: Space, link: invitations.Link
) -> HttpResponse:
    """Answer the POST directly: a redirect would have to store the token."""
    url = invitations.invitation_url(request, link.token)
    invitations.mail_invitation(link.invitation, url)
    return render_settings(request, space, link=link, url=url)


@signed_in
@require_POST
def delete(
    request: PageRequest, pk: uuid.UUID, invitation_pk: uuid.UUID
) -> HttpResponse:
    invitation_of(space_administered_by(request.user, pk), invitation_pk).delete()
    messages.success(request, _("The invitation has been withdrawn."))
    return redirect("people:space_settings", pk)


@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link: join, or create an account that joins."""
    try:
        found = invitations.find(token)
        if isinstance(request.user, User):
            return _join(request, found, token, request.user)
        return _join_as_newcomer(request, found, token)
    except invitations.NotOpen:
        return render(request, "people/invitation_over.html", status=410)


def _join(
    request: HttpRequest, found: Invitation, token: str, user: User
) -> HttpResponse:
    mine = invitations.is_for(found, user)
    if request.method == "POST" and mine:
        access.enter(request, invitations.accept_invitation(token, user))
        return redirect("/")
    page = {"invitation": found, "mine": mine}
    status = 403 if request.method == "POST" else 200
    return render(request, "people/invitation_join.html", page, status=status)


def _join_as_newcomer(
    request: HttpRequest, found: Invitation, token: str
) -> HttpResponse:
    form = NewcomerForm(request.POST or None, email=found.email)
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        try:
            user, space = invitations.accept_as_newcomer(
                token, sent["name"], sent["password1"], time_zone=sent["time_zone"]
            )
        except invitations.AddressTaken:
            form.add_error(
                None,
                _(
                    "The account could not be created. If you have one already, sign in."
                ),
            )
        else:
            login(request, user, backend=BACKEND)
            access.enter(request, space)
            return redirect("/")
    return render(
        request, "people/invitation.html", {"form": form, "invitation": found}
    )
