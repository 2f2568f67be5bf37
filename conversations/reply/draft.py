"""A reply while it is written."""

from dataclasses import dataclass, field

from conversations.reply.block.reader import BlockReader
from meddie.ai.chat import Usage
from memory.values import Recall
from people.scope import Scope

NOTHING_RECALLED = Recall()


@dataclass(slots=True)
class Draft:
    scope: Scope | None = None
    text: str = ""
    reader: BlockReader = field(default_factory=BlockReader)
    recall: Recall = NOTHING_RECALLED
    facts_used: int = 0
    last_reply: str = ""  # the text before the user's message
    usage: Usage | None = None
