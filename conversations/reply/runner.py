"""Write a reply to its end, whether or not a page is open.

On the web the runner is a task of the process that received the POST.
"""

import asyncio
import logging
from contextlib import aclosing, suppress
from functools import partial
from math import inf
from uuid import UUID

from django.conf import settings

from conversations import event_log
from conversations.models import Message
from conversations.reply import active_replies
from conversations.reply.active_replies import ActiveReply
from conversations.reply.block_changes import prepare_changes
from conversations.reply.finish import (
    Outcome,
    enqueue_followups,
    finish_turn,
    keep_text,
)
from conversations.reply.generation import generate
from conversations.reply.known import prompt_of
from conversations.reply.turn import Turn
from meddie.ai.errors import AIError, Refused
from meddie.ai.events import text_of
from meddie.ai.tokens import estimate
from meddie.outages import is_outage
from meddie.threads import run_repeatable, run_repeatable_work, run_work
from meddie.tracing import span

logger = logging.getLogger(__name__)

FLUSH_EVERY = 0.08  # seconds between two log events; the first is written at once
HEAD_START = 0.03  # seconds
SHUTDOWN_PATIENCE = 4.0  # seconds


async def start(turn: Turn) -> None:
    """Write in a task of this event loop, which outlives the request.

    Returns when the model is asked, or after `HEAD_START`.
    """
    reply = _begin(turn)
    reply.task = asyncio.create_task(_run_alone(reply))
    # The page's answer, rendered at the same time, would hold the reply up by 7 ms.
    with suppress(TimeoutError):
        await asyncio.wait_for(reply.prompted.wait(), HEAD_START)


async def write_reply(turn: Turn) -> None:
    """Write to the end before returning. Raises the error of an outage that lasts."""
    await _run(_begin(turn))


async def stop(reply_id: UUID) -> None:
    """Stop a reply in any process. Raises RedisError."""
    here = active_replies.replies.get(reply_id)
    if here is not None and not here.abandoned:
        here.stop()
        return
    await event_log.ask_to_stop(reply_id)


async def shutdown() -> None:
    """Interrupt and store all active replies, within five seconds."""
    tasks = []
    for reply in list(active_replies.replies.values()):
        reply.interrupt()
        if reply.task is not None:
            tasks.append(reply.task)
    if tasks:
        await asyncio.wait(tasks, timeout=SHUTDOWN_PATIENCE)


def _begin(turn: Turn) -> ActiveReply:
    if former := active_replies.replies.get(turn.reply_id):
        former.abandon()  # it seemed dead, and the reply starts again
    reply = ActiveReply(turn)
    reply.producer = asyncio.create_task(_produce(reply))
    reply.producer.add_done_callback(lambda _: reply.arrived.set())
    active_replies.replies[turn.reply_id] = reply
    active_replies.ensure_running()
    return reply


async def _run_alone(reply: ActiveReply) -> None:
    try:
        await _run(reply)
    except Exception:
        # After the outage the sweep interrupts the reply, which can be tried again.
        logger.exception("Reply %s was lost in an outage", reply.turn.reply_id)


async def _run(reply: ActiveReply) -> None:
    assert reply.producer is not None  # noqa: S101 -- `_begin` made it
    try:
        await _write_log(reply, reply.producer)
        outcome = await _outcome(reply, reply.producer)
        if not reply.abandoned:  # a restart in this process has the same lease
            await _end(reply, outcome)
    except Exception as error:
        if is_outage(error):
            raise
        # The outermost edge of a reply: the text is stored and the page shows an error.
        # If even that fails, the sweep finds the row.
        logger.exception("Reply %s could not be finished", reply.turn.reply_id)
        if await run_repeatable(keep_text, reply.turn, reply.draft):
            failed = event_log.Ended(Message.Status.FAILED, "unknown")
            await event_log.append(reply.turn.reply_id, failed)
    finally:
        reply.stop()
        if active_replies.replies.get(reply.turn.reply_id) is reply:
            del active_replies.replies[reply.turn.reply_id]
        await active_replies.stop_if_idle()


async def _produce(reply: ActiveReply) -> None:
    """Where the model's context is too small for the prompt, it is halved (decision 55).

    Until it is refused for another reason, or gets no shorter.
    """
    draft, former, budget = reply.draft, inf, settings.PROMPT_TOKENS
    while True:
        with span("prompt"):
            draft.prompted = await run_repeatable_work(prompt_of, reply.turn, budget)
        reply.prompted.set()
        try:
            async with aclosing(generate(draft)) as texts:
                async for text in texts:
                    reply.unsent.append(text)
                    reply.arrived.set()
        except Refused as refusal:
            asked = draft.prompted.messages
            size = sum(estimate(text_of(message)) for message in asked)
            if draft.text or size >= former or not refusal.is_too_long:
                raise
            former, budget = size, size // 2
        else:
            return


async def _write_log(reply: ActiveReply, producer: "asyncio.Task[None]") -> None:
    while not producer.done():
        await reply.arrived.wait()
        reply.arrived.clear()
        await _flush(reply)
        await asyncio.wait([producer], timeout=FLUSH_EVERY)
    await _flush(reply)


async def _flush(reply: ActiveReply) -> None:
    if reply.unsent and not reply.abandoned:
        text = "".join(reply.unsent)
        reply.unsent.clear()
        await event_log.append(reply.turn.reply_id, event_log.Appended(text))


async def _outcome(reply: ActiveReply, producer: "asyncio.Task[None]") -> Outcome:
    try:
        await producer
    except asyncio.CancelledError:
        outcome = Outcome(reply.stop_as)
    except AIError as error:
        logger.warning("Reply %s failed: %s", reply.turn.reply_id, error.code)
        outcome = Outcome(Message.Status.FAILED, error.code)
    except Exception as error:
        if is_outage(error):
            raise
        # The outermost edge of a reply: the page shows an error.
        logger.exception("Reply %s failed", reply.turn.reply_id)
        outcome = Outcome(Message.Status.FAILED, "unknown")
    else:
        return Outcome(Message.Status.DONE)
    # An unfinished block of a cut reply is ignored.
    tail = reply.draft.reader.close(cut=True)
    reply.draft.text += tail
    reply.unsent.append(tail)
    await _flush(reply)
    return outcome


async def _end(reply: ActiveReply, outcome: Outcome) -> None:
    reply_id = reply.turn.reply_id
    changes = await run_work(prepare_changes, reply.turn, reply.draft)
    end = partial(finish_turn, reply.turn, reply.draft, outcome, changes)
    followups = await run_repeatable(end)
    if followups is not None:
        await event_log.append(reply_id, event_log.Ended(outcome.status, outcome.error))
        enqueue_followups(followups)
