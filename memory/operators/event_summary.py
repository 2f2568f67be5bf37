"""What an event did: in a few words, and with the rows that it names."""

import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import MemoryEvent

REPAIRED = {
    "correct": gettext_lazy("Corrected by staff"),
    "restore": gettext_lazy("Restored by staff"),
}
COUNTED = {
    "add": gettext_lazy("added %(count)d"),
    "replace": gettext_lazy("replaced %(count)d"),
    "retract": gettext_lazy("forgot %(count)d"),
    "restore": gettext_lazy("restored %(count)d"),
    "ignore": gettext_lazy("left %(count)d as it was"),
    "reject": gettext_lazy("refused %(count)d"),
    "defer": gettext_lazy("deferred %(count)d"),
}
TOLD = {
    "add": gettext_lazy("Added"),
    "replace": gettext_lazy("Replaced"),
    "retract": gettext_lazy("Forgotten"),
    "restore": gettext_lazy("Restored"),
    "ignore": gettext_lazy("Left as it was"),
    "reject": gettext_lazy("Refused"),
    "defer": gettext_lazy("Deferred"),
}
LOOKS = (
    *("memories", "profile_facts", "events", "conversations", "feedback", "found"),
    *("snapshot", "inspected"),
)


@dataclass(frozen=True, slots=True)
class EventLine:
    """`old` is what the row took the place of."""

    text: Any
    row: uuid.UUID | None = None
    old: uuid.UUID | None = None
    reason: str = ""


def lines_of(event: MemoryEvent) -> Iterator[EventLine]:
    """What happened to each row; nothing for a look."""
    data = event.data
    for one in data.get("decisions", []):
        target = _key(one["target"])
        row = _key(one["memory"]) or target
        plain = one["action"] in {"add", "retract"}
        reason = "" if plain else one["reason"]
        old = None if row == target else target
        yield EventLine(TOLD[one["action"]], row, old, reason)
    if event.kind == MemoryEvent.Kind.REPAIR:
        row, old = _key(data["memory"]), _key(data.get("target"))
        yield EventLine(REPAIRED[data["action"]], row, old)
    elif event.kind != MemoryEvent.Kind.INSPECTION:
        restored = event.kind == MemoryEvent.Kind.RESTORE
        keys = [*data.get("memories", []), *filter(None, [data.get("memory")])]
        for key in keys:
            yield EventLine(TOLD["restore" if restored else "retract"], _key(key))


def _key(value: str | None) -> uuid.UUID | None:
    return uuid.UUID(value) if value else None


def summary_of(event: MemoryEvent) -> str:
    """Such as "added 2, forgot 1"; empty if it did nothing."""
    data = event.data
    if error := data.get("error"):
        return _("failed: %(error)s") % {"error": error}
    if event.kind == MemoryEvent.Kind.REPAIR:
        return str(REPAIRED[data["action"]])
    if event.kind == MemoryEvent.Kind.INSPECTION:
        seen = sum(len(data[name]) for name in LOOKS if name in data)
        return _("saw %(count)d") % {"count": seen}
    counts = _counts(event.kind, data)
    told = [
        str(words) % {"count": counts[action]}
        for action, words in COUNTED.items()
        if counts[action]
    ]
    return ", ".join(told)


def _counts(kind: str, data: dict[str, Any]) -> Counter[str]:
    if "everything" in data:
        return Counter(retract=data["everything"])
    if kind == MemoryEvent.Kind.FORGET and "memory" in data:
        return Counter(retract=1)
    if "memories" in data:
        restored = kind == MemoryEvent.Kind.RESTORE
        return Counter({"restore" if restored else "retract": len(data["memories"])})
    return Counter(decision["action"] for decision in data.get("decisions", []))
