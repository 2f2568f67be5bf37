"""The replies that this process writes, and their heartbeat.

It saves their texts, renews their leases and checks for requested stops.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.db import Error, transaction
from django.db.models.functions import Now
from django.utils import timezone

from conversations import event_log
from conversations.models import Message, Thread
from conversations.models.conversation import THREAD_LEASE
from conversations.reply.block.reader import BlockReader
from conversations.reply.known import Prompted
from conversations.reply.turn import Turn
from meddie.ai.events import Usage
from meddie.threads import run_db

logger = logging.getLogger(__name__)

CHECK_STOPS_EVERY = 0.25  # seconds
SAVE_EVERY = 1.0  # seconds


@dataclass(slots=True)
class Draft:
    """A reply that is written."""

    text: str = ""
    reader: BlockReader = field(default_factory=BlockReader)
    prompted: Prompted = field(default_factory=Prompted)
    usage: Usage | None = None


replies: dict[UUID, "ActiveReply"] = {}


@dataclass(slots=True)
class ActiveReply:
    """When `producer` is cancelled, the reply ends with the status `stop_as`."""

    turn: Turn
    draft: Draft = field(default_factory=Draft)
    unsent: list[str] = field(default_factory=list)
    prompted: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    stop_as: str = Message.Status.STOPPED
    abandoned: bool = False  # another worker writes the reply now
    producer: "asyncio.Task[None] | None" = None
    task: "asyncio.Task[None] | None" = None

    def stop(self) -> None:
        if self.producer is not None:
            self.producer.cancel()

    def abandon(self) -> None:
        """Leave the reply to the worker that has taken it over."""
        self.abandoned = True
        self.stop()

    def interrupt(self) -> None:
        """End the reply because the process ends."""
        self.stop_as = Message.Status.INTERRUPTED
        self.stop()


class PeriodicTask:
    """Run `work` every `seconds()` while `wanted()`, once per loop; log exceptions."""

    def __init__(
        self,
        work: Callable[[], Awaitable[None]],
        *,
        wanted: Callable[[], object],
        seconds: Callable[[], float],
    ) -> None:
        self._work = work
        self._wanted = wanted
        self._seconds = seconds
        self._tasks: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        task = self._tasks.get(loop)
        if task is None or task.done() or task.cancelling():
            self._tasks[loop] = loop.create_task(self._run())
            self._tasks[loop].add_done_callback(partial(self._forget, loop))

    async def stop_unwanted(self) -> None:
        """Cancel in the running loop, and wait for the end."""
        task = self._tasks.get(asyncio.get_running_loop())
        while task is not None and not task.done() and not self._wanted():
            task.cancel()  # again and again: the Redis client may swallow one
            await asyncio.wait([task], timeout=0.1)

    def _forget(
        self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]
    ) -> None:
        if self._tasks.get(loop) is task:
            del self._tasks[loop]

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._seconds())
            if not self._wanted():
                return
            try:
                await self._work()
            except Exception:  # the outermost edge
                logger.exception("%s failed", self._work.__qualname__)


async def check_stops() -> None:
    for reply_id in await event_log.asked_to_stop(list(replies)):
        if reply_id in replies:
            replies[reply_id].stop()


async def save_all() -> None:
    """Drop replies that another worker has taken over."""
    running = list(replies.values())
    try:
        ours = await run_db(save, running)
    except Error:
        logger.warning("No heartbeat of %d replies", len(running))
        return
    for active in running:
        if active.turn.reply_id not in ours:
            active.abandon()


@transaction.atomic
def save(running: Sequence[ActiveReply]) -> set[UUID]:
    """Save texts and renew leases; return the replies that are still ours."""
    by_id = {active.turn.reply_id: active for active in running}
    streaming = Message.objects.filter(pk__in=by_id, status=Message.Status.STREAMING)
    holders = streaming.values_list("pk", "thread_id", "thread__lease_holder")
    ours = {
        pk: thread_id
        for pk, thread_id, holder in holders
        if holder == by_id[pk].turn.lease
    }
    leases = {by_id[pk].turn.lease for pk in ours}
    threads = Thread.objects.filter(pk__in=ours.values(), lease_holder__in=leases)
    # Waiting for one row while holding others could deadlock.
    held = list(
        threads.select_for_update(skip_locked=True).values_list("pk", flat=True)
    )
    threads.filter(pk__in=held).update(leased_until=Now() + THREAD_LEASE)
    rows = streaming.filter(thread_id__in=held).select_for_update(skip_locked=True)
    saved = [
        Message(pk=pk, content=by_id[pk].draft.text, heartbeat_at=timezone.now())
        for pk in rows.values_list("pk", flat=True)
    ]
    Message.objects.bulk_update(saved, ["content", "heartbeat_at"])
    return set(ours)


_stops = PeriodicTask(
    check_stops, wanted=lambda: replies, seconds=lambda: CHECK_STOPS_EVERY
)


_saves = PeriodicTask(save_all, wanted=lambda: replies, seconds=lambda: SAVE_EVERY)


def ensure_running() -> None:
    _stops.start()
    _saves.start()


async def stop_if_idle() -> None:
    await _stops.stop_unwanted()
    await _saves.stop_unwanted()
