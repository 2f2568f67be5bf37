"""Replies first: background calls give way to them at a server that writes few answers.

The replies and background calls of all processes are entries of sorted sets in Redis, with
the time until which they count (decision 49). Without Redis no call waits.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import uuid4

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from meddie.ai.client import Endpoint
from meddie.ai.errors import GaveWay
from meddie.ai.slots import is_own, slots_of
from meddie.loops import PerLoop

T = TypeVar("T")

# Seconds
VALID = 10.0  # of an entry without a renewal: its process was killed
RENEW_EVERY = 2.0
LOOK_EVERY = 0.2
LONGEST_WAIT = 20.0  # in a worker; then the job waits
CONNECTION: dict[str, Any] = {
    "decode_responses": True,
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
}


def _connect() -> redis.asyncio.Redis:
    client: redis.asyncio.Redis = redis.asyncio.Redis.from_url(
        settings.REDIS_URL, **CONNECTION
    )
    return client


_clients = PerLoop(_connect, redis.asyncio.Redis.aclose)


@asynccontextmanager
async def replying(endpoint: Endpoint) -> AsyncGenerator[None]:
    """A reply is written; background calls to the same server give way."""
    if is_own(endpoint.base_url):
        async with _entered(_replies(endpoint), uuid4().hex):
            yield
    else:
        yield


async def in_background(
    endpoint: Endpoint, name: str, call: Callable[[], Awaitable[T]]
) -> T:
    """The result of a call that no user waits for. Raises GaveWay."""
    slots = await slots_of(endpoint)
    member = f"{time.time():.3f} {uuid4().hex} {name}"
    async with _entered(_calls(endpoint), member):
        if slots is None:
            return await call()
        await _wait(endpoint, member, most=max(slots - 1, 1))
        running = asyncio.ensure_future(call())
        try:
            while not running.done():
                await asyncio.wait([running], timeout=LOOK_EVERY)
                # The server has no other slot, and stops when the connection is closed.
                if slots == 1 and not running.done() and await _is_replying(endpoint):
                    raise GaveWay
            return await running
        finally:
            running.cancel()


def background_calls() -> list[tuple[str, datetime]]:
    """The name and begin of those of all processes, the oldest first."""
    found: set[str] = set()
    with (
        suppress(RedisError),
        redis.Redis.from_url(settings.REDIS_URL, **CONNECTION) as client,
    ):
        for endpoint in Endpoint.all():
            found.update(client.zrangebyscore(_calls(endpoint), *_now_valid()))
    parts = [member.split(maxsplit=2) for member in sorted(found)]
    return [(name, datetime.fromtimestamp(float(at), UTC)) for at, _, name in parts]


async def _wait(endpoint: Endpoint, member: str, most: int) -> None:
    """Until no reply is written and fewer than `most` calls were made before."""
    until = time.monotonic() + LONGEST_WAIT
    while True:
        before = [
            waiting for waiting in await _valid(_calls(endpoint)) if waiting < member
        ]
        if len(before) < most and not await _is_replying(endpoint):
            return
        if time.monotonic() > until:
            raise GaveWay
        await asyncio.sleep(LOOK_EVERY)


async def _is_replying(endpoint: Endpoint) -> bool:
    return bool(await _valid(_replies(endpoint)))


async def _valid(key: str) -> Iterable[str]:
    with suppress(RedisError):
        client = await _clients.get()
        members: list[str] = await client.zrangebyscore(key, *_now_valid())
        return members
    return ()


def _now_valid() -> tuple[float, float]:
    now = time.time()  # later ones are of a clock that was put back
    return now, now + 2 * VALID


@asynccontextmanager
async def _entered(key: str, member: str) -> AsyncGenerator[None]:
    await _enter(key, member)
    ended = asyncio.Event()
    renewing = asyncio.create_task(_renew(key, member, ended))
    try:
        yield
    finally:
        ended.set()
        await renewing  # a renewal on its way would come after the removal
        with suppress(RedisError):
            await (await _clients.get()).zrem(key, member)


async def _renew(key: str, member: str, ended: asyncio.Event) -> None:
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), RENEW_EVERY)
            return
        await _enter(key, member)


async def _enter(key: str, member: str) -> None:
    with suppress(RedisError):
        client = await _clients.get()
        await client.zremrangebyscore(key, "-inf", time.time())
        await client.zadd(key, {member: time.time() + VALID})


def _replies(endpoint: Endpoint) -> str:
    return f"meddie:replies:{endpoint.base_url}"


def _calls(endpoint: Endpoint) -> str:
    return f"meddie:calls:{endpoint.base_url}"
