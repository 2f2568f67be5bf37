"""A reply while it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from conversations.models import Message
from conversations.reply.block.reader import BlockReader
from conversations.reply.known_facts import KnownFacts
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
