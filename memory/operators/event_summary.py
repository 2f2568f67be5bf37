"""What an event did, in a few words."""

from collections import Counter
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import MemoryEvent
from memory.operators.timeline import REPAIRED

COUNTED = {
    "add": gettext_lazy("added %(count)d"),
    "replace": gettext_lazy("replaced %(count)d"),
    "retract": gettext_lazy("forgot %(count)d"),
    "restore": gettext_lazy("restored %(count)d"),
    "ignore": gettext_lazy("left %(count)d as it was"),
    "reject": gettext_lazy("refused %(count)d"),
    "defer": gettext_lazy("deferred %(count)d"),
}
LOOKS = (
    *("memories", "profile_facts", "events", "conversations", "feedback", "found"),
    "snapshot",
)


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
