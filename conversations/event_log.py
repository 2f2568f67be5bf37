"""The events of an active reply, in a Redis stream that any process can read.

Readers resume after an event id. Without Redis they read the message's row.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from conversations.models import Message
from meddie.loops import PerLoop
from meddie.threads import run_db

logger = logging.getLogger(__name__)

LIFETIME = 900  # seconds after the last event
QUIET_AFTER = 5.0  # seconds without an event


@dataclass(frozen=True, slots=True)
class Appended:
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The final Message.Status, with a code if the reply failed."""

    status: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Quiet:
    """No event for a while; the reader should check the row."""


Event = Appended | Ended | Quiet


def _connect() -> redis.asyncio.Redis:
    client: redis.asyncio.Redis = redis.asyncio.Redis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_timeout=QUIET_AFTER + 2,
        socket_connect_timeout=2,
    )
    return client


_clients = PerLoop(_connect, redis.asyncio.Redis.aclose)


async def append(reply_id: UUID, event: Appended | Ended) -> None:
    """A Redis failure is only logged."""
    entry = (
        {"text": event.text}
        if isinstance(event, Appended)
        else {"ended": json.dumps([event.status, event.error])}
    )
    try:
        client = await _clients.get()
        async with client.pipeline(transaction=False) as pipe:
            pipe.xadd(_log_key(reply_id), entry)  # type: ignore[arg-type]
            pipe.expire(_log_key(reply_id), LIFETIME)
            await pipe.execute()
    except RedisError:
        logger.warning("The log of reply %s could not be written", reply_id)


async def clear(*reply_ids: UUID) -> None:
    """Delete their events and requested stops."""
    keys = [key(pk) for pk in reply_ids for key in (_log_key, _stop_key)]
    if not keys:
        return
    try:
        client = await _clients.get()
        await client.delete(*keys)
    except RedisError:
        logger.warning("The logs of %d replies could not be cleared", len(reply_ids))


async def logged_replies() -> set[UUID] | None:
    """All replies with events or a requested stop; None without Redis."""
    try:
        client = await _clients.get()
        keys = [
            key
            for pattern in (_log_key("*"), _stop_key("*"))
            async for key in client.scan_iter(pattern, count=1000)
        ]
    except RedisError:
        return None
    found = set()
    for key in keys:
        with suppress(ValueError):  # of another program in the same Redis
            found.add(UUID(key.partition(":")[2]))
    return found


async def clear_deleted() -> None:
    """Delete the events of deleted replies."""
    logged = await logged_replies() or set()
    stored = Message.objects.filter(pk__in=logged).values_list("pk", flat=True)
    await clear(*logged - set(await run_db(list, stored)))


async def read_events(
    reply_id: UUID, after: str = "0"
) -> AsyncIterator[list[tuple[str, Event]]]:
    """Yield lists of (id, event) after the id `after`, until the reply ends.

    Yields a Quiet every few seconds without an event.
    """
    while True:
        entries = await _entries(reply_id, after)
        events: list[tuple[str, Event]] = [
            (entry_id, Appended(fields["text"]))
            if "text" in fields
            else (entry_id, Ended(*json.loads(fields["ended"])))
            for entry_id, fields in entries
        ]
        yield events or [(after, Quiet())]
        if events:
            after = events[-1][0]
            if isinstance(events[-1][1], Ended):
                return


async def _entries(reply_id: UUID, after: str) -> list[tuple[str, dict[str, str]]]:
    try:
        client = await _clients.get()
        answer = await client.xread(
            {_log_key(reply_id): after}, block=int(QUIET_AFTER * 1000), count=200
        )
    except RedisError:
        await asyncio.sleep(1)
        return []
    return answer[0][1] if answer else []


async def ask_to_stop(reply_id: UUID) -> None:
    """Ask the process that writes the reply. Raises RedisError."""
    client = await _clients.get()
    await client.set(_stop_key(reply_id), "1", ex=LIFETIME)


async def asked_to_stop(reply_ids: Sequence[UUID]) -> list[UUID]:
    """The replies with a requested stop; none without Redis."""
    if not reply_ids:
        return []
    try:
        client = await _clients.get()
        asked = await client.mget(map(_stop_key, reply_ids))
    except RedisError:
        return []
    return [reply_id for reply_id, flag in zip(reply_ids, asked, strict=True) if flag]


def _log_key(reply_id: UUID | str) -> str:
    return f"reply:{reply_id}"


def _stop_key(reply_id: UUID | str) -> str:
    return f"stop:{reply_id}"
