"""Work on one thread under its lease, in order, until nothing is due.

A worker that finds the lease taken leaves: the holder checks again at its end.
"""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import Error

from conversations.inbox import store
from conversations.models import Thread
from conversations.models.inbox import InboxUpdate
from meddie.jobs.job import LeaseLost
from meddie.jobs.registry import Queue
from meddie.outages import PAUSE, is_outage
from meddie.threads import run_coroutine, run_db

logger = logging.getLogger(__name__)

RENEW_EVERY = 5.0  # seconds; a lease lasts for 20
CHECK_EVERY = 1.0  # seconds between two checks for a shutdown
GRACE = 5.0  # seconds that an update has left at a shutdown; Docker kills after 10
WORK_LIMIT = 60.0  # seconds until a worker leaves the rest of a busy chat to a new task
UPDATE_TIMEOUT = 900.0  # seconds; a small model may write for minutes
TASK_TIMEOUT = WORK_LIMIT + UPDATE_TIMEOUT + 30  # seconds

_shutting_down = threading.Event()


class Failed(Exception):
    """The update could not be handled; `code` is stored."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    def store(self, update: InboxUpdate) -> None:
        """Raises LeaseLost."""
        update.fail(self.code)


class Postponed(Failed):
    """Try again in `seconds`, without counting the attempt."""

    def __init__(self, code: str, seconds: float) -> None:
        super().__init__(code)
        self.seconds = seconds

    def store(self, update: InboxUpdate) -> None:
        update.postpone(self.code, timedelta(seconds=self.seconds))


class Undeliverable(Failed):
    """No further attempt can succeed."""

    def store(self, update: InboxUpdate) -> None:
        update.give_up(self.code)


async def tell_no_one(_update: InboxUpdate) -> None:
    return  # staff see the dead update


@dataclass(frozen=True)
class Inbox(Queue):
    """A queue whose rings name threads.

    `handle` raises Failed, its subclasses or LeaseLost; `apologise` tells the sender.
    `first` is done for a thread before a worker waits for its lease.
    """

    model: type[InboxUpdate]
    handle: Callable[[Any], Awaitable[None]] = field(kw_only=True)
    apologise: Callable[[Any], Awaitable[None]] = tell_no_one
    first: Callable[[UUID], Coroutine[Any, Any, None]] | None = None

    def key_of(self, job: InboxUpdate) -> UUID:
        return job.thread_id

    def due_keys(self) -> list[UUID]:
        return store.waiting_threads(self.model)

    def run(self, key: UUID) -> None:
        # Celery's time limits do not work in a pool of threads.
        if self.first is not None:
            run_coroutine(self.first(key), WORK_LIMIT)
        run_coroutine(work_on(key, self), TASK_TIMEOUT)


def shut_down() -> None:
    """Begin no more updates in this process."""
    _shutting_down.set()


async def work_on(thread_id: UUID, inbox: Inbox) -> None:
    """An interrupted update is claimed again and goes on from its stored stage.

    Raises the error of an outage that lasts; the sweep finds the chat.
    """
    until, lease = time.monotonic() + WORK_LIMIT, uuid4()
    while not _shutting_down.is_set():
        try:
            await _work_while_due(thread_id, lease, inbox, until)
        except Exception as error:
            if not is_outage(error) or time.monotonic() > until:
                raise
            logger.warning("Thread %s waits for the end of an outage", thread_id)
            await asyncio.sleep(PAUSE)
        else:
            return


async def _work_while_due(
    thread_id: UUID, lease: UUID, inbox: Inbox, until: float
) -> None:
    while not _shutting_down.is_set() and await run_db(
        store.is_due, inbox.model, thread_id
    ):
        if time.monotonic() > until:
            inbox.ring([thread_id])
            return
        if not await run_db(Thread.objects.filter(pk=thread_id).lease_to, lease):
            return
        try:
            await _under_lease(thread_id, lease, inbox, until)
        finally:
            # Else the lease stays, and the next claim counts a crash.
            if not is_outage(sys.exception()):
                await run_db(store.release, inbox.model, thread_id, lease)


async def _under_lease(
    thread_id: UUID, lease: UUID, inbox: Inbox, until: float
) -> None:
    work = asyncio.create_task(_work(thread_id, lease, inbox, until))
    renewed = time.monotonic()
    shut_down_at: float | None = None
    try:
        while not work.done():
            await asyncio.wait([work], timeout=CHECK_EVERY)
            now = time.monotonic()
            if _shutting_down.is_set():
                shut_down_at = shut_down_at or now
                if now - shut_down_at > GRACE:
                    break
            if now - renewed > RENEW_EVERY:
                renewed = now
                if not await _renewed(thread_id, lease):
                    break
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError, LeaseLost):
            await work


async def _renewed(thread_id: UUID, lease: UUID) -> bool:
    try:
        thread = Thread.objects.filter(pk=thread_id).leased_to(lease)
        return await run_db(thread.lease_to, lease)
    except Error:
        logger.warning("The lease of thread %s could not be renewed", thread_id)
        return True  # it lasts for some more seconds, and each step checks it


async def _work(thread_id: UUID, lease: UUID, inbox: Inbox, until: float) -> None:
    while time.monotonic() < until and not _shutting_down.is_set():
        update = await run_db(store.claim_next, inbox.model, thread_id, lease)
        if update is None:
            return
        await _attempt(update, inbox)


async def _attempt(update: InboxUpdate, inbox: Inbox) -> None:
    try:
        async with asyncio.timeout(UPDATE_TIMEOUT):
            await inbox.handle(update)
    except LeaseLost:
        raise
    except Failed as failure:
        await run_db(failure.store, update)
    except TimeoutError:
        await run_db(update.fail, "timed_out")
    except Exception as error:  # the outermost edge of an update
        if is_outage(error):
            raise
        logger.exception("Update %s", update.pk)
        await run_db(update.fail, "unknown")
    if update.state == InboxUpdate.State.DEAD:
        await inbox.apologise(update)
