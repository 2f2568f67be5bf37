"""Connect and disconnect the bot of a space.

Telegram is called first, outside of any transaction; then the result is stored.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from conversations.telegram.bot_api.api import Api, api
from conversations.telegram.bot_api.transport import (
    TelegramFailed,
    TooMany,
    Unreachable,
    WrongToken,
)
from conversations.telegram.models import TelegramBot
from conversations.telegram.process import INBOX
from conversations.telegram.updates import make_due
from meddie.crypto import KeyLost
from meddie.threads import run_coroutine
from people.models import Space

TIMEOUT = 15  # seconds for each call while an admin waits for the page


class NotConnected(Exception):
    """The text tells the admin what to do."""


def bot_of(space: Space) -> TelegramBot | None:
    # Decrypting the token and the secret can fail.
    bots = TelegramBot.objects.defer("token", "secret")
    return bots.filter(space=space).first()


def connect(space: Space, token: str) -> TelegramBot:
    """Let the bot answer for the space, in place of any other.

    Raises NotConnected and then changes nothing here.
    """
    before = bot_of(space)
    bot = TelegramBot(space=space, token=token, secret=secrets.token_urlsafe(32))
    if before is not None:
        bot.api_url = before.api_url
    with _errors_as_sentences():
        me = run_coroutine(api(bot.token, bot.api_url).get_me(), TIMEOUT)
    if TelegramBot.objects.filter(bot_id=me.id).exclude(space=space).exists():
        raise NotConnected(_("This bot is already connected to another household."))
    bot.bot_id, bot.username = me.id, me.username
    if before is not None and before.bot_id == me.id:
        return _with_new_token(before, bot)
    _register(bot)
    calls_before = _calls(before) if before is not None else None
    _store(bot)
    _remove_webhook(calls_before)
    return bot


def reconnect(bot: TelegramBot) -> None:
    """Tell Telegram the current PUBLIC_URL. Raises NotConnected."""
    _register(bot)
    bot.error = ""
    bot.save(update_fields=["polled", "error"])
    INBOX.ring(make_due(bot))


def disconnect(bot: TelegramBot) -> None:
    """Delete the bot, even if Telegram cannot be told."""
    _remove_webhook(_calls(bot))
    bot.delete()


def _with_new_token(bot: TelegramBot, given: TelegramBot) -> TelegramBot:
    # The secret stays, so that concurrent calls leave the one that Telegram knows.
    bot.token, bot.username = given.token, given.username
    try:
        bot.secret  # noqa: B018 -- it is read here, and may be lost
    except KeyLost:
        bot.secret = given.secret
    _register(bot)
    bot.error = ""
    bot.save()
    INBOX.ring(make_due(bot))
    return bot


def _store(bot: TelegramBot) -> None:
    try:
        with transaction.atomic():
            TelegramBot.objects.filter(space=bot.space).delete()
            bot.save(force_insert=True)
    except IntegrityError:
        _restore_winner(bot.bot_id)
        raise NotConnected(
            _("Another admin connected a bot at the same time. Reload this page.")
        ) from None


def _restore_winner(bot_id: int) -> None:
    # Telegram has the secret of the later admin, but the stored one counts.
    winner = TelegramBot.objects.filter(bot_id=bot_id).first()
    if winner is not None:
        with suppress(NotConnected):
            reconnect(winner)


def _register(bot: TelegramBot) -> None:
    bot.polled = not settings.PUBLIC_URL.startswith("https://")
    url = f"{settings.PUBLIC_URL.rstrip('/')}/telegram/{bot.bot_id}"
    with _errors_as_sentences():
        calls = api(bot.token, bot.api_url)
        if bot.polled:
            run_coroutine(calls.delete_webhook(), TIMEOUT)
        else:
            run_coroutine(calls.set_webhook(url, bot.secret), TIMEOUT)


def _calls(bot: TelegramBot) -> Api | None:
    """None if the token cannot be decrypted."""
    with suppress(KeyLost, WrongToken):
        return api(bot.token, bot.api_url)
    return None


def _remove_webhook(calls: Api | None) -> None:
    if calls is not None:
        with suppress(TelegramFailed, TimeoutError):
            run_coroutine(calls.delete_webhook(), TIMEOUT)


@contextmanager
def _errors_as_sentences() -> Iterator[None]:
    try:
        yield
    except TelegramFailed as failure:
        raise NotConnected(_sentence(failure)) from None
    except TimeoutError:
        raise NotConnected(_sentence(Unreachable())) from None
    except KeyLost:
        raise NotConnected(
            _("The token can no longer be decrypted. Paste it again.")
        ) from None


def _sentence(failure: TelegramFailed) -> str:
    match failure:
        case WrongToken():
            return _("Telegram does not know this token. Copy it from BotFather again.")
        case TooMany():
            return _("Telegram is limiting requests. Try again in a few minutes.")
        case Unreachable():
            return _("Telegram could not be reached. Try again in a few minutes.")
        case _:
            return _("Telegram refused: %(reason)s") % {"reason": failure}
