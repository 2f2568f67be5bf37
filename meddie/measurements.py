"""Counters and durations of all processes, added up in Redis by a thread.

They are lost with the broker's data, as a counter may be. An outage loses some, and
delays nothing.
"""

import logging
import queue
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import perf_counter, sleep
from typing import Any

import redis
from django.conf import settings

logger = logging.getLogger(__name__)

KEY = "meddie:measurements"
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
MOST_WAITING = 10_000  # further ones are dropped
SECONDS = 1.0  # for the broker
PAUSE = 0.5  # seconds; written at once, measurements would slow what they measure

_waiting: "queue.Queue[dict[str, float]]" = queue.Queue(MOST_WAITING)


def increase(name: str, labels: tuple[str, ...] = (), amount: float = 1) -> None:
    """Increase a counter."""
    _put(
        {"|".join((name, *(label.replace("|", " ")[:128] for label in labels))): amount}
    )


def observe(name: str, seconds: float) -> None:
    """Add a duration to a histogram."""
    bucket = next((str(limit) for limit in BUCKETS if seconds <= limit), "+Inf")
    _put({f"{name}|{bucket}": 1, f"{name}|sum": seconds})


@contextmanager
def timed(name: str) -> Iterator[None]:
    start = perf_counter()
    try:
        yield
    finally:
        observe(name, perf_counter() - start)


def read_measurements() -> dict[tuple[str, ...], float]:
    """All sums by name and labels. Raises RedisError."""
    found: Any = _client(settings.REDIS_URL).hgetall(KEY)
    return {
        tuple(key.decode().split("|")): float(value) for key, value in found.items()
    }


def _put(amounts: dict[str, float]) -> None:
    _adder()
    try:
        _waiting.put_nowait(amounts)
    except queue.Full:
        return


@cache
def _adder() -> threading.Thread:
    thread = threading.Thread(target=_add_up, name="measurements", daemon=True)
    thread.start()
    return thread


def _add_up() -> None:
    while True:
        amounts = [_waiting.get()]
        sleep(PAUSE)
        while not _waiting.empty():
            amounts.append(_waiting.get())
        total: Counter[str] = Counter()
        for each in amounts:
            total.update(each)
        try:
            _store(total)
        except (redis.RedisError, OSError):
            logger.warning("%d measurements were lost", len(amounts))
        finally:
            for _ in amounts:
                _waiting.task_done()


def _store(total: "Counter[str]") -> None:
    with _client(settings.REDIS_URL).pipeline(transaction=False) as pipe:
        for name, amount in total.items():
            pipe.hincrbyfloat(KEY, name, amount)
        pipe.execute()


@cache
def _client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(
        url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS
    )
