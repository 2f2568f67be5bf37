"""Facts as the memory page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory import service


@dataclass(slots=True)
class Entry:
    """A fact. `stored` is what its user edits; `before` are the texts it replaced.

    A profile fact has a `label`, and `stored` is its value.
    Lore has `read_only`, and `told_by`, the name of a member.
    """

    key: UUID
    stored: str
    stated_at: datetime
    label: str = ""
    message_id: UUID | None = None
    by_hand: bool = False
    read_only: bool = False
    teller_id: UUID | None = None
    told_by: str = ""
    before: Sequence[str] = ()

    @property
    def text(self) -> str:
        if self.label:
            return f"{self.label}: {self.stored}"
        return self.stored if self.read_only else service.in_second_person(self.stored)

    @property
    def can_undo(self) -> bool:
        """Whether the user corrected it, and what it was is still known."""
        return self.by_hand and bool(self.before)
