"""Facts as the memory page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from conversations.fact_texts import label_of
from memory import service


@dataclass(slots=True)
class Entry:
    """A fact. `before` are the texts it replaced.

    A profile fact has a `profile_key`, and `stored` is its value.
    Lore has `read_only`, and `told_by`, the name of a member.
    """

    key: UUID
    stored: str
    stated_at: datetime
    profile_key: str = ""
    message_id: UUID | None = None
    by_hand: bool = False
    read_only: bool = False
    teller_id: UUID | None = None
    told_by: str = ""
    before: Sequence[str] = ()

    @property
    def label(self) -> str:
        return label_of(self.profile_key) if self.profile_key else ""

    @property
    def text(self) -> str:
        return f"{self.label}: {self.editable}" if self.label else self.editable

    @property
    def editable(self) -> str:
        """The text, or the value of a profile fact."""
        told = self.profile_key or self.read_only
        return self.stored if told else service.shown_text(self.stored)

    @property
    def can_undo(self) -> bool:
        """Whether the user corrected it, and what it was is still known."""
        return self.by_hand and bool(self.before)
