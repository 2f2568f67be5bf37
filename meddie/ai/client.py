"""Clients of the SDK, without its retries: it does not know what a user has seen."""

from __future__ import annotations  # the SDK is not read for the names of its types

import re
import ssl
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from functools import cache
from threading import Lock

import httpx2
from django.conf import settings

from meddie.ai import errors
from meddie.ai.configured import configured
from meddie.ai.errors import CutOff, Garbled, TimedOut
from meddie.ai.lazy_sdk import aiohttp, openai
from meddie.backoff import Patience
from meddie.bounded_json import count_values
from meddie.loops import PerLoop
from meddie.tracing import trace_client


@dataclass(frozen=True)
class ProviderLimits:
    """Seconds, and characters of a reply."""

    connect: float = 5
    first_token: float = 45
    stall: float = 20
    thinking: float = 300  # without a word, while something else comes
    usage: float = 2
    complete: float = 90
    complete_slowly: float = 900  # of a server in the own network, often without a GPU
    models: float = 2
    embed: float = 8
    verify: float = 5
    reply_characters: int = 200_000


LIMITS = ProviderLimits()
NO_QUOTA = "insufficient_quota"
LONGEST_EVENT = 1_000_000  # bytes; 200,000 characters, each escaped as \uXXXX, fit
LONGEST_BODY = 20_000_000  # bytes; 256 vectors of 1,536 numbers take five million
MOST_VALUES = 500_000  # of such an answer
END_OF_EVENT = re.compile(rb"\n[\r\n]|\r\r")  # lines end in LF, CR LF or CR
CHAT_PATIENCE = Patience()
EMBEDDING_PATIENCE = Patience(attempts=2, seconds=6, retry_after=3)


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    key: str

    @classmethod
    def for_chat(cls) -> Endpoint:
        chosen = configured()
        return cls(chosen.base_url, chosen.key)

    @classmethod
    def for_extraction(cls) -> Endpoint:
        """That of the chat where no other is set."""
        chat = cls.for_chat()
        key = settings.EXTRACTION_API_KEY.strip() or chat.key
        return cls(settings.EXTRACTION_BASE_URL or chat.base_url, key)

    @classmethod
    def for_embeddings(cls) -> Endpoint:
        return cls(settings.EMBEDDING_BASE_URL, settings.EMBEDDING_API_KEY.strip())

    @classmethod
    def all(cls) -> set[Endpoint]:
        return {cls.for_chat(), cls.for_extraction(), cls.for_embeddings()}


_of_process: dict[Endpoint, openai.OpenAI] = {}
_lock = Lock()


async def async_client(endpoint: Endpoint) -> openai.AsyncOpenAI:
    clients = await _of_loops.get()
    if endpoint not in clients:
        clients[endpoint] = _build_async(endpoint)
    return clients[endpoint]


def sync_client(endpoint: Endpoint) -> openai.OpenAI:
    with _lock:
        if endpoint not in _of_process:
            _of_process[endpoint] = _build_sync(endpoint)
        return _of_process[endpoint]


def failures() -> tuple[type[Exception], ...]:
    return (
        openai.OpenAIError,
        aiohttp.ClientError,  # for answers that are not HTTP
        ValueError,  # a line is no JSON or no UTF-8, or has a number of 5,000 digits
        RecursionError,  # a line of deeply nested JSON
        TimeoutError,
    )


def import_sdk() -> None:
    if any(endpoint.key for endpoint in Endpoint.all()):
        failures()


def close_clients() -> None:
    with _lock:
        while _of_process:
            _of_process.popitem()[1].close()


def verify() -> None:
    """Ask each provider for its models. Raises AIError, except for 404."""
    for endpoint in Endpoint.all():
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
    """Connecting over all addresses of a host is "pool" to aiohttp."""
    connect = min(LIMITS.connect, read)
    return httpx2.Timeout(read, connect=connect, pool=connect)


def translated(error: Exception, *, spoke: bool = False) -> errors.AIError:
    """The AIError for one of `failures()`; `spoke` if a part has come."""
    status = getattr(error, "status_code", None)
    match error:
        case openai.APITimeoutError() | TimeoutError() if not _lost(error):
            return errors.TimedOut()
        case openai.APIError() if status == 402 or (
            NO_QUOTA in (error.code, error.type)
        ):
            return errors.NoQuota(_slug(error)).quoting(error.body)
        case openai.APIError() if not spoke and errors.TOO_LONG.search(str(error.body)):
            # LM Studio says it in a stream with the status 200.
            return errors.Refused(_slug(error), said=error.body)
        case openai.APIStatusError():
            return _of_status(error)
        case ValueError() | RecursionError():
            return errors.Garbled()
        case _:
            lost = errors.BrokenOff if spoke else errors.ProviderDown
            return lost(_slug(error))


