"""The keys of a reply block. `reply/notes.py` applies each of them."""

from dataclasses import dataclass

from conversations.reply.prompt import prompts


@dataclass(frozen=True, slots=True)
class BlockKey:
    """Its value is an array of `entry`, or `everything`; if it is `lone`, one entry."""

    name: str
    entry: type
    everything: str = ""
    lone: bool = False
    needs_memory: bool = False
    needs_person: bool = False
    needs_lore: bool = False
    instructions: str = ""


MEMORY_SAVES = BlockKey(
    "memory_saves", str, needs_memory=True, instructions=prompts.MEMORY_SAVES
)
MEMORY_FORGETS = BlockKey(
    "memory_forgets", str, everything="*", instructions=prompts.MEMORY_FORGETS
)
PROFILE_FACTS = BlockKey(
    "profile_facts", dict, needs_memory=True, instructions=prompts.PROFILE_FACTS
)
PROFILE_UPDATES = BlockKey(
    "profile_updates",
    dict,
    needs_memory=True,
    needs_person=True,
    instructions=prompts.PROFILE_UPDATES,
)
MEMORY_LINE = BlockKey(
    "memory_line",
    str,
    lone=True,
    needs_memory=True,
    needs_lore=True,
    instructions=prompts.MEMORY_LINE,
)
KEYS = (
    MEMORY_SAVES,
    MEMORY_FORGETS,
    PROFILE_FACTS,
    PROFILE_UPDATES,
    MEMORY_LINE,
)
NAMES = frozenset(key.name for key in KEYS)
EMBEDDED = (MEMORY_SAVES, MEMORY_FORGETS)  # their entries need a vector
