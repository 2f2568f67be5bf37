"""A queue for API requests and one for pages, bounded by the time that a request waits.

Each keeps the other from taking all threads and connections.
"""

import asyncio
from weakref import WeakKeyDictionary

from django.http import HttpRequest

LONGEST_WAIT = 10.0  # seconds
AT_ONCE = 8  # of each kind; a response that has begun no longer counts
LEAVE = "meddie.leave"  # in the scope of a request


class Overloaded(Exception):
    """The request has waited for LONGEST_WAIT."""


class Place:
    """In the queue, or being worked on until `leave`."""

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self._slots = slots
        self._held = False

    async def enter(self) -> None:
        """Raises Overloaded."""
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await self._slots.acquire()
        except TimeoutError:
            raise Overloaded from None
        self._held = True

    def leave(self) -> None:
        if self._held:
            self._held = False
            self._slots.release()


_queues: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[bool, asyncio.Semaphore]] = (
    WeakKeyDictionary()
)


def place_in_queue(*, of_api: bool) -> Place:
    queues = _queues.setdefault(asyncio.get_running_loop(), {})
    return Place(queues.setdefault(of_api, asyncio.Semaphore(AT_ONCE)))


def leave_queue(request: HttpRequest) -> None:
    """For a view that goes on to wait for a model."""
    leave = getattr(request, "scope", {}).get(LEAVE)
    if leave is not None:
        leave()
