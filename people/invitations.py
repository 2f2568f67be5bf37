"""Invitations into a space: seven days, single use, for one email address."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from people import mail
from people.models import Invitation, Membership, Space, User


class NotOpen(Exception):
    """The token is unknown, used or expired."""


class WrongAddress(Exception):
    """The invitation is for another email address."""


class AddressTaken(Exception):
    """An account with the address exists; it can sign in and accept."""


@dataclass(frozen=True, slots=True)
class Link:
    """Of an invitation; `replaces` an earlier one that no longer works."""

    invitation: Invitation
    token: str
    replaces: bool


@transaction.atomic
def invite(space: Space, email: str, role: str, by: User) -> Link:
    """Replace earlier invitations to the address."""
    earlier = Invitation.objects.open().filter(space=space, email__iexact=email)
    replaces = earlier.exists()
    space.invitations.filter(email__iexact=email, used_at=None).delete()
    token, fields = Invitation.mint()
    invitation = Invitation.objects.create(
        space=space, email=email.lower(), role=role, invited_by=by, **fields
    )
    return Link(invitation, token, replaces)


def renew(invitation: Invitation) -> Link:
    replaces = invitation.is_open
    token, fields = Invitation.mint()
    Invitation.objects.filter(pk=invitation.pk).update(**fields)
    invitation.refresh_from_db(fields=list(fields))
    return Link(invitation, token, replaces)


def invitation_url(request: HttpRequest, token: str) -> str:
    return mail.public_url(request, reverse("people:invitation", args=[token]))


def mail_invitation(invitation: Invitation, url: str) -> None:
    subject = _("%(name)s invites you to “%(space)s” on Meddie") % {
        "name": invitation.inviter,
        "space": invitation.space.name,
    }
    context = {"invitation": invitation, "url": url}
    body = render_to_string("people/mail/invitation.txt", context)
    mail.send_later(subject, body, invitation.email)


def find(token: str) -> Invitation:
    """Raises NotOpen."""
    found = Invitation.objects.open().with_token(token)
    invitation = found.select_related("space", "invited_by").first()
    if invitation is None:
        raise NotOpen
    return invitation


def is_for(invitation: Invitation, user: User | AnonymousUser) -> bool:
    return isinstance(user, User) and user.email.lower() == invitation.email.lower()


@transaction.atomic
def accept_invitation(token: str, user: User) -> Space:
    """Existing members keep their role. Raises NotOpen or WrongAddress."""
    locked = Invitation.objects.select_for_update(of=("self",)).select_related("space")
    invitation = locked.with_token(token).first()
    if invitation is None or not invitation.is_open:
        raise NotOpen
    if not is_for(invitation, user):
        raise WrongAddress
    invitation.use()
    Membership.objects.get_or_create(
        space=invitation.space, user=user, defaults={"role": invitation.role}
    )
    return invitation.space


def accept_as_newcomer(
    token: str, name: str, password: str, *, time_zone: str = ""
) -> tuple[User, Space]:
    """`time_zone` is the browser's. Raises NotOpen or AddressTaken."""
    language = get_language()
    locale = language if language in dict(settings.LANGUAGES) else "en"
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                find(token).email, password, name=name, locale=locale
            )
            user.adopt_time_zone(time_zone)
            return user, accept_invitation(token, user)
    except IntegrityError as taken:
        raise AddressTaken from taken
