"""HTTP for the Bot API: one client per event loop for all bots.

The library's own request class loads files whole and logs unreadable answers.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx
from telegram.request import BaseRequest, RequestData

from conversations.telegram.bot_api import errors
from meddie.loops import PerLoop


@dataclass(frozen=True)
class Timeouts:
    """In seconds."""

    connect: float = 5
    answer: float = 15
    download: float = 60


TIMEOUTS = Timeouts()
# With a hundred connections the client is four times slower.
FOR_CALLS = httpx.Limits(max_connections=20, max_keepalive_connections=20)
FOR_POLLS = httpx.Limits(max_connections=None, max_keepalive_connections=100)
NO_ADDRESS = (httpx.InvalidURL, httpx.UnsupportedProtocol)
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Transport(BaseRequest):
    def __init__(self) -> None:
        self._http = _client(FOR_CALLS)
        self._polls = _client(FOR_POLLS)

    @property
    def read_timeout(self) -> float:
        return TIMEOUTS.answer

    @property
    def closed(self) -> bool:
        return self._http.is_closed and self._polls.is_closed

    async def initialize(self) -> None:
        pass

    async def shutdown(self) -> None:
        await self._http.aclose()
        await self._polls.aclose()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        *_: Any,
        **__: Any,
    ) -> tuple[int, bytes]:
        """Called by the library."""
        sent = request_data.json_parameters if request_data else {}
        return 200, await _post(self._http, url, sent, TIMEOUTS.answer)

    async def poll(
        self, url: str, parameters: Mapping[str, Any], seconds: float
    ) -> object:
        answer = await _post(self._polls, url, parameters, seconds)
        result: object = json.loads(answer)["result"]
        return result

    async def load(self, url: str, max_bytes: int) -> bytes:
        """Raises TooLarge."""
        loaded = bytearray()
        try:
            async with (
                asyncio.timeout(TIMEOUTS.download),
                self._http.stream("GET", url) as response,
            ):
                if response.status_code != 200:
                    raise _of_file(response.status_code)
                _check_size(response.headers.get("content-length", ""), max_bytes)
                async for chunk in response.aiter_bytes():
                    loaded += chunk
                    _check_size(str(len(loaded)), max_bytes)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise _of_network(error) from None
        return bytes(loaded)


transports = PerLoop(Transport, Transport.shutdown)


async def _post(
    http: httpx.AsyncClient, url: str, parameters: Mapping[str, Any], seconds: float
) -> bytes:
    try:
        async with asyncio.timeout(seconds + TIMEOUTS.connect):
            response = await http.post(url, data=parameters, timeout=_timeout(seconds))
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise _of_network(error) from None
    body = _body(response)
    if response.status_code != 200:
        raise _of_status(response.status_code, body)
    if "result" not in body:
        raise errors.Unreachable("an unreadable answer")
    return response.content


def _body(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _of_status(status: int, body: dict[str, Any]) -> errors.TelegramFailed:
    detail = f"{status} {_described(body)}".strip()
    match status:
        case 401 | 404:
            return errors.WrongToken(detail)
        case 403:
            return errors.Blocked(detail)
        case 409:
            return errors.Elsewhere(detail)
        case 429:
            return errors.TooMany(detail, retry_after=_retry_after(body))
        case _ if 400 <= status < 500 and status != 408:
            return errors.TelegramRefused(detail)
        case _:
            return errors.Unreachable(detail, maybe_done=status == 504)


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


def _of_file(status: int) -> errors.TelegramFailed:
    gone = 400 <= status < 500 and status not in {401, 408, 429}
    return (
        errors.TelegramRefused(f"{status} no such file")
        if gone
        else _of_status(status, {})
    )


def _of_network(error: Exception) -> errors.TelegramFailed:
    if isinstance(error, NO_ADDRESS):
        return errors.InvalidApiUrl("the address of the Bot API is not a valid URL")
    return errors.Unreachable(
        type(error).__name__, maybe_done=not isinstance(error, NEVER_SENT)
    )


def _check_size(size: str, max_bytes: int) -> None:
    if size.isdigit() and int(size) > max_bytes:
        raise errors.TooLarge(f"more than {max_bytes} bytes")


def _client(limits: httpx.Limits) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        verify=_ssl_context(), limits=limits, timeout=_timeout(TIMEOUTS.answer)
    )


def _timeout(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(TIMEOUTS.connect, seconds))


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx.create_ssl_context()
