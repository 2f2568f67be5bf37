"""The keys of a reply block. `reply/block_changes.py` applies each of them."""

from dataclasses import dataclass
from typing import Any

from conversations.reply.prompt import prompts


@dataclass(frozen=True, slots=True)
class BlockKey:
    """Its value is an array of `entry`, or `everything`; if it is `lone`, one entry.

    `text` is the field of an entry that holds what would be stored; empty if the entry
    is the text, None if nothing of it is stored.
    """

    name: str
    entry: type | tuple[type, ...]
    text: str | None
    everything: str = ""
    lone: bool = False
    needs_memory: bool = False
    needs_person: bool = False
    needs_lore: bool = False
    instructions: str = ""
    short: str = ""  # instructions, for a small model

    def takes(self, entry: Any) -> bool:
        """Whether an entry has the right type, and a text if it is one with remarks."""
        remarked: Any = entry if isinstance(entry, dict) and self.text == "" else None
        has_text = remarked is None or isinstance(remarked.get("text"), str)
        return has_text and isinstance(entry, self.entry)

    def text_of(self, entry: Any) -> str:
        """What would be stored of an entry."""
        named = isinstance(entry, dict)
        return str(entry.get(self.text or "text", "") if named else entry)


MEMORY_SAVES = BlockKey(
    "memory_saves",
    (str, dict),
    "",
    needs_memory=True,
    instructions=prompts.MEMORY_SAVES,
    short=prompts.MEMORY_SAVES_SHORT,
)
MEMORY_FORGETS = BlockKey(
    "memory_forgets",
    str,
    None,
    everything="*",
    instructions=prompts.MEMORY_FORGETS,
    short=prompts.MEMORY_FORGETS_SHORT,
)
PROFILE_FACTS = BlockKey(
    "profile_facts",
    dict,
    "value",
    needs_memory=True,
    instructions=prompts.PROFILE_FACTS,
    short=prompts.PROFILE_FACTS_SHORT,
)
PROFILE_UPDATES = BlockKey(
    "profile_updates",
    dict,
    "text",
    needs_memory=True,
    needs_person=True,
    instructions=prompts.PROFILE_UPDATES,
    short=prompts.PROFILE_UPDATES_SHORT,
)
MEMORY_LINE = BlockKey(
    "memory_line",
    str,
    "",
    lone=True,
    needs_memory=True,
    needs_lore=True,
    instructions=prompts.MEMORY_LINE,
    short=prompts.MEMORY_LINE_SHORT,
)
KEYS = (
    MEMORY_SAVES,
    MEMORY_FORGETS,
    PROFILE_FACTS,
    PROFILE_UPDATES,
    MEMORY_LINE,
)
NAMES = frozenset(key.name for key in KEYS)
