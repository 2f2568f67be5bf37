"""The events of a running reply, in a short-lived Redis stream that any process reads.

A page resumes behind the id of the last event that it saw, without gap or duplicate.
The log is a convenience: when Redis is away or the log has expired, the row in the
database has the text up to the last second and the end.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

LIFETIME = 900
"""Seconds that a log outlives its last event."""
QUIET_AFTER = 5.0
"""Seconds without an event after which a reader is told that it is quiet."""


@dataclass(frozen=True, slots=True)
class Delta:
    """More visible text."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The reply has its final status (Message.Status) and, if it failed, a code."""

    status: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing for a while: a reader should look at the row, it may have ended."""


Event = Delta | Ended | Quiet

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, redis.asyncio.Redis] = (
    WeakKeyDictionary()
)


def _client() -> redis.asyncio.Redis:
    """The client of the running loop: one across loops fails at random."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = redis.asyncio.Redis.from_url(
            settings.REDIS_URL,
            decode_responses=True,
            socket_timeout=QUIET_AFTER + 2,
            socket_connect_timeout=2,
        )
    return _clients[loop]


async def close() -> None:
    """Close the running loop's client."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()


async def append(reply_id: UUID, event: Delta | Ended) -> None:
    """Add an event. A Redis that is away is logged and nothing else: the row counts."""
    entry = (
        {"text": event.text}
        if isinstance(event, Delta)
        else {"ended": json.dumps([event.status, event.error])}
    )
    try:
        async with _client().pipeline(transaction=False) as pipe:
            pipe.xadd(_log_key(reply_id), entry)  # type: ignore[arg-type]
            pipe.expire(_log_key(reply_id), LIFETIME)
            await pipe.execute()
    except RedisError:
        logger.warning("The log of reply %s could not be written", reply_id)


async def clear(reply_id: UUID) -> None:
    """Before a reply is written from its start again."""
    try:
        await _client().delete(_log_key(reply_id))
    except RedisError:
        logger.warning("The log of reply %s could not be cleared", reply_id)


async def read(reply_id: UUID, after: str = "0") -> AsyncIterator[tuple[str, Event]]:
    """Events behind the id `after`, as they come, until the reply has ended.

    Yields (id, event). While nothing comes, or no log exists, a Quiet is yielded every
    few seconds under the last id; the reader then decides by the row.
    """
    while True:
        entries = await _entries(reply_id, after)
        if not entries:
            yield after, Quiet()
        for entry_id, fields in entries:
            after = entry_id
            event = _event(fields)
            yield after, event
            if isinstance(event, Ended):
                return


async def _entries(reply_id: UUID, after: str) -> list[tuple[str, dict[str, str]]]:
    try:
        answer = await _client().xread(
            {_log_key(reply_id): after}, block=int(QUIET_AFTER * 1000), count=200
        )
    except RedisError:
        await asyncio.sleep(1)
        return []
    return answer[0][1] if answer else []


def _event(fields: dict[str, str]) -> Delta | Ended:
    if "text" in fields:
        return Delta(fields["text"])
    return Ended(*json.loads(fields["ended"]))


async def ask_to_stop(reply_id: UUID) -> None:
    """Leave word for whichever process runs the reply. Raises RedisError."""
    await _client().set(_stop_key(reply_id), "1", ex=LIFETIME)


async def asked_to_stop(reply_ids: Sequence[UUID]) -> list[UUID]:
    """Those of the replies that somebody asked to stop; none while Redis is away."""
    if not reply_ids:
        return []
    try:
        asked = await _client().mget(map(_stop_key, reply_ids))
    except RedisError:
        return []
    return [reply_id for reply_id, word in zip(reply_ids, asked, strict=True) if word]


def _log_key(reply_id: UUID) -> str:
    return f"reply:{reply_id}"


def _stop_key(reply_id: UUID) -> str:
    return f"stop:{reply_id}"
