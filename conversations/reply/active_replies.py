"""The replies that this process is writing."""

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

from conversations.models import Message
from conversations.reply.draft import Draft
from conversations.reply.turn import Turn

replies: dict[UUID, "Running"] = {}


@dataclass(slots=True)
class Running:
    """One reply that this process writes.

    `producer` reads from the model; once it is cancelled, the reply ends with the text
    so far and the status `stop_as`.
    """

    turn: Turn
    draft: Draft = field(default_factory=Draft)
    unsent: list[str] = field(default_factory=list)
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    stop_as: str = Message.Status.STOPPED
    lost: bool = False
    """Another worker writes the reply now; this one stores nothing more of it."""
    producer: "asyncio.Task[None] | None" = None
    task: "asyncio.Task[None] | None" = None

    def stop(self) -> None:
        """End the reply with the text so far."""
        if self.producer is not None:
            self.producer.cancel()

    def lose(self) -> None:
        """Leave the reply to the worker that writes it now."""
        self.lost = True
        self.stop()

    def interrupt(self) -> None:
        """End the reply because the process ends; the page offers a retry."""
        self.stop_as = Message.Status.INTERRUPTED
        self.stop()
