"""Blocking work beside the event loop, in bounded executors.

A coroutine would keep its database connection until it ends.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connections

from meddie import outages

P = ParamSpec("P")
R = TypeVar("R")

_database = ThreadPoolExecutor(max_workers=8, thread_name_prefix="database")
_work = ThreadPoolExecutor(max_workers=32, thread_name_prefix="work")
_ends = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ends")


def _give_back(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return func(*args, **kwargs)
    except Exception as error:
        if outages.is_outage(error):
            outages.replace_connections()
        raise
    finally:
        connections.close_all()


# asgiref moves the language and its like into the thread; a bare executor would not, not
# even with a copied context. It looks at what it wraps, so that is done once.
# asgiref keeps the language of a page (decision 1).
_in_database = sync_to_async(_give_back, thread_sensitive=False, executor=_database)
_at_work = sync_to_async(_give_back, thread_sensitive=False, executor=_work)
_at_end = sync_to_async(_give_back, thread_sensitive=False, executor=_ends)


async def run_db(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a short database function without network calls."""
    return await _in_database(func, *args, **kwargs)


async def run_repeatable(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Like `run_db`, repeated while the database is away and after a deadlock.

    Only for functions that may run twice: an interrupted commit can have succeeded.
    """
    return await _repeated(_in_database, func, *args, **kwargs)


async def run_repeatable_work(
    func: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Like `run_work`, repeated in the same way."""
    return await _repeated(_at_work, func, *args, **kwargs)


async def run_one_by_one(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Like `run_repeatable`, in the one thread for ends of calls (decision 48)."""
    return await _repeated(_at_end, func, *args, **kwargs)


async def _repeated(
    run: Callable[..., Awaitable[Any]],
    func: Callable[P, R],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    deadline = time.monotonic() + outages.LIMIT
    while True:
        try:
            result: R = await run(func, *args, **kwargs)
        except Exception as error:
            repeatable = outages.is_outage(error) or outages.is_deadlock(error)
            if not repeatable or time.monotonic() > deadline:
                raise
        else:
            return result
        await asyncio.sleep(outages.RETRY_PAUSE)


async def run_work(func: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a function that waits for the network or computes."""
    return await _at_work(func, *args, **kwargs)


@cache
def _permanent_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="loop", daemon=True).start()
    return loop


def run_coroutine(coroutine: Coroutine[Any, Any, R], timeout: float | None = None) -> R:
    """Run in the process's permanent loop, to which SDK clients belong.

    `timeout` in seconds; calls of a provider have their own. Raises TimeoutError.
    """
    future = asyncio.run_coroutine_threadsafe(coroutine, _permanent_loop())
    try:
        return future.result(timeout)
    finally:
        future.cancel()
