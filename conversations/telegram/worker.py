"""Working off one chat: under its thread's lease, in order, until nothing waits.

Different chats run side by side; the same chat never does. A worker that finds the lease
taken goes away: whoever holds it looks once more after giving it back.
"""

import asyncio
import logging
import threading
import time
from contextlib import suppress
from uuid import UUID, uuid4

from django.db import DatabaseError

from conversations.models import TelegramUpdate, Thread
from conversations.refusals import Busy
from conversations.telegram import inbox
from conversations.telegram.bot_api.errors import TelegramFailed, WrongToken
from conversations.telegram.inbox import LeaseLost
from conversations.telegram.process import apologise, handle
from meddie import dispatch
from meddie.threads import run_db
from people.models import TelegramBot

logger = logging.getLogger(__name__)

RENEW_EVERY = 5.0
"""Seconds; a lease lasts for 20."""
LOOK_EVERY = 1.0
"""Seconds between two looks whether this process is to end."""
GRACE = 5.0
"""Seconds that what has been begun has left then; `make run` and Docker kill after 10."""
SHIFT = 60.0
"""Seconds after which a worker leaves the rest of a chat to the next bell, so that one
talkative chat does not keep others waiting."""
PATIENCE = 900.0
"""Seconds for one update. A small model may write for minutes; everything else has a
time-out of its own, so this is for what nobody thought of."""
LONGEST = SHIFT + PATIENCE + 30
"""Seconds for one drain, all in all."""

_ending = threading.Event()


def end() -> None:
    """This process is to end: take up nothing new, and leave what takes too long to the
    next one, with the lease given back."""
    _ending.set()


async def drain(thread_id: UUID) -> None:
    """Handle the chat's updates until none is due. Raises nothing of theirs."""
    until = time.monotonic() + SHIFT
    while not _ending.is_set() and await run_db(inbox.is_due, thread_id):
        if time.monotonic() > until:
            dispatch.enqueue("conversations.drain_chat", str(thread_id))
            return
        lease = uuid4()
        if not await run_db(_take, thread_id, lease):
            return
        try:
            await _under_lease(thread_id, lease, until)
        finally:
            await run_db(_give_back, thread_id, lease)


def _take(thread_id: UUID, lease: UUID) -> bool:
    return Thread.objects.filter(pk=thread_id).lease_to(lease)


def _renew(thread_id: UUID, lease: UUID) -> bool:
    return Thread.objects.filter(pk=thread_id).leased_to(lease).lease_to(lease)


def _give_back(thread_id: UUID, lease: UUID) -> None:
    Thread.objects.filter(pk=thread_id).leased_to(lease).give_back()


async def _under_lease(thread_id: UUID, lease: UUID, until: float) -> None:
    """Work while the lease is renewed; stop at once when it is lost."""
    work = asyncio.create_task(_work(thread_id, lease, until))
    renewed = time.monotonic()
    asked_at: float | None = None
    try:
        while not work.done():
            await asyncio.wait([work], timeout=LOOK_EVERY)
            now = time.monotonic()
            if _ending.is_set():
                asked_at = asked_at or now
                if now - asked_at > GRACE:
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
        return await run_db(_renew, thread_id, lease)
    except DatabaseError:
        logger.warning("The lease of thread %s could not be renewed", thread_id)
        return True  # it lasts for some more seconds; each step asks for it anyway


async def _work(thread_id: UUID, lease: UUID, until: float) -> None:
    while time.monotonic() < until and not _ending.is_set():
        update = await run_db(inbox.next_due, thread_id, lease)
        if update is None:
            return
        await _attempt(update, lease)


async def _attempt(update: TelegramUpdate, lease: UUID) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            await handle(update, lease)
    except LeaseLost:
        raise
    except TelegramFailed as failure:
        if isinstance(failure, WrongToken):
            await run_db(_note_problem, update.bot_id, failure.code)
        await run_db(inbox.failed, update, lease, failure.code, failure.retry_after)
    except Busy:
        await run_db(inbox.failed, update, lease, "busy", 1.0)
    except TimeoutError:
        await run_db(inbox.failed, update, lease, "timed_out")
    except Exception:
        # The outermost edge of an update: it stays in the inbox, whatever went wrong.
        logger.exception("Telegram update %s", update.pk)
        await run_db(inbox.failed, update, lease, "unknown")
    if update.state == TelegramUpdate.State.DEAD:
        await apologise(update)


def _note_problem(bot_id: UUID, code: str) -> None:
    TelegramBot.objects.filter(pk=bot_id).update(error=code)
