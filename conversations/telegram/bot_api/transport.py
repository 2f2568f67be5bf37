"""HTTP for the Bot API and its errors: one client per event loop for all bots."""

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx2

from meddie.backoff import Failure
from meddie.loops import PerLoop


class TelegramFailed(Failure):
    code = "telegram_failed"


class WrongToken(TelegramFailed):
    """No bot has this token (401, 404)."""

    code = "wrong_token"
    permanent = True


class Blocked(TelegramFailed):
    """The user has blocked the bot or never started it (403)."""

    code = "blocked"
    permanent = True


class TelegramRefused(TelegramFailed):
    """Telegram rejects the call for good (other 4xx)."""

    code = "refused"
    permanent = True


class InvalidApiUrl(TelegramFailed):
    """The address of the Bot API is not a valid URL."""

    code = "refused"
    permanent = True


class TooLarge(TelegramRefused):
    code = "too_large"


class TooMany(TelegramFailed):
    """Too many calls (429); `retry_after` is in seconds."""

    code = "too_many"


class Elsewhere(TelegramFailed):
    """The updates go to a webhook or to another poller (409)."""

    code = "elsewhere"


class Unreachable(TelegramFailed):
    """`maybe_done`: Telegram may have carried out the call."""

    code = "unreachable"

    def __init__(self, detail: str = "", *, maybe_done: bool = True) -> None:
        super().__init__(detail)
        self.maybe_done = maybe_done


@dataclass(frozen=True)
class Timeouts:
    """In seconds."""

    connect: float = 5
    answer: float = 15
    download: float = 60


TIMEOUTS = Timeouts()
# With a hundred connections the client is four times slower.
FOR_CALLS = httpx2.Limits(max_connections=20, max_keepalive_connections=20)
FOR_POLLS = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
LONGEST_ANSWER = 10_000_000  # bytes, of a hundred updates
NO_ADDRESS = (httpx2.InvalidURL, httpx2.UnsupportedProtocol)
NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


class Transport:
    def __init__(self) -> None:
        self._http = _client(FOR_CALLS)
        self._polls = _client(FOR_POLLS)

    @property
    def closed(self) -> bool:
        return self._http.is_closed and self._polls.is_closed

    async def shutdown(self) -> None:
        await self._http.aclose()
        await self._polls.aclose()

    async def post(
        self, url: str, parameters: Mapping[str, str], polls_for: float | None
    ) -> object:
        """The result of a call, or of a poll of so many seconds."""
        http = self._http if polls_for is None else self._polls
        seconds = polls_for or TIMEOUTS.answer
        limit = _timeout(seconds)
        try:
            async with (
                asyncio.timeout(seconds + TIMEOUTS.connect),
                http.stream("POST", url, data=parameters, timeout=limit) as response,
            ):
                raw = await _read(response, LONGEST_ANSWER)
        except TooLarge:
            raise Unreachable("an unreadable answer") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            raise _of_network(error) from None
        try:
            found = json.loads(raw)
        except ValueError:
            found = None
        body = found if isinstance(found, dict) else {}
        if response.status_code != 200:
            raise _of_status(response.status_code, body)
        if "result" not in body:
            raise Unreachable("an unreadable answer")
        return body["result"]

    async def load(self, url: str, max_bytes: int) -> bytes:
        """Raises TooLarge."""
        try:
            async with (
                asyncio.timeout(TIMEOUTS.download),
                self._http.stream("GET", url) as response,
            ):
                if response.status_code != 200:
                    raise _of_file(response.status_code)
                return await _read(response, max_bytes)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            raise _of_network(error) from None


transports = PerLoop(Transport, Transport.shutdown)


def _of_status(status: int, body: dict[str, Any]) -> TelegramFailed:
    detail = f"{status} {_described(body)}".strip()
    match status:
        case 401 | 404:
            return WrongToken(detail)
        case 403:
            return Blocked(detail)
        case 409:
            return Elsewhere(detail)
        case 429:
            return TooMany(detail, retry_after=_retry_after(body))
        case _ if 400 <= status < 500 and status != 408:
            return TelegramRefused(detail)
        case _:
            return Unreachable(detail, maybe_done=status == 504)


def _described(body: dict[str, Any]) -> str:
    # After the second colon, Telegram may quote our text.
    description = body.get("description")
    if not isinstance(description, str):
        return ""
    return ":".join(description.split(":")[:2])[:100]


def _retry_after(body: dict[str, Any]) -> float | None:
    parameters = body.get("parameters")
    seconds = parameters.get("retry_after") if isinstance(parameters, dict) else None
    return float(seconds) if isinstance(seconds, (int, float)) else None


def _of_file(status: int) -> TelegramFailed:
    gone = 400 <= status < 500 and status not in {401, 408, 429}
    return TelegramRefused(f"{status} no such file") if gone else _of_status(status, {})


def _of_network(error: Exception) -> TelegramFailed:
    if isinstance(error, NO_ADDRESS):
        return InvalidApiUrl("the address of the Bot API is not a valid URL")
    return Unreachable(
        type(error).__name__, maybe_done=not isinstance(error, NEVER_SENT)
    )


async def _read(response: httpx2.Response, max_bytes: int) -> bytes:
    """Raises TooLarge."""
    loaded = bytearray()
    _check_size(response.headers.get("content-length", ""), max_bytes)
    async for chunk in response.aiter_bytes():
        loaded += chunk
        _check_size(str(len(loaded)), max_bytes)
    return bytes(loaded)


def _check_size(size: str, max_bytes: int) -> None:
    if size.isdigit() and int(size) > max_bytes:
        raise TooLarge(f"more than {max_bytes} bytes")


def _client(limits: httpx2.Limits) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        verify=_ssl_context(), limits=limits, timeout=_timeout(TIMEOUTS.answer)
    )


def _timeout(seconds: float) -> httpx2.Timeout:
    return httpx2.Timeout(seconds, connect=min(TIMEOUTS.connect, seconds))


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
