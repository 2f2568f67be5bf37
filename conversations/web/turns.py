"""Start a turn from a request."""

import asyncio
from collections.abc import Callable

from django.http import Http404

from conversations.new_conversation import NotFound
from conversations.reply import runner
from conversations.reply.turn import Turn
from meddie.threads import run_db

_starting: set["asyncio.Task[Turn]"] = set()  # an event loop holds its tasks weakly


async def start_turn(begin: Callable[[], Turn]) -> Turn:
    """Store a turn with `begin` and start its reply. Raises Http404."""
    task = asyncio.create_task(_start(begin))
    _starting.add(task)
    task.add_done_callback(_starting.discard)
    try:
        # A stored turn gets its reply even if the browser disconnects.
        return await asyncio.shield(task)
    except NotFound as error:
        raise Http404 from error


async def _start(begin: Callable[[], Turn]) -> Turn:
    turn = await run_db(begin)
    await runner.start(turn)
    return turn
