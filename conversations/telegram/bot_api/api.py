"""Calls to Telegram's Bot API.

Retries calls that are safe to repeat, and waits for a short 429.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ChatAction, ParseMode
from telegram.error import TelegramError

from conversations.telegram.bot_api import errors, transport
from meddie.backoff import Patience

TOKEN = re.compile(r"\d{1,20}:[A-Za-z0-9_-]{1,100}")
UPDATES = ["message", "edited_message", "callback_query"]
CONNECTIONS = 40  # simultaneous webhook requests from Telegram
# What the library raises for an answer of an unexpected shape.
UNEXPECTED = (TelegramError, LookupError, TypeError, ValueError, AttributeError)
PATIENCE = Patience(retry_after=20)
DEFAULT_RETRY_AFTER = 1.0  # seconds, for a 429 that names none
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Me:
    """`username` is without the @."""

    id: int
    username: str
    name: str


@dataclass(frozen=True, slots=True)
class Button:
    """`data` has at most 64 bytes."""

    text: str
    data: str


def api(token: str, api_url: str) -> "Api":
    """The calls of one bot, for any event loop. Raises WrongToken."""
    if not TOKEN.fullmatch(token):
        raise errors.WrongToken("malformed token")
    return Api(token, api_url.rstrip("/"))


@dataclass(frozen=True)
class Api:
    """Every method raises TelegramFailed only."""

    _token: str
    _api_url: str

    def __repr__(self) -> str:
        # Without the token, as tracebacks and logs may show it.
        return f"Api({self._token.partition(':')[0]})"

    async def get_me(self) -> Me:
        bot = await self._bot()
        user = await _call(bot.get_me)
        return Me(user.id, user.username or "", user.full_name)

    async def set_webhook(self, url: str, secret: str) -> None:
        bot = await self._bot()
        await _call(
            lambda: bot.set_webhook(
                url,
                secret_token=secret,
                allowed_updates=UPDATES,
                drop_pending_updates=False,
                max_connections=CONNECTIONS,
            )
        )

    async def delete_webhook(self) -> None:
        """Waiting updates stay for polling or the next webhook."""
        bot = await self._bot()
        await _call(lambda: bot.delete_webhook(drop_pending_updates=False))

    async def get_updates(self, offset: int, timeout: int) -> list[dict[str, object]]:  # noqa: ASYNC109 -- Telegram's
        """Wait `timeout` seconds for updates; Telegram deletes those before the offset.

        With the offset 0 it returns the earliest that it has, and deletes none.
        """
        http = await transport.transports.get()
        parameters = {
            "offset": offset,
            "timeout": timeout,
            "allowed_updates": json.dumps(UPDATES),
        }
        url = f"{self._api_url}/bot{self._token}/getUpdates"
        seconds = timeout + transport.TIMEOUTS.answer
        found = await _call(lambda: http.poll(url, parameters, seconds), at_once=True)
        if not isinstance(found, list) or not all(isinstance(u, dict) for u in found):
            raise errors.Unreachable("an unreadable answer")
        return found

    async def send(
        self, chat_id: int, html: str, *, buttons: Sequence[Button] = ()
    ) -> int:
        """Return the message's id."""
        bot = await self._bot()
        row = [InlineKeyboardButton(b.text, callback_data=b.data) for b in buttons]
        message = await _call(
            lambda: bot.send_message(
                chat_id,
                html,
                parse_mode=ParseMode.HTML,
                link_preview_options=NO_PREVIEW,
                reply_markup=InlineKeyboardMarkup([row]) if row else None,
            ),
            repeatable=False,
        )
        return message.message_id

    async def edit(self, chat_id: int, message_id: int, html: str) -> None:
        bot = await self._bot()
        try:
            await _call(
                lambda: bot.edit_message_text(
                    html,
                    chat_id,
                    message_id,
                    parse_mode=ParseMode.HTML,
                    link_preview_options=NO_PREVIEW,
                )
            )
        except errors.TelegramRefused as refusal:
            if "message is not modified" not in str(refusal):
                raise

    async def typing(self, chat_id: int) -> None:
        bot = await self._bot()
        await _call(
            lambda: bot.send_chat_action(chat_id, ChatAction.TYPING), at_once=True
        )

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        """`text` is shown for a moment."""
        bot = await self._bot()
        await _call(lambda: bot.answer_callback_query(callback_id, text or None))

    async def download(self, file_id: str, max_bytes: int) -> bytes:
        """Raises TooLarge."""
        bot = await self._bot()
        file = await _call(lambda: bot.get_file(file_id))
        if file.file_size and file.file_size > max_bytes:
            raise errors.TooLarge(f"more than {max_bytes} bytes")
        if not file.file_path:
            raise errors.TelegramRefused("no such file")
        http, path = await transport.transports.get(), file.file_path
        return await _call(lambda: http.load(path, max_bytes))

    async def _bot(self) -> Bot:
        http = await transport.transports.get()
        return Bot(
            self._token,
            base_url=f"{self._api_url}/bot",
            base_file_url=f"{self._api_url}/file/bot",
            request=http,
            get_updates_request=http,
        )


async def _call(
    make: Callable[[], Awaitable[T]],
    *,
    repeatable: bool = True,
    at_once: bool = False,
) -> T:
    attempt, waited = 1, 0.0
    while True:
        try:
            return await make()
        except errors.TelegramFailed as error:
            failure = error
        except UNEXPECTED as error:
            failure = errors.Unreachable(
                f"an unexpected answer ({type(error).__name__})"
            )
        wait = None if at_once else _pause(failure, attempt, waited, repeatable)
        if wait is None:
            raise failure from None
        await asyncio.sleep(wait)
        attempt, waited = attempt + 1, waited + wait


def _pause(
    failure: errors.TelegramFailed,
    attempt: int,
    waited: float,
    repeatable: bool,  # noqa: FBT001
) -> float | None:
    match failure:
        case errors.TooMany():
            retry_after = failure.retry_after or DEFAULT_RETRY_AFTER
            return PATIENCE.pause(attempt, waited, retry_after)
        case errors.Unreachable() if repeatable or not failure.maybe_done:
            return PATIENCE.pause(attempt, waited)
        case _:
            return None
