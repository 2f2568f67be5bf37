"""The replies that this process writes, and how often each of them is heard of."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from uuid import UUID

from conversations.models import Message
from conversations.reply.generation import Draft
from conversations.reply.turn import Turn

FLUSH_EVERY = 0.05
"""Seconds between two events of a reply's log once text comes; the first goes at once."""
SHARE = 0.008
"""Seconds that each reply adds to that. An event costs a processor up to 2 ms on its way
to one page, so with many replies at once three quarters of it are left: for listening to
the provider, and for those who wait for their first words."""
AT_ONCE = 0.003
"""Seconds; a word that took no longer to come was there already."""

replies: dict[UUID, "Running"] = {}


@dataclass(slots=True)
class Running:
    """One reply that this process writes. `producer` asks the model; cancelled, the
    reply ends with what there is of it, as `stop_as` says."""

    turn: Turn
    draft: Draft = field(default_factory=Draft)
    unsent: list[str] = field(default_factory=list)
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    stop_as: str = Message.Status.STOPPED
    lost: bool = False
    """Somebody else writes the reply by now; not another word from here."""
    producer: "asyncio.Task[None] | None" = None
    task: "asyncio.Task[None] | None" = None

    def stop(self) -> None:
        """End it with what there is."""
        if self.producer is not None:
            self.producer.cancel()

    def lose(self) -> None:
        """Leave it to whoever writes it now."""
        self.lost = True
        self.stop()

    def interrupt(self) -> None:
        """End it because the process ends; a retry is offered."""
        self.stop_as = Message.Status.INTERRUPTED
        self.stop()


def pause() -> float:
    """Seconds until the next event of a reply."""
    return max(FLUSH_EVERY, SHARE * len(replies))


async def gathered(words: AsyncIterator[str]) -> AsyncGenerator[str]:
    """The same words. With many replies at once, those that come soon after another are
    left to gather where they come in: to read ten takes little more than to read one."""
    asked = time.monotonic()
    async for word in words:
        yield word
        if time.monotonic() - asked > AT_ONCE and pause() > FLUSH_EVERY:
            await asyncio.sleep(pause() / 4)
        asked = time.monotonic()
