"""Liveness and readiness for monitoring."""

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
import redis
import redis.asyncio
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse

from meddie.celery import PREFIX, app
from meddie.embedded.locations import locations

CHECK_SECONDS = 2.0  # seconds for each of them
LEAST_FREE = 200 * 1024**2  # bytes
DATA_FOLDER = locations().data
KEPT_SECONDS = 1.0  # seconds; each check costs a connection and a scan, and is public

_looks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Future[dict[str, str]]] = (
    WeakKeyDictionary()
)


async def send_alive(send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    """The answer to /healthz, without Django's threads."""
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"3")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok\n"})


async def ready(request: HttpRequest) -> JsonResponse:
    """503 unless all can work: database, broker, a worker for each queue, and the disk."""
    found = await readiness()
    healthy = all(answer == "ok" for answer in found.values())
    return JsonResponse(found, status=200 if healthy else 503)


async def readiness() -> dict[str, str]:
    """One check for all requests of the same second."""
    loop = asyncio.get_running_loop()
    if loop not in _looks:
        look = asyncio.ensure_future(_look())
        look.add_done_callback(
            lambda _: loop.call_later(KEPT_SECONDS, _looks.pop, loop, None)
        )
        _looks[loop] = look
    return await asyncio.shield(_looks[loop])


async def _look() -> dict[str, str]:
    checks = {"database": _database(), "broker": _broker(), "worker": _worker()}
    answers = await asyncio.gather(*map(_try, checks.values()))
    found = dict(zip(checks, answers, strict=True))
    free = min(
        shutil.disk_usage(place).free for place in (DATA_FOLDER, tempfile.gettempdir())
    )
    return found | {"disk": "ok" if free >= LEAST_FREE else "almost full"}


async def _try(check: Awaitable[str]) -> str:
    try:
        return await asyncio.wait_for(check, CHECK_SECONDS)
    except TimeoutError:
        return "no answer in time"
    except (OSError, psycopg.Error, redis.RedisError):
        return "does not answer"


async def _database() -> str:
    # Not from the pool: an exhausted pool is not a broken database.
    values = connection.get_connection_params()
    for django_own in ("cursor_factory", "context", "prepare_threshold"):
        values.pop(django_own, None)
    async with await psycopg.AsyncConnection.connect(**values) as opened:
        await opened.execute("SELECT 1")
    return "ok"


async def _broker() -> str:
    async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as client:
        try:
            await client.set("meddie:ready", 1, ex=60)
        except redis.ResponseError:  # its memory is full, or it is a replica
            return "refuses to write"
    return "ok"


async def _worker() -> str:
    async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as client:
        keys = [key async for key in client.scan_iter(f"{PREFIX}*", count=1000)]
        found = await client.mget(keys) if keys else []
    worked_on = set(b",".join(filter(None, found)).decode().split(","))
    left = [queue.name for queue in app.conf.task_queues if queue.name not in worked_on]
    if len(left) == len(app.conf.task_queues):
        return "no worker"
    return f"no worker for {', '.join(left)}" if left else "ok"
