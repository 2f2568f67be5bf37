"""The SDK's clients: one AsyncOpenAI an event loop, one OpenAI a process.

An AsyncOpenAI used from two loops fails at random, and building one costs 25 ms unless
the SSL context is shared. The SDK's own retries are off: only `meddie.backoff` knows
whether the user has seen a token.
"""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cache
from threading import Lock
from weakref import WeakKeyDictionary

import httpx2
from django.conf import settings

from meddie.ai import errors
from meddie.ai.lazy_sdk import aiohttp, openai
from meddie.backoff import Patience


@dataclass(frozen=True)
class Limits:
    """Seconds, but for the last. Tests put smaller ones in place of LIMITS."""

    connect: float = 5
    first_token: float = 45
    stall: float = 20
    usage: float = 2
    complete: float = 20
    embed: float = 8
    verify: float = 5
    reply_characters: int = 200_000


LIMITS = Limits()
CHAT_PATIENCE = Patience()
EMBEDDING_PATIENCE = Patience(attempts=2, seconds=6, retry_after=3)


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    key: str

    @classmethod
    def for_chat(cls) -> Endpoint:
        return cls(settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY.strip())

    @classmethod
    def for_embeddings(cls) -> Endpoint:
        return cls(settings.EMBEDDING_BASE_URL, settings.EMBEDDING_API_KEY.strip())


@dataclass(frozen=True)
class _Open:
    client: openai.AsyncOpenAI
    closer: AsyncGenerator[None]


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Endpoint, _Open]] = (
    WeakKeyDictionary()
)
_of_process: dict[Endpoint, openai.OpenAI] = {}
_lock = Lock()


async def async_client(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """The running loop's client, closed by the loop when it ends."""
    clients = _of_loops.setdefault(asyncio.get_running_loop(), {})
    if endpoint not in clients:
        client = _build_async(endpoint)
        closer = _closing(client, clients, endpoint)
        clients[endpoint] = _Open(client, closer)
        await anext(closer)
    return clients[endpoint].client


def sync_client(endpoint: Endpoint) -> openai.OpenAI:
    """The process's client, which all threads share."""
    with _lock:
        if endpoint not in _of_process:
            _of_process[endpoint] = _build_sync(endpoint)
        return _of_process[endpoint]


def failures() -> tuple[type[Exception], ...]:
    """What a call of the SDK raises, besides bugs: a line may be no JSON or no UTF-8."""
    return (
        openai.OpenAIError,
        aiohttp.ClientError,  # no HTTP at all, which the SDK's adapter lets through
        json.JSONDecodeError,
        UnicodeDecodeError,
        TimeoutError,
    )


def warm() -> None:
    """Read the SDK where there is a key: a third of a second that the first answer would
    wait for."""
    if Endpoint.for_chat().key or Endpoint.for_embeddings().key:
        failures()


def close() -> None:
    """Close what threads share, for tests and the end of a process."""
    with _lock:
        while _of_process:
            _of_process.popitem()[1].close()


def verify() -> None:
    """Ask each configured provider whether it takes the key; without a key, nothing.

    A provider that has no list of models (404) has not refused the key.
    """
    for endpoint in {Endpoint.for_chat(), Endpoint.for_embeddings()}:
        if endpoint.key:
            _verify(endpoint)


def _verify(endpoint: Endpoint) -> None:
    try:
        client = sync_client(endpoint).with_options(timeout=timeout(LIMITS.verify))
        client.models.with_raw_response.list()
    except openai.NotFoundError:
        return
    except openai.OpenAIError as error:
        raise translated(error) from error


def timeout(read: float) -> httpx2.Timeout:
    """What aiohttp calls connecting to a host, with all its addresses, is "pool" here."""
    connect = min(LIMITS.connect, read)
    return httpx2.Timeout(read, connect=connect, pool=connect)


def translated(error: Exception, *, spoke: bool = False) -> errors.AIError:
    """Our error for one of the SDK's; `spoke` when a part of the answer had come."""
    match error:
        case openai.APITimeoutError() | TimeoutError() if not _lost(error):
            return errors.TimedOut()
        case openai.APIStatusError():
            return _of_status(error)
        case json.JSONDecodeError() | UnicodeDecodeError():
            return errors.Garbled()
        case _ if spoke:
            return errors.BrokenOff(_slug(error))
        case _:
            return errors.ProviderDown(_slug(error))


def _lost(error: Exception) -> bool:
    """Whether nobody listened or the other side hung up, which the SDK's adapter of
    aiohttp calls a timeout too."""
    mapped = error.__cause__
    cause = None if mapped is None else mapped.__cause__
    lost = isinstance(cause, aiohttp.ClientConnectionError)
    return lost and not isinstance(cause, TimeoutError)


def _of_status(error: openai.APIStatusError) -> errors.AIError:
    detail = f"{error.status_code} {_slug(error)}".strip()
    match error.status_code:
        case 401 | 403:
            return errors.WrongKey(detail)
        case 429:
            return errors.RateLimited(
                detail,
                permanent=error.code == "insufficient_quota",
                retry_after=_retry_after(error.response),
            )
        case 408 | 409 | 425:
            return errors.ProviderDown(detail)
        case status if status >= 500:
            return errors.ProviderDown(detail)
        case _:
            return errors.Refused(detail)


def _slug(error: Exception) -> str:
    """The provider's own code; its message may repeat what the user wrote."""
    if not isinstance(error, openai.APIError):
        return ""
    code = error.code or error.type
    return code[:60] if isinstance(code, str) else ""


def _retry_after(response: httpx2.Response) -> float | None:
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None


async def _closing(
    client: openai.AsyncOpenAI, clients: dict[Endpoint, _Open], endpoint: Endpoint
) -> AsyncGenerator[None]:
    """Waits to be closed: a loop closes its generators before it ends, and has no
    other hook."""
    try:
        yield
    finally:
        clients.pop(endpoint, None)
        await client.close()


def _build_async(endpoint: Endpoint) -> openai.AsyncOpenAI:
    _check(endpoint)
    # Through it a token costs a fifth less of a processor than through httpx2 alone.
    http = openai.DefaultAioHttpClient(verify=_ssl_context())
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key,
        timeout=timeout(LIMITS.first_token),
        max_retries=0,
        http_client=http,
    )


def _check(endpoint: Endpoint) -> None:
    """What no request could be made of is said as if the provider had said it."""
    if not (endpoint.key.isascii() and endpoint.key.isprintable()):
        raise errors.WrongKey("a key of letters and digits is expected")
    try:
        url = httpx2.URL(endpoint.base_url)
    except httpx2.InvalidURL as error:
        raise errors.Refused("the base URL is none") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise errors.Refused("the base URL must begin with http:// or https://")


def _build_sync(endpoint: Endpoint) -> openai.OpenAI:
    _check(endpoint)
    http = openai.DefaultHttpxClient(verify=_ssl_context())
    return openai.OpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key,
        timeout=timeout(LIMITS.embed),
        max_retries=0,
        http_client=http,
    )


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
