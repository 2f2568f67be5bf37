"""Mail to users whose account an admin wants to link to Telegram."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from conversations.telegram.models import TelegramLink
from people import addresses, mail


def ask_to_confirm(request: HttpRequest, link: TelegramLink) -> None:
    """Ask the user of a pending link, in their language."""
    user = link.user
    if user is None or not link.is_pending:
        return
    url = addresses.public_url(
        request, reverse("telegram:settings", args=[link.space_id])
    )
    page = {"link": link, "url": url}
    with override(user.locale):
        subject = _("Meddie: confirm a Telegram account in “%(space)s”")
        mail.send_later(
            subject % {"space": link.space.name},
            render_to_string("conversations/telegram/confirm_link.txt", page),
            user.email,
        )
