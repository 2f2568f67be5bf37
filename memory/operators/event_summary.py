"""What an event did: in a few words, and with the rows that it names."""

import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import MemoryEvent

ACTION_COUNTS = {
    "add": gettext_lazy("added %(count)d"),
    "replace": gettext_lazy("replaced %(count)d"),
    "retract": gettext_lazy("forgot %(count)d"),
    "restore": gettext_lazy("restored %(count)d"),
    "ignore": gettext_lazy("left %(count)d as it was"),
    "reject": gettext_lazy("refused %(count)d"),
    "defer": gettext_lazy("deferred %(count)d"),
}
ACTION_NAMES = {
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
    """`old` is what the row took the place of. What was refused has a text, no row."""

    text: Any
    row: uuid.UUID | None = None
    old: uuid.UUID | None = None
    reason: str = ""
    proposal: str = ""
    evidence: str = ""


def lines_of(event: MemoryEvent) -> Iterator[EventLine]:
    """What happened to each fact; nothing for a look."""
    refused = event.texts.get("refused", {})
    for place, decision in enumerate(event.data.get("decisions", [])):
        target = _key(decision["target"])
        row = _key(decision["fact"]) or target
        plain = decision["action"] in {"add", "retract", "restore"}
        proposal = refused.get(str(place), {})
        yield EventLine(
            ACTION_NAMES[decision["action"]],
            row,
            None if row == target else target,
            "" if plain else decision["reason"],
            proposal.get("text", ""),
            proposal.get("evidence", ""),
        )


def _key(value: str | None) -> uuid.UUID | None:
    return uuid.UUID(value) if value else None


def summary_of(event: MemoryEvent) -> str:
    """Such as "added 2, forgot 1"; empty if it did nothing."""
    data = event.data
    if error := data.get("error"):
        return _("failed: %(error)s") % {"error": error}
    if event.kind == MemoryEvent.Kind.INSPECTION:
        seen = sum(len(data[name]) for name in LOOKS if name in data)
        return _("saw %(count)d") % {"count": seen}
    if model := data.get("model"):
        return _("asked %(model)s") % {"model": model}
    counts = Counter(decision["action"] for decision in data.get("decisions", []))
    told = [
        str(words) % {"count": counts[action]}
        for action, words in ACTION_COUNTS.items()
        if counts[action]
    ]
    return ", ".join(told)
