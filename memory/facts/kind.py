"""What a kind of facts has of its own. `memory.facts.commit` does the rest."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from meddie.text import one_line
from memory.facts import store
from memory.facts.decide import Known, Ruling, decide
from memory.models import Fact
from memory.models.embedded import NO_MODEL
from memory.reasons import Reason
from memory.recall.shelves import Shelf
from memory.subjects import USER, Subject
from memory.values import AnyCandidate, Proposal, Provenance
from memory.wording.guards import without_date
from memory.wording.reading import Reading, reading_of
from memory.wording.same_fact import content_hash
from people.models import User
from people.scope import Scope

Retired = Fact.RetiredReason


@dataclass(frozen=True)
class Stated:
    """A proposal or a wish, whose it is, where it was stated, and the model of its vector."""

    scope: Scope
    proposal: Proposal
    provenance: Provenance
    model: str = NO_MODEL

    @property
    def candidate(self) -> Any:
        return self.proposal.candidate

    @property
    def line(self) -> str:
        return self.proposal.line

    @property
    def about(self) -> Subject:
        return self.candidate.subject or USER

    @property
    def at(self) -> datetime:
        return self.provenance.stated_at

    @cached_property
    def reading(self) -> Reading:
        return reading_of(self.line)

    @cached_property
    def content_hash(self) -> str:
        return content_hash(self.line)


@dataclass(frozen=True, slots=True)
class Matches:
    """What a wish to forget states: facts to retract, one forgotten, one of others."""

    stated: Sequence[Fact] = ()
    gone: Fact | None = None
    of_others: Fact | None = None


def as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class FactColumn:
    """What a candidate, a row and a line of an export have of a fact.

    `attribute` is the row's name of it, `stored` makes the row's value and `told` the
    exported one, of which `read` makes the candidate's. A share is a number from 0 to 1,
    anything else a text.
    """

    name: str
    attribute: str = ""
    is_share: bool = False
    stored: Callable[[Any], Any] = as_it_is
    told: Callable[[Any], Any] = as_it_is
    read: Callable[[Any], Any] = as_it_is

    @property
    def of_row(self) -> str:
        return self.attribute or self.name

    def fill(self, row: Fact, candidate: AnyCandidate) -> None:
        setattr(row, self.of_row, self.stored(getattr(candidate, self.name)))

    def of(self, row: Fact) -> Any:
        return self.told(getattr(row, self.of_row))


def _stored_subject(subject: Subject | None) -> str | None:
    return None if subject is None else subject.text


CONFIDENCE = FactColumn("confidence", is_share=True)
SUBJECT = FactColumn(
    "subject",
    stored=_stored_subject,
    read=Subject.read,
)


class Kind:
    """The default of each method is that of a kind whose facts have no history."""

    name: str
    model: type[Fact]
    candidate: type[AnyCandidate]
    shelf: Shelf
    columns: Sequence[FactColumn] = ()
    is_embedded = False  # stored with the vector of its line
    is_exported = True

    def line(self, candidate: Any) -> str:
        """As a person reads it, in its stored form."""
        text = without_date(candidate.text)
        return one_line(text) if isinstance(text, str) else ""

    def proposal(self, candidate: Any) -> Proposal:
        """Normalise a candidate, and judge it by itself."""
        raise NotImplementedError

    def shelves(self, scope: Scope) -> list[Shelf]:
        """Where a search finds them."""
        return [self.shelf]

    def switched_off(self, fact: Stated, *, captures_inline: bool) -> Reason | None:
        """Why the space keeps no facts of the kind from there."""
        off = fact.provenance.is_of_reply and not captures_inline
        return Reason.CAPTURE_OFF if off else None

    def refusals(self, stated: Sequence[Stated]) -> list[Reason | None]:
        """Why the facts of one run may not be stored, also by what the user said."""
        return [fact.proposal.refusal for fact in stated]

    def lock(self, scope: Scope) -> None:
        """Lock what the scope's own lock leaves open."""

    def look(self, stated: Stated) -> Known:
        """What is known of a fact, under the scope's lock."""
        raise NotImplementedError

    def filled(self, stated: Stated, row: Any = None) -> Any:
        """A new or retired row with what was stated; not saved."""
        scope, provenance = stated.scope, stated.provenance
        row = self.model(id=uuid4()) if row is None else row
        row.user_id, row.space_id = store.owner(scope), scope.space_id
        row.origin, row.channel = provenance.origin, scope.channel
        row.stated_at = stated.at
        SUBJECT.fill(row, stated.candidate)
        row.person_id = getattr(stated.candidate.subject, "person_id", None)
        for column in self.columns:
            column.fill(row, stated.candidate)
        self.fill(stated, row)
        return row

    def fill(self, stated: Stated, row: Any) -> None:
        """Fill what is not a column."""

    def store(
        self, stated: Stated, row: Any, old: Any, reason: Reason, *, is_new: bool
    ) -> None:
        """Save a filled row, in the place of `old` if there is one."""
        if old is not None:
            old.retire(Retired.SUPERSEDED)
        row.save(force_insert=is_new)

    def restate(self, stated: Stated, row: Any) -> None:
        """Refresh an active row that another message states, too."""

    def keep_as_history(self, stated: Stated, row: Any, newer: Any) -> bool:
        """Whether the row of an older statement that came late was kept."""
        return False

    def own(self, scope: Scope, *, of_all: bool = False) -> Any:
        """The rows that the user may take back; `of_all`: that staff may."""
        rows: Any = self.model._default_manager  # noqa: SLF001 -- Django documents it
        return rows.owned_by(scope)

    def seen(self, scope: Scope) -> Any:
        """The rows that the user knows of."""
        return self.own(scope)

    def correctable(self, scope: Scope, by: User | None) -> Any:
        return self.seen(scope).active()

    def correction(self, proposal: Proposal, old: Any) -> Proposal:
        """What a sentence makes of a row that it corrects."""
        raise NotImplementedError

    def corrected_at(self, old: Any) -> datetime:
        """When what staff put in the place of a row counts as stated."""
        at: datetime = old.stated_at
        return at

    def rule_correction(self, stated: Stated, old: Any) -> Ruling:
        """What becomes of a fact that a person puts in the place of `old`."""
        return decide(self.look(stated), stated.at)

    def find(self, wish: Stated) -> Matches:
        """The rows that a wish to forget states."""
        raise NotImplementedError

    def versions(self, scope: Scope, fact: Any) -> list[Fact]:
        """The row, and what it or an earlier version replaced."""
        return [fact]

    def same_value(self, fact: Any) -> list[Fact]:
        """The row, and earlier statements of the same value."""
        return [fact]

    def restore_replaced(
        self, scope: Scope, facts: Sequence[Any], keys: Collection[UUID]
    ) -> None:
        """Restore what rows replaced that are retired now, if nothing else did, too."""

    def why_not_restored(
        self, scope: Scope, fact: Any, *, by_user: bool
    ) -> Reason | None:
        """What speaks against the restoration of a retired row with a text."""
        return None

    def reinstate(self, scope: Scope, fact: Any) -> None:
        fact.reactivate()

    def forget_all(self, scope: Scope, at: datetime | None) -> list[Fact]:
        """Retract the user's rows; those of which copies must be erased one by one."""
        self.own(scope).exclude(retired_reason=Retired.RETRACTED).retire(
            Retired.RETRACTED, at
        )
        return []
