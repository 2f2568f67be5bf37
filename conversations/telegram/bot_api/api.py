"""Calls to Telegram's Bot API.

Retries calls that are safe to repeat, and waits for a short 429.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from conversations.telegram.bot_api import transport
from meddie.backoff import Patience

BOT_TOKEN = re.compile(r"\d{1,20}:[A-Za-z0-9_-]{1,100}")
UPDATE_KINDS = ["message", "edited_message", "callback_query"]
# Raised where an answer has an unexpected shape.
UNEXPECTED = (LookupError, TypeError, ValueError, AttributeError)
CALL_PATIENCE = Patience(retry_after=20)
AS_HTML = {"parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}

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


IN_A_ROW = 3  # buttons


def _keyboard(buttons: Sequence[Button]) -> dict[str, Any]:
    """The field for rows of buttons below a message, if there are any."""
    keys = [{"text": b.text, "callback_data": b.data} for b in buttons]
    rows = [keys[n : n + IN_A_ROW] for n in range(0, len(keys), IN_A_ROW)]
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}


def _in_topic(topic: int | None) -> dict[str, Any]:
    return {"message_thread_id": topic} if topic is not None else {}


def api(token: str, api_url: str) -> "Api":
    """The calls of one bot, for any event loop. Raises WrongToken."""
    if not BOT_TOKEN.fullmatch(token):
        raise transport.WrongToken("malformed token")
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
        def read(user: Any) -> Me:
            names = (user["first_name"], user.get("last_name"))
            username = user.get("username") or ""
            return Me(int(user["id"]), username, " ".join(filter(None, names)))

        return await _call(lambda: self._post("getMe", {}, read))

    async def set_webhook(self, url: str, secret: str) -> None:
        wanted = {
            "url": url,
            "secret_token": secret,
            "allowed_updates": UPDATE_KINDS,
            "drop_pending_updates": False,
            "max_connections": 40,
        }
        await _call(lambda: self._post("setWebhook", wanted, bool))

    async def delete_webhook(self) -> None:
        """Waiting updates stay for polling or the next webhook."""
        await _call(
            lambda: self._post("deleteWebhook", {"drop_pending_updates": False}, bool)
        )

    async def get_updates(self, offset: int, timeout: int) -> list[dict[str, object]]:  # noqa: ASYNC109 -- Telegram's
        """Wait `timeout` seconds for updates; Telegram deletes those before the offset.

        With the offset 0 it returns the earliest that it has, and deletes none.
        """
        wanted = {"offset": offset, "timeout": timeout, "allowed_updates": UPDATE_KINDS}
        seconds = timeout + transport.TIMEOUTS.answer
        found = await _call(
            lambda: self._post("getUpdates", wanted, list, seconds),
            at_once=True,
        )
        if not all(isinstance(update, dict) for update in found):
            raise transport.Unreachable("an unreadable answer")
        return found

    async def send(
        self,
        chat_id: int,
        html: str,
        *,
        buttons: Sequence[Button] = (),
        answers: int | None = None,
        topic: int | None = None,
    ) -> int:
        """Return the message's id. `answers` is the message that it quotes."""
        wanted: dict[str, Any] = {"chat_id": chat_id, "text": html, **AS_HTML}
        wanted |= _in_topic(topic)
        if answers is not None:
            quotes = {"message_id": answers, "allow_sending_without_reply": True}
            wanted["reply_parameters"] = quotes
        wanted |= _keyboard(buttons)

        def read(message: Any) -> int:
            return int(message["message_id"])

        return await _call(
            lambda: self._post("sendMessage", wanted, read), repeatable=False
        )

    async def edit(
        self, chat_id: int, message_id: int, html: str, buttons: Sequence[Button] = ()
    ) -> None:
        wanted = {"chat_id": chat_id, "message_id": message_id, "text": html, **AS_HTML}
        wanted |= _keyboard(buttons)
        try:
            await _call(lambda: self._post("editMessageText", wanted, bool))
        except transport.TelegramRefused as refusal:
            if "message is not modified" not in str(refusal):
                raise

    async def typing(self, chat_id: int, topic: int | None = None) -> None:
        wanted = {"chat_id": chat_id, "action": "typing", **_in_topic(topic)}
        await _call(lambda: self._post("sendChatAction", wanted, bool), at_once=True)

    async def answer_callback(self, callback_id: str, text: str = "") -> None:
        """`text` is shown for a moment."""
        wanted = {"callback_query_id": callback_id} | ({"text": text} if text else {})
        await _call(lambda: self._post("answerCallbackQuery", wanted, bool))

    async def download(self, file_id: str, max_bytes: int) -> bytes:
        """Raises TooLarge."""

        def read(file: Any) -> tuple[int, str]:
            return int(file.get("file_size") or 0), str(file.get("file_path") or "")

        size, path = await _call(
            lambda: self._post("getFile", {"file_id": file_id}, read)
        )
        if size > max_bytes:
            raise transport.TooLarge(f"more than {max_bytes} bytes")
        if not path:
            raise transport.TelegramRefused("no such file")
        http = await transport.transports.get()
        url = f"{self._api_url}/file/bot{self._token}/{quote(path)}"
        return await _call(lambda: http.load(url, max_bytes))

    async def _post(
        self,
        method: str,
        parameters: Mapping[str, object],
        read: Callable[[Any], T],
        polls_for: float | None = None,
    ) -> T:
        http = await transport.transports.get()
        sent = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in parameters.items()
        }
        url = f"{self._api_url}/bot{self._token}/{method}"
        return read(await http.post(url, sent, polls_for))


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
        except transport.TelegramFailed as error:
            failure = error
        except UNEXPECTED as error:
            failure = transport.Unreachable(
                f"an unexpected answer ({type(error).__name__})"
            )
        wait = None if at_once else _pause(failure, attempt, waited, repeatable)
        if wait is None:
            raise failure from None
        await asyncio.sleep(wait)
        attempt, waited = attempt + 1, waited + wait


def _pause(
    failure: transport.TelegramFailed,
    attempt: int,
    waited: float,
    repeatable: bool,  # noqa: FBT001
) -> float | None:
    match failure:
        case transport.TooMany():
            retry_after = failure.retry_after or 1.0
            return CALL_PATIENCE.pause(attempt, waited, retry_after)
        case transport.Unreachable() if repeatable or not failure.maybe_done:
            return CALL_PATIENCE.pause(attempt, waited)
        case _:
            return None
