"""Where Telegram brings updates: checked, stored, answered; a worker does the rest."""

import json
import secrets

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from conversations.telegram import inbox
from conversations.telegram.bot_api.schema import Malformed
from meddie import dispatch
from meddie.crypto import Unreadable
from people.models import TelegramBot

LONGEST = 256 * 1024
"""Bytes. Telegram's own updates are a few thousand."""
HEADER = "X-Telegram-Bot-Api-Secret-Token"
NOBODY = secrets.token_urlsafe(32)


@csrf_exempt
@require_POST
def webhook(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Store one update and ring. A wrong number and a wrong secret look the same.

    What is not for Meddie is answered with 200 as well, or Telegram would bring it
    again and again.
    """
    try:
        bot = TelegramBot.objects.filter(bot_id=bot_id).first()
    except Unreadable:
        return _plain("The key of this bot's secret is missing.", 503)
    given = request.headers.get(HEADER, "")
    known = secrets.compare_digest(
        given.encode(), (bot.secret if bot else NOBODY).encode()
    )
    if bot is None or not known:
        return _plain("Not found.", 404)
    body = request.read(LONGEST + 1)
    if len(body) > LONGEST:
        return _plain("An update has at most 256 kB.", 413)
    try:
        thread_id = inbox.receive(bot, json.loads(body))
    except (ValueError, RecursionError, Malformed, DataError):
        return _plain("This is not an update.", 400)
    if thread_id is not None:
        dispatch.enqueue("conversations.drain_chat", str(thread_id))
    return _plain("OK", 200)


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain")