def _lost(error: Exception) -> bool:
    mapped = error.__cause__
    cause = None if mapped is None else mapped.__cause__
    lost = isinstance(cause, aiohttp.ClientConnectionError)
    return lost and not isinstance(cause, TimeoutError)


def _of_status(error: openai.APIStatusError) -> errors.AIError:
    detail = f"{error.status_code} {_slug(error)}".strip()
    match error.status_code:
        case 401 | 403:
            return errors.WrongKey(detail)
        case 400 if "API_KEY_INVALID" in str(error.body):  # Google's
            return errors.WrongKey(detail)
        case 429:
            pause = _retry_after(error.response)
            return errors.RateLimited(detail, retry_after=pause).quoting(error.body)
        case 408 | 409 | 425:
            return errors.ProviderDown(detail)
        case status if status >= 500 and not errors.NO_PICTURES.search(str(error.body)):
            return errors.ProviderDown(detail)
        case _:
            return errors.Refused(detail, status=error.status_code, said=error.body)


def _slug(error: Exception) -> str:
    """The error code. The message may repeat the user's text."""
    if not isinstance(error, openai.APIError):
        return ""
    code = error.code or error.type
    return code[:60] if isinstance(code, str) else ""


def _retry_after(response: httpx2.Response) -> float | None:
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None


async def _close_all(clients: dict[Endpoint, openai.AsyncOpenAI]) -> None:
    for client in clients.values():
        await client.close()


_of_loops: PerLoop[dict[Endpoint, openai.AsyncOpenAI]] = PerLoop(dict, _close_all)


def _build_async(endpoint: Endpoint) -> openai.AsyncOpenAI:
    _check(endpoint)
    # A token costs a fifth less processor time than through httpx2 alone.
    http = openai.DefaultAioHttpClient(
        verify=_ssl_context(),
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [bound]},
    )
    trace_client(http)
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key,
        timeout=timeout(LIMITS.first_token),
        max_retries=0,
        http_client=http,
    )


def _check(endpoint: Endpoint) -> None:
    if not (endpoint.key.isascii() and endpoint.key.isprintable()):
        raise errors.WrongKey("the key has characters that cannot be sent")
    setting = "OPENAI_BASE_URL (or EMBEDDING_BASE_URL)"
    try:
        url = httpx2.URL(endpoint.base_url)
    except httpx2.InvalidURL as error:
        raise errors.Refused(f"{setting} is not a valid URL") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise errors.Refused(f"{setting} must begin with http:// or https://")


def _build_sync(endpoint: Endpoint) -> openai.OpenAI:
    _check(endpoint)
    http = openai.DefaultHttpxClient(verify=_ssl_context())
    trace_client(http)
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


class BoundedStream(httpx2.AsyncByteStream):
    """Raises CutOff for an event, or a body without events, that is too long."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size, last, head = 0, b"", b""
        async for piece in self._stream:
            seen = last + piece
            head = head or piece.lstrip()[:1]
            has_events = head not in {b"{", b"["}
            ends = has_events and END_OF_EVENT.search(seen)
            size = 0 if ends else size + len(piece)
            last = seen[-1:]
            if size > LONGEST_EVENT:
                raise CutOff(f"more than {LONGEST_EVENT} bytes without an end")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


async def bound(response: httpx2.Response) -> None:
    """Limit a response and do not decompress it; for httpx2's event hooks."""
    response.headers.pop("Content-Encoding", None)  # a small body becomes a huge one
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = BoundedStream(response.stream)


def read_body(pieces: Iterable[bytes], until: float) -> bytes:
    """Read to the end, until `time.monotonic()`. Raises TimedOut, Garbled."""
    body, values = bytearray(), 0
    for piece in pieces:
        body += piece
        values += count_values(piece)
        if time.monotonic() > until:
            raise TimedOut
        if len(body) > LONGEST_BODY or values > MOST_VALUES:
            raise Garbled("an answer that is too large")
    return bytes(body)
