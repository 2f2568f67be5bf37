"""Run a coroutine every few seconds while work exists."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

logger = logging.getLogger(__name__)


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
