"""Changes of a user's address, confirmed by mail."""

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from people import mail
from people.access import PageRequest
from people.models import EmailChange, User


class ChangeOver(Exception):
    """The token is not valid for the user."""


class AddressInUse(Exception):
    """Another account has the address."""


def start_change(request: PageRequest, email: str) -> None:
    """Mail a link there, and a notice to the old address."""
    user = request.user
    token, fields = EmailChange.mint()
    EmailChange.objects.update_or_create(user=user, defaults={"email": email, **fields})
    link = reverse("people:confirm_email", args=[token])
    page = {
        "old": user.email,
        "new": email,
        "url": mail.public_url(request, link),
        "change": mail.public_url(request, reverse("people:password_change")),
    }
    for to, template, subject in (
        (email, "email_change", _("Your new email address for Meddie")),
        (user.email, "email_change_notice", _("Your email address for Meddie")),
    ):
        mail.send_later(
            subject, render_to_string(f"people/mail/{template}.txt", page), to
        )


def find_change(user: User, token: str, *, lock: bool = False) -> EmailChange:
    """Raises ChangeOver."""
    changes = EmailChange.objects.select_for_update() if lock else EmailChange.objects
    change = changes.with_token(token).filter(user=user).first()
    if change is None or not change.is_open:
        raise ChangeOver
    return change


def confirm_change(user: User, token: str) -> None:
    """Raises ChangeOver or AddressInUse."""
    try:
        with transaction.atomic():
            change = find_change(user, token, lock=True)
            User.objects.filter(pk=user.pk).update(email=change.email)
            # Sign-ins are deleted with the account, by its address.
            for log in (AccessLog, AccessFailureLog):
                log.objects.filter(username=user.email).update(username=change.email)
            AccessAttempt.objects.filter(username=user.email).delete()
            change.delete()
    except IntegrityError as taken:
        EmailChange.objects.filter(user=user).delete()
        raise AddressInUse from taken
