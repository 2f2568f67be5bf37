"""What the JSON of a reply asks for, also where it is broken or cut off."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

NEXT_ENTRY = re.compile(r"""[\s,]*(?=["{])""")
ENTRY_ENDS = re.compile(r"""\s*([,\]"{]|$)""")
"""Behind a stray quotation mark comes a word: that entry is not complete."""
TYPOGRAPHIC = str.maketrans("“”„", '"""')
ARRAYS = ("profile_updates", "memory_saves", "memory_forgets")


@dataclass(slots=True)
class Block:
    """What the blocks of one reply asked for."""

    profile_updates: list[dict[str, Any]] = field(default_factory=list)
    memory_saves: list[str] = field(default_factory=list)
    memory_forgets: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    """Raw blocks that were not valid JSON; complete entries were salvaged."""

    @property
    def for_memory(self) -> list[str]:
        """What is to be remembered or forgotten, and so needs a vector."""
        return self.memory_saves + self.memory_forgets

    def take(self, raw: str) -> None:
        """Merge one closed block. Wrong types are dropped, never raised."""
        data = loads(raw)
        if data is None:
            self.unreadable.append(scrub(raw))
            data = salvage(raw)
        self.profile_updates += _of_type(data.get("profile_updates"), dict)
        self.memory_saves += _of_type(data.get("memory_saves"), str)
        self.memory_forgets += _of_type(data.get("memory_forgets"), str)


def _of_type(value: object, kind: type) -> list[Any]:
    return [v for v in value if isinstance(v, kind)] if isinstance(value, list) else []


def loads(raw: str) -> dict[str, Any] | None:
    """The object, or None where it is not one. Raw line breaks in strings are let be,
    and so are typographic or escaped quotation marks where there are no others."""
    for text in (raw, raw.translate(TYPOGRAPHIC), raw.replace('\\"', '"')):
        try:
            data = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            return {key.strip().casefold(): scrub(v) for key, v in data.items()}
    return None


def scrub(value: Any) -> Any:
    """The value without what no database takes: NUL, and halves of a character."""
    if isinstance(value, str):
        return value.encode(errors="ignore").decode().replace("\0", "")
    if isinstance(value, list):
        return [scrub(entry) for entry in value]
    if isinstance(value, dict):
        return {scrub(key): scrub(entry) for key, entry in value.items()}
    return value


def salvage(raw: str) -> dict[str, list[Any]]:
    """The complete entries of the known arrays of a broken object."""
    return {key: _entries(raw, key) for key in ARRAYS}


def _entries(raw: str, key: str) -> list[Any]:
    start = re.search(rf"""\b{key}\W{{0,4}}?:\s*\[""", raw, re.IGNORECASE)
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
        entries.append(scrub(value))
    return entries
