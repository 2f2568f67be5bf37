"""Read the JSON of a block, even if it is broken or cut off."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from conversations.reply.block.keys import KEYS, BlockKey
from meddie.lenient_json import read_object
from meddie.text import storable

BRACKET = re.compile(r"[][{}]")
NEXT_ENTRY = re.compile(r"""[\s,]*(?=["{])""")
# A word after an entry means that its last quotation mark was a stray one.
ENTRY_ENDS = re.compile(r"""\s*([,\]"{]|$)""")


@dataclass(slots=True)
class Block:
    """All blocks of a reply, by key."""

    entries: dict[str, list[Any]] = field(default_factory=dict)
    # blocks that were not valid JSON
    unreadable: list[str] = field(default_factory=list)

    def __getitem__(self, key: BlockKey) -> list[Any]:
        return self.entries.get(key.name, [])

    def asks_for_everything(self, key: BlockKey) -> bool:
        return key.everything in self[key]

    def take(self, raw: str) -> None:
        """Entries of a wrong type are dropped."""
        data = load_object(raw)
        if data is None:
            self.unreadable.append(storable(raw))
        for key in KEYS:
            value = data.get(key.name) if data is not None else salvage(raw, key)
            alone = key.lone or value == key.everything
            if isinstance(value, str) and value and alone:
                value = [value]
            found = value if isinstance(value, list) else []
            typed = [entry for entry in found if key.takes(entry)]
            if typed:
                self.entries.setdefault(key.name, []).extend(typed)


def load_object(raw: str) -> dict[str, Any] | None:
    """Parse an object; None if that fails."""
    if _first_too_deep(raw) < len(raw):
        return None
    try:
        data = read_object(raw)
    except ValueError:
        return None
    return {key.strip().casefold(): _clean(value) for key, value in data.items()}


def salvage(raw: str, key: BlockKey) -> list[Any]:
    """The complete entries at the beginning of each broken array."""
    array = re.compile(
        rf"""\b{re.escape(key.name)}\W{{0,4}}?:\s*(?:\[{'|(?=")' if key.lone else ""})""",
        re.IGNORECASE,
    )
    decoder = json.JSONDecoder(strict=False)
    entries: list[Any] = []
    position = 0
    flat = raw[: _first_too_deep(raw)]
    while start := array.search(flat, position):
        position = start.end()
        while entry := NEXT_ENTRY.match(flat, position):
            try:
                value, position = decoder.raw_decode(flat, entry.end())
            except json.JSONDecodeError as error:
                position = max(error.pos, entry.end())
                break
            if not ENTRY_ENDS.match(flat, position):
                break
            entries.append(_clean(value))
    return entries


def _first_too_deep(raw: str) -> int:
    # Counts brackets in strings too.
    depth = 0
    for bracket in BRACKET.finditer(raw):
        depth += 1 if bracket[0] in "[{" else -1
        # The decoder recurses on each level.
        if depth > 8:
            return bracket.start()
    return len(raw)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_clean(entry) for entry in value]
    if isinstance(value, dict):
        return {storable(key): _clean(entry) for key, entry in value.items()}
    return value
