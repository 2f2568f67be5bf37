"""Mail to users whose account an admin linked to Telegram."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from people import addresses, mail
from people.models import TelegramLink


def tell_of_link(request: HttpRequest, link: TelegramLink) -> None:
    """Tell the user in their language, unless they linked themselves."""
    user = link.user
    if user is None or user == request.user:
        return
    url = addresses.public_url(
        request, reverse("telegram:settings", args=[link.space_id])
    )
    page = {"admin": request.user, "link": link, "url": url}
    with override(user.locale):
        subject = _("Meddie: your account in “%(space)s” was linked to Telegram")
        mail.send_later(
            subject % {"space": link.space.name},
            render_to_string("conversations/telegram/linked.txt", page),
            user.email,
        )
