"""Writes a reply to its end, whoever is watching: the only consumer of a generation.

A reply belongs to the server. On the web the runner is a task of the process that took
the POST. It appends each piece to the reply log, keeps the text so far in the row every
second (the row's heartbeat), looks whether somebody asked to stop, and finishes the
turn.
"""

import asyncio
import logging
import time
from dataclasses import dataclass, field
from uuid import UUID

from django.db import DatabaseError, OperationalError
from django.utils import timezone

from conversations.models import Message, Thread
from conversations.reply import log
from conversations.reply.finish import Notes, Outcome, finish, keep_text, prepare_notes
from conversations.reply.followups import Followups, ring
from conversations.reply.generation import Draft, generate
from conversations.reply.turn import Turn
from meddie.ai.errors import AIError
from meddie.threads import run_db, run_work

logger = logging.getLogger(__name__)

FLUSH_EVERY = 0.05
"""Seconds between two events of the log once text comes; the first goes at once."""
LOOK_EVERY = 0.25
"""Seconds between two looks at the stop key while no text comes."""
SAVE_EVERY = 1.0
SHUTDOWN_PATIENCE = 4.0

_running: dict[UUID, "Running"] = {}


@dataclass(slots=True)
class Running:
    """One reply that this process writes."""

    turn: Turn
    draft: Draft = field(default_factory=Draft)
    unsent: list[str] = field(default_factory=list)
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    stop_as: str = Message.Status.STOPPED
    lost: bool = False
    """Somebody else writes the reply by now; not another word from here."""
    task: "asyncio.Task[None] | None" = None


def start(turn: Turn) -> None:
    """Begin to write in a task of this event loop, which outlives the request."""
    running = Running(turn)
    _running[turn.reply_id] = running
    running.task = asyncio.create_task(_run(running))
    running.task.add_done_callback(lambda _: _running.pop(turn.reply_id, None))


async def write(turn: Turn) -> None:
    """Write to the end here and now, for channels that have no tab to close."""
    await _run(Running(turn))


async def stop(reply_id: UUID) -> None:
    """Ask whichever process writes the reply to stop. Raises RedisError."""
    await log.ask_to_stop(reply_id)


async def shutdown() -> None:
    """Store what there is of every reply as interrupted; within five seconds."""
    tasks = []
    for running in list(_running.values()):
        running.stop_as = Message.Status.INTERRUPTED
        running.fresh.set()
        if running.task is not None:
            tasks.append(running.task)
    if tasks:
        await asyncio.wait(tasks, timeout=SHUTDOWN_PATIENCE)
    await log.close()


async def _run(running: Running) -> None:
    producer = asyncio.create_task(_produce(running))
    try:
        await _keep_log_and_row(running, producer)
        outcome = await _outcome(running, producer)
        await _end(running, outcome)
    except Exception:
        # The outermost edge of a reply: what was said is stored, and the page says that
        # something went wrong. Should even that fail, the sweep finds the row.
        logger.exception("Reply %s could not be finished", running.turn.reply_id)
        if await run_db(keep_text, running.turn, running.draft):
            failed = log.Ended(Message.Status.FAILED, "unknown")
            await log.append(running.turn.reply_id, failed)
    finally:
        producer.cancel()


async def _produce(running: Running) -> None:
    async for text in generate(running.turn, running.draft):
        running.unsent.append(text)
        running.fresh.set()


async def _keep_log_and_row(running: Running, producer: "asyncio.Task[None]") -> None:
    """Until the producer has ended: events, heartbeats, and an eye on the stop key."""
    saved = looked = time.monotonic()
    producer.add_done_callback(lambda _: running.fresh.set())
    while not producer.done():
        await _wait(running.fresh, LOOK_EVERY)
        running.fresh.clear()
        await _flush(running)
        now = time.monotonic()
        if now - looked >= LOOK_EVERY:
            looked = now
            if await log.asked_to_stop(running.turn.reply_id):
                producer.cancel()
        if running.stop_as == Message.Status.INTERRUPTED:
            producer.cancel()
        if now - saved >= SAVE_EVERY:
            saved = now
            if not await _beat(running):
                running.lost = True
                producer.cancel()
        await asyncio.wait([producer], timeout=FLUSH_EVERY)
    await _flush(running)


async def _wait(event: asyncio.Event, timeout: float) -> None:  # noqa: ASYNC109 -- a plain wait, not a cancel scope
    try:
        await asyncio.wait_for(event.wait(), timeout)
    except TimeoutError:
        return


async def _flush(running: Running) -> None:
    if running.unsent and not running.lost:
        text = "".join(running.unsent)
        running.unsent.clear()
        await log.append(running.turn.reply_id, log.Delta(text))


async def _beat(running: Running) -> bool:
    """Keep the text so far; False when the reply is no longer ours to write."""
    try:
        return await run_db(_save, running.turn, running.draft.text)
    except DatabaseError:
        logger.warning("No heartbeat of reply %s", running.turn.reply_id)
        return True


def _save(turn: Turn, text: str) -> bool:
    ours = Thread.objects.filter(conversations=turn.conversation_id)
    if not ours.leased_to(turn.lease).lease_to(turn.lease):
        return False
    reply = Message.objects.filter(pk=turn.reply_id, thread__lease_holder=turn.lease)
    return bool(
        reply.filter(status=Message.Status.STREAMING).update(
            content=text, heartbeat_at=timezone.now()
        )
    )


async def _outcome(running: Running, producer: "asyncio.Task[None]") -> Outcome:
    """How it went. What is left unfinished in a reply that was cut counts for nothing."""
    try:
        await producer
    except asyncio.CancelledError:
        outcome = Outcome(running.stop_as)
    except AIError as error:
        logger.warning("Reply %s failed: %s", running.turn.reply_id, error.code)
        outcome = Outcome(Message.Status.FAILED, error.code)
    except Exception:
        # The outermost edge of a reply: whatever went wrong, the page says so.
        logger.exception("Reply %s failed", running.turn.reply_id)
        outcome = Outcome(Message.Status.FAILED, "unknown")
    else:
        return Outcome(Message.Status.DONE)
    tail = running.draft.reader.close(cut=True)
    running.draft.text += tail
    running.unsent.append(tail)
    await _flush(running)
    return outcome


async def _end(running: Running, outcome: Outcome) -> None:
    reply_id = running.turn.reply_id
    followups = await _finished(running, outcome, await _prepared(running))
    if followups is None:
        return
    await log.append(reply_id, log.Ended(outcome.status, outcome.error))
    ring(followups)


async def _prepared(running: Running) -> Notes:
    """The notes with their vectors; the heart goes on beating while they come."""
    preparing = asyncio.create_task(run_work(prepare_notes, running.draft))
    while not preparing.done():
        await _beat(running)
        await asyncio.wait([preparing], timeout=SAVE_EVERY)
    return preparing.result()


async def _finished(
    running: Running, outcome: Outcome, notes: Notes
) -> Followups | None:
    """Store everything; once more if two transactions stood in each other's way."""
    try:
        return await run_db(finish, running.turn, running.draft, outcome, notes)
    except OperationalError:
        logger.warning("Reply %s is stored at second try", running.turn.reply_id)
        return await run_db(finish, running.turn, running.draft, outcome, notes)
