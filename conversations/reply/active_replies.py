"""The replies that this process writes."""

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

from conversations.models import Message
from conversations.reply.draft import Draft
from conversations.reply.turn import Turn

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
