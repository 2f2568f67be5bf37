"""Something that is done time and again in an event loop, for as long as it is wanted."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

logger = logging.getLogger(__name__)


class Pulse:
    """Do `work` every so many seconds while `wanted` is true.

    For one loop at a time, as every process of Meddie has only one that lasts: what it
    works on belongs to the process. What fails is logged and done again: all that hangs
    on a pulse would die with it.
    """

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

    def keep(self) -> None:
        """There is something to do in the running loop; any number of times."""
        loop = asyncio.get_running_loop()
        task = self._tasks.get(loop)
        if task is None or task.done() or task.cancelling():
            self._tasks[loop] = loop.create_task(self._go())
            self._tasks[loop].add_done_callback(partial(self._forget, loop))

    async def rest(self) -> None:
        """End in the running loop if nobody wants it any more, whatever it is at: what
        it works with may be closed then."""
        task = self._tasks.get(asyncio.get_running_loop())
        while task is not None and not task.done() and not self._wanted():
            task.cancel()  # the Redis client now and then swallows one
            await asyncio.wait([task], timeout=0.1)

    def _forget(
        self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]
    ) -> None:
        if self._tasks.get(loop) is task:
            del self._tasks[loop]

    async def _go(self) -> None:
        while True:
            await asyncio.sleep(self._seconds())
            if not self._wanted():
                return
            try:
                await self._work()
            except Exception:  # the outermost edge
                logger.exception("%s failed", self._work.__qualname__)
