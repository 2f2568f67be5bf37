"""Making a bot answer for a space, and no longer.

Telegram is asked first and outside of any transaction; only what it has agreed to is
stored. With a public https address it sends updates there, else they are fetched.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from conversations.telegram import inbox
from conversations.telegram.bot_api.api import Api, Me, api
from conversations.telegram.bot_api.errors import (
    TelegramFailed,
    TooMany,
    Unreachable,
    WrongToken,
)
from meddie import dispatch
from meddie.crypto import Unreadable
from meddie.threads import run_coroutine
from people.models import Space, TelegramBot

TIMEOUT = 15
"""Seconds that somebody who connects a bot waits for each answer of Telegram."""


class NotConnected(Exception):
    """Its text is a sentence for whoever tried."""


def bot_of(space: Space) -> TelegramBot | None:
    """The space's bot. Its token is read when it is needed, as that can fail."""
    bots = TelegramBot.objects.defer("token", "secret")
    return bots.filter(space=space).first()


def connect(space: Space, token: str) -> TelegramBot:
    """Let the token's bot answer for the space, instead of one that did so far.

    Raises NotConnected, and then nothing has changed here.
    """
    before = bot_of(space)
    bot = TelegramBot(space=space, token=token, secret=secrets.token_urlsafe(32))
    if before is not None:
        bot.api_url = before.api_url
    me = _me(bot)
    if TelegramBot.objects.filter(bot_id=me.id).exclude(space=space).exists():
        raise NotConnected(_("This bot already serves another space."))
    bot.bot_id, bot.username = me.id, me.username
    if before is not None and before.bot_id == me.id:
        return _with_new_token(before, bot)
    _register(bot)
    calls_before = _calls(before) if before is not None else None
    _store(bot)
    _silence(calls_before)
    return bot


def again(bot: TelegramBot) -> None:
    """Tell Telegram anew where updates go, as after a change of PUBLIC_URL.

    Raises NotConnected.
    """
    _register(bot)
    bot.error = ""
    bot.save(update_fields=["polled", "error"])
    _wake(bot)


def disconnect(bot: TelegramBot) -> None:
    """Forget the bot, whether Telegram can be told or not."""
    _silence(_calls(bot))
    bot.delete()


def _with_new_token(bot: TelegramBot, given: TelegramBot) -> TelegramBot:
    """The same bot goes on where it is. Its secret stays, so that of two who do this
    at the same moment both leave what Telegram knows."""
    bot.token, bot.username = given.token, given.username
    try:
        bot.secret  # noqa: B018 -- it is read here, and may be lost
    except Unreadable:
        bot.secret = given.secret
    _register(bot)
    bot.error = ""
    bot.save()
    _wake(bot)
    return bot


def _wake(bot: TelegramBot) -> None:
    """What had to wait for this is worked on now."""
    for thread_id in inbox.wake(bot):
        dispatch.enqueue("conversations.drain_chat", str(thread_id))


def _store(bot: TelegramBot) -> None:
    try:
        with transaction.atomic():
            TelegramBot.objects.filter(space=bot.space).delete()
            bot.save(force_insert=True)
    except IntegrityError:
        _give_back(bot.bot_id)
        raise NotConnected(
            _("Somebody connected a bot at the same moment. Look at this page again.")
        ) from None


def _give_back(bot_id: int) -> None:
    """Telegram has the secret of whoever came too late; the one stored counts."""
    winner = TelegramBot.objects.filter(bot_id=bot_id).first()
    if winner is not None:
        with suppress(NotConnected):
            again(winner)


def _me(bot: TelegramBot) -> Me:
    with _in_a_sentence():
        return run_coroutine(api(bot.token, bot.api_url).get_me(), TIMEOUT)


def _register(bot: TelegramBot) -> None:
    bot.polled = not settings.PUBLIC_URL.startswith("https://")
    url = f"{settings.PUBLIC_URL.rstrip('/')}/telegram/{bot.bot_id}"
    with _in_a_sentence():
        calls = api(bot.token, bot.api_url)
        if bot.polled:
            run_coroutine(calls.delete_webhook(), TIMEOUT)
        else:
            run_coroutine(calls.set_webhook(url, bot.secret), TIMEOUT)


def _calls(bot: TelegramBot) -> Api | None:
    """None where the token is lost."""
    with suppress(Unreadable, WrongToken):
        return api(bot.token, bot.api_url)
    return None


def _silence(calls: Api | None) -> None:
    """Tell Telegram that nobody listens any more, if it can be told."""
    if calls is not None:
        with suppress(TelegramFailed, TimeoutError):
            run_coroutine(calls.delete_webhook(), TIMEOUT)


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    try:
        yield
    except TelegramFailed as failure:
        raise NotConnected(_sentence(failure)) from None
    except TimeoutError:
        raise NotConnected(_sentence(Unreachable())) from None
    except Unreadable:
        raise NotConnected(
            _("The token can no longer be decrypted. Paste it again.")
        ) from None


def _sentence(failure: TelegramFailed) -> str:
    match failure:
        case WrongToken():
            return _("Telegram does not know this token. Copy it again from BotFather.")
        case TooMany():
            return _("Telegram asks to slow down. Try again in a few minutes.")
        case Unreachable():
            return _("Telegram could not be reached. Try again in a few minutes.")
        case _:
            return _("Telegram refused: %(reason)s") % {"reason": failure}
