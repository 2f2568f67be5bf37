"""What the facts on medicines replaced, and which of them wait for the user's word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any
from uuid import UUID

from memory.models import Memory, MemoryUpdate
from memory.values import Recalled
from memory.wording.medicines import DoseFact, names_dose, other_dose
from people.scope import Scope

MOST_STEPS = 3  # from a fact to what it replaced; each asks the database


@dataclass(frozen=True, slots=True)
class Doses:
    """By the keys of facts. `asked` has the older facts that newer ones may replace."""

    former: Mapping[UUID, Sequence[DoseFact]] = field(default_factory=dict)
    asked: Mapping[UUID, UUID] = field(default_factory=dict)

    def before(self, item: Recalled, zone: tzinfo | None) -> str:
        """Like "75 µg until 2026-11-28"; empty if it replaced no other dose."""
        for former in self.former.get(item.memory_id, ()):
            dose = other_dose(former.text, item.text, item.about)
            if dose and former.until:
                return f"{dose} until {former.until.astimezone(zone).date()}"
        return ""

    def of(self, items: Iterable[Recalled]) -> list[DoseFact]:
        """The facts with what they replaced."""
        facts: list[DoseFact] = []
        for item in items:
            key, at = item.memory_id, item.stated_at
            asked = self.asked.get(key)
            facts += [DoseFact(key, item.text, at, may_replace=asked)]
            facts += self.former.get(key, ())
        return facts


def read_doses(scope: Scope, items: Iterable[Recalled]) -> Doses:
    """Database only where a fact names a dose."""
    keys = [i.memory_id for i in items if names_dose(i.text, i.about)]
    if not keys:
        return Doses()
    rows = Memory.objects.filter(pk__in=keys, may_replace__active=True)
    pairs: Any = rows.values_list("pk", "may_replace")
    return Doses(_former(scope, keys), dict(pairs))


def _former(scope: Scope, keys: Sequence[UUID]) -> dict[UUID, list[DoseFact]]:
    """The newest first."""
    replaced = Memory.objects.owned_by(scope).filter(
        active=False, retired_reason=Memory.RetiredReason.SUPERSEDED
    )
    updates = MemoryUpdate.objects.filter(user=scope.user_id, old__in=replaced)
    found: dict[UUID, list[DoseFact]] = {}
    first = {key: key for key in keys}
    for _step in range(MOST_STEPS):
        rows = (
            updates.filter(new__in=first)
            .order_by("-created_at")
            .values_list(
                *("new", "old", "old__content", "old__stated_at"),
                *("old__valid_from", "old__valid_until"),
            )
        )
        following: dict[UUID, UUID] = {}
        for new, old, text, at, since, until in rows:
            following[old] = first[new]
            former = DoseFact(None, text, at, since or at, until, current=False)
            found.setdefault(first[new], []).append(former)
        first = following
        if not first:
            break
    return found
