"""The replies that this process writes."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from conversations.models import Message
from conversations.reply.block.reader import BlockReader
from conversations.reply.known_facts import KnownFacts
from conversations.reply.turn import Turn
from meddie.ai.events import Usage


@dataclass(slots=True)
class Draft:
    text: str = ""
    reader: BlockReader = field(default_factory=BlockReader)
    known: KnownFacts = field(default_factory=KnownFacts)
    # Items of each section in the prompt.
    used: Mapping[str, int] = field(default_factory=dict)
    # Whether the prompt had no room for recent messages.
    crowded: bool = False
    # The reply before the user's message.
    last_reply: Message | None = None
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
