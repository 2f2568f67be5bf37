"""Wait for a condition, never for a time."""

import asyncio
import time
from collections.abc import Callable
from inspect import isawaitable

from django.db import connection

PATIENCE = 300.0
"""Seconds that something may take on a busy machine. No test waits that long unless it
fails."""


def wait_until(
    condition: Callable[[], object], failure: Callable[[], object] = lambda: ""
) -> None:
    """Wait until the condition is true. Raises AssertionError after `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, failure() or "waited in vain"
        time.sleep(0.01)


async def eventually(condition: Callable[[], object]) -> None:
    """The same in an event loop; the condition may be a coroutine function."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = condition()
        if await found if isawaitable(found) else found:
            return
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.01)


def lock_is_awaited() -> bool:
    """Whether another connection to the test's database waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
