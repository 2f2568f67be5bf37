"""The webhook that Telegram sends updates to."""

import secrets

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from conversations.telegram.bot_api.schema import Malformed
from conversations.telegram.models import TelegramBot
from conversations.telegram.process import INBOX
from conversations.telegram.updates import receive
from meddie.bounded_json import parse_json
from meddie.crypto import KeyLost

UPDATE_HEADER = "X-Telegram-Bot-Api-Secret-Token"
NO_SECRET = secrets.token_urlsafe(32)


@csrf_exempt
@require_POST
def webhook(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Store one update. An unknown bot and a wrong secret get the same answer.

    Ignored updates get a 200 too, or Telegram would resend them.
    """
    try:
        bot = TelegramBot.objects.filter(bot_id=bot_id).first()
    except KeyLost:
        return _plain("The secret of this bot cannot be decrypted.", 503)
    given = request.headers.get(UPDATE_HEADER, "")
    known = secrets.compare_digest(
        given.encode(), (bot.secret if bot else NO_SECRET).encode()
    )
    if bot is None or not known:
        return _plain("Not found.", 404)
    try:
        thread_id = receive(bot, parse_json(request.body))
    except (ValueError, RecursionError, Malformed, DataError):
        return _plain("The body is not an update.", 400)
    if thread_id is not None:
        INBOX.ring([thread_id])
    return _plain("OK", 200)


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain")
