"""What was found of older facts: whom they are about, with one Undo for all."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.web.facts.about import Subjects
from memory import service
from memory.models import Memory
from people.scope import Scope

MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class OlderRead:
    """How many facts, and how many are about each."""

    count: int
    of_each: str

    @property
    def text(self) -> str:
        told = ngettext(
            "Meddie has read %(count)d older fact for whom it is about.",
            "Meddie has read %(count)d older facts for whom they are about.",
            self.count,
        )
        return told % {"count": self.count}


def older_note(scope: Scope) -> OlderRead | None:
    """None once the user has seen it, and where there were none."""
    keys = service.older_read(scope)
    if not keys:
        return None
    active = Memory.objects.owned_by(scope).active().filter(pk__in=keys)
    rows = active.only("subject", "person")
    subjects = Subjects.in_scope(scope)
    return OlderRead(len(keys), _of_each(subjects.of(row.about).label for row in rows))


def _of_each(labels: Iterable[str]) -> str:
    counts = Counter(labels).most_common(MOST_NAMED)
    named = (
        _("%(name)s: %(count)d") % {"name": name, "count": count}
        for name, count in counts
    )
    return " · ".join(named)
