"""What the JSON of a reply asks for, also where it is broken or cut off."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

NEXT_ENTRY = re.compile(r"""[\s,]*(?=["{])""")
ENTRY_ENDS = re.compile(r"""\s*([,\]"{]|$)""")
"""Behind a stray quotation mark comes a word: that entry is not complete."""
ARRAYS = ("profile_updates", "memory_saves", "memory_forgets")


@dataclass(slots=True)
class Block:
    """What the blocks of one reply asked for."""

    profile_updates: list[dict[str, Any]] = field(default_factory=list)
    memory_saves: list[str] = field(default_factory=list)
    memory_forgets: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """Raw blocks that were not valid JSON; complete entries were salvaged."""

    def take(self, raw: str) -> None:
        """Merge one closed block. Wrong types are dropped, never raised."""
        data = loads(raw)
        if data is None:
            self.unreadable.append(raw)
            data = salvage(raw)
        self.profile_updates += _of_type(data.get("profile_updates"), dict)
        self.memory_saves += _of_type(data.get("memory_saves"), str)
        self.memory_forgets += _of_type(data.get("memory_forgets"), str)


def _of_type(value: object, kind: type) -> list[Any]:
    return [v for v in value if isinstance(v, kind)] if isinstance(value, list) else []


def loads(raw: str) -> dict[str, Any] | None:
    """The object, or None where it is not one. Raw line breaks in strings are let be."""
    try:
        data = json.loads(raw, strict=False)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def salvage(raw: str) -> dict[str, list[Any]]:
    """The complete entries of the known arrays of a broken object."""
    return {key: _entries(raw, key) for key in ARRAYS}


def _entries(raw: str, key: str) -> list[Any]:
    start = re.search(rf"""["']{key}["']\s*:\s*\[""", raw)
    if not start:
        return []
    decoder = json.JSONDecoder(strict=False)
    entries: list[Any] = []
    position = start.end()
    while entry := NEXT_ENTRY.match(raw, position):
        try:
            value, position = decoder.raw_decode(raw, entry.end())
        except (ValueError, RecursionError):
            break
        if not ENTRY_ENDS.match(raw, position):
            break
        entries.append(value)
    return entries
