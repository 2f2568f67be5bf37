"""Received updates: stored once, then worked on in order under the lease of their thread.

A worker that finds the lease taken leaves: the holder checks again at its end.
"""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.db import Error, transaction
from django.utils import timezone

from conversations.models import Thread
from conversations.models.inbox import InboxUpdate
from meddie.jobs.job import Job, LeaseLost
from meddie.jobs.registry import BATCH, ENDED_JOBS_STAY, QUEUES, Queue
from meddie.outages import RETRY_PAUSE, is_outage
from meddie.threads import run_coroutine, run_db
from memory import service
from memory.models import MemoryEvent
from memory.wording.words import grounded
from people.scope import Scope, retraction_scope

State = Job.State
U = TypeVar("U", bound=InboxUpdate)

MOST_WAITING = 400  # updates of one thread (S3-16); beyond, the oldest become dead

logger = logging.getLogger(__name__)

RENEW_EVERY = 5.0  # seconds; a lease lasts for 20
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
        return waiting_threads(self.model)

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
            await asyncio.sleep(RETRY_PAUSE)
        else:
            return


async def _work_while_due(
    thread_id: UUID, lease: UUID, inbox: Inbox, until: float
) -> None:
    while not _shutting_down.is_set() and await run_db(is_due, inbox.model, thread_id):
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
                await run_db(release, inbox.model, thread_id, lease)


async def _under_lease(
    thread_id: UUID, lease: UUID, inbox: Inbox, until: float
) -> None:
    work = asyncio.create_task(_work(thread_id, lease, inbox, until))
    renewed = time.monotonic()
    shut_down_at: float | None = None
    try:
        while not work.done():
            await asyncio.wait([work], timeout=1.0)
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
        update = await run_db(claim_next, inbox.model, thread_id, lease)
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
        await run_db(_record_death, update)
        await inbox.apologise(update)


def _record_death(update: InboxUpdate) -> None:
    if author := update.find_author():
        scope = retraction_scope(author, update.thread.space_id)
        kind = MemoryEvent.Kind.BOT_ERROR
        service.record_failure(scope, kind, update.error, update=str(update.pk))


@transaction.atomic
def add(*updates: InboxUpdate) -> None:
    """Store updates of one thread unless they are known; bound those of the thread."""
    rows = _rows(type(updates[0]))
    rows.bulk_create(updates, ignore_conflicts=True)
    waiting = rows.filter(thread=updates[0].thread_id).unfinished()
    too_many = waiting.count() - MOST_WAITING
    if too_many > 0:
        oldest = waiting.untouched().in_order()[:too_many]
        rows.filter(pk__in=oldest.values("pk")).update(
            state=State.DEAD, error="overflow", updated_at=timezone.now()
        )


def waiting_threads(inbox: type[InboxUpdate]) -> list[UUID]:
    due = Thread.objects.unused().filter(pk__in=_rows(inbox).due().values("thread"))
    return list(due.values_list("pk", flat=True)[:BATCH])


def is_due(inbox: type[InboxUpdate], thread_id: UUID) -> bool:
    update = _first(inbox, thread_id)
    return update is not None and update.is_due()


def claim_next(inbox: type[U], thread_id: UUID, lease: UUID) -> U | None:
    """Claim the thread's first unfinished update if it is due. Raises LeaseLost."""
    while True:
        with transaction.atomic():
            thread = Thread.objects.select_for_update().filter(pk=thread_id)
            if not thread.leased_to(lease).exists():
                raise LeaseLost
            update = _first(inbox, thread_id)
            if update is None or not update.is_due():
                return None
            if update.begin(timedelta(), lease):
                return update


def _first(inbox: type[U], thread_id: UUID) -> U | None:
    updates = _rows(inbox).for_work().filter(thread=thread_id)
    first: U | None = updates.unfinished().in_order().first()
    return first


@transaction.atomic
def release(inbox: type[InboxUpdate], thread_id: UUID, lease: UUID) -> None:
    """Release the lease, and the updates begun under it."""
    thread = Thread.objects.select_for_update().filter(pk=thread_id).leased_to(lease)
    if thread.exists():
        begun = _rows(inbox).filter(thread=thread_id, lease_holder=lease)
        begun.filter(state=State.RUNNING).update(
            state=State.WAITING, lease_holder=None, leased_until=None
        )
        Thread.objects.filter(pk=thread_id).give_back()


def delete_empty_threads() -> None:
    """Delete the old threads that never had a conversation and whose updates are gone."""
    empty = Thread.objects.filter(
        created_at__lt=timezone.now() - ENDED_JOBS_STAY, conversations=None
    )
    for queue in QUEUES.values():
        if issubclass(queue.model, InboxUpdate):
            empty = empty.exclude(pk__in=queue.jobs.values("thread"))
    empty.delete()


def _rows(inbox: type[InboxUpdate]) -> Any:
    return inbox._default_manager  # noqa: SLF001 -- Django documents it


def end_received(
    scope: Scope, lines: Collection[str] | None, until: datetime | None
) -> None:
    """End those that speak of a line, or all."""
    for queue in QUEUES.values():
        if not isinstance(queue, Inbox):
            continue
        told = [
            row.pk
            for row in queue.jobs.unread_of(scope).select_for_update(of=("self",))
            if (until is None or row.stated_at <= until)
            and (lines is None or any(grounded(line, row.text) for line in lines))
        ]
        queue.jobs.filter(pk__in=told).forget()
