"""Sentences about a user: most of what is known."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from meddie.text import one_line
from memory.facts import deferred, store
from memory.facts.decide import Known, Ruling
from memory.facts.kind import (
    CONFIDENCE,
    SUBJECT,
    FactColumn,
    Kind,
    Matches,
    Retired,
    Stated,
)
from memory.facts.look import look, near_rows, tombstones
from memory.facts.periods import read_moment
from memory.judgement.judge import belongs
from memory.models import Fact, Memory, MemoryLink
from memory.models.embedded import NO_MODEL, NO_VECTOR
from memory.reasons import TAKEN_ANYWAY, Reason
from memory.recall.shelves import OWN_MEMORIES
from memory.recall.thresholds import thresholds
from memory.values import MEMORY_KIND, Candidate, Proposal, metadata_text
from memory.wording.guards import refusal, ungrounded, without_date
from memory.wording.reading import reading_of
from memory.wording.same_fact import are_apart, content_hash, differ, extends
from memory.wording.subject_labels import without_label
from people.scope import Scope

CATEGORIES = frozenset(Memory.Kind.values)
EVIDENCE_LIMIT = 220  # characters


def _category(kind: str) -> str:
    return kind if kind in CATEGORIES else Memory.Kind.OTHER


def _quoted(evidence: str) -> str:
    return one_line(evidence)[:EVIDENCE_LIMIT]


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _noted(metadata: str) -> str | None:
    return metadata or None


class MemoryKind(Kind):
    """What sentences about a user and lore of a space share: their table."""

    model = Memory

    def fill(self, stated: Stated, row: Memory) -> None:
        provenance, vector = stated.provenance, stated.proposal.vector
        row.content_hash = content_hash(row.content)
        row.vector = NO_VECTOR if vector is None else vector
        row.embedding_model = NO_MODEL if vector is None else stated.model
        row.source, row.run_id = provenance.source, provenance.run_id
        row.source_message_id, row.room = provenance.message_id, stated.scope.room

    def versions(self, scope: Scope, fact: Memory) -> list[Fact]:
        return [*store.versions_of(scope, fact)]

    def why_not_restored(
        self, scope: Scope, fact: Memory, *, by_user: bool
    ) -> Reason | None:
        """What the user forgot was active until then, though something replaced it before."""
        was_active = by_user and fact.is_retracted
        replaced = not was_active and store.find_successor(scope, fact)
        return Reason.REPLACED if replaced else None

    def reinstate(self, scope: Scope, fact: Memory) -> None:
        store.reinstate(scope, fact)


class Sentences(MemoryKind):
    name, candidate, shelf = MEMORY_KIND, Candidate, OWN_MEMORIES
    columns = (
        FactColumn("text", "content"),
        FactColumn("kind", stored=_category),
        CONFIDENCE,
        SUBJECT,
        FactColumn("evidence", stored=_quoted),
        FactColumn("valid_from", stored=read_moment, told=_moment),
        FactColumn(
            "valid_until", stored=partial(read_moment, is_end=True), told=_moment
        ),
        FactColumn("metadata", stored=metadata_text, told=_noted),
    )
    is_embedded = True

    def proposal(self, candidate: Candidate) -> Proposal:
        reason = candidate.withheld or refusal(without_date(candidate.text))
        if candidate.taken and reason in TAKEN_ANYWAY:
            reason = None
        line = self.line(candidate)
        is_vital = belongs(line, "safety")
        return Proposal(replace(candidate, text=line), line, reason, safety=is_vital)

    def refusals(self, stated: Sequence[Stated]) -> list[Reason | None]:
        """A reply may add nothing to the message that it answers, where that is known."""
        return [
            fact.proposal.refusal
            or (
                ungrounded(without_label(fact.line, fact.about), fact.provenance)
                if fact.provenance.is_of_reply
                else None
            )
            for fact in stated
        ]

    def look(self, stated: Stated) -> Known:
        return look(stated)

    def fill(self, stated: Stated, row: Memory) -> None:
        super().fill(stated, row)
        row.safety = stated.proposal.safety

    def store(
        self, stated: Stated, row: Any, old: Any, reason: Reason, *, is_new: bool
    ) -> None:
        scope = stated.scope
        if is_new:
            store.insert(row)
        elif reason != Reason.DUPLICATE:
            store.revive(scope, row)
        if old is not None:
            store.link(scope, row)
            store.supersede(scope, old, row, reason)

    def restate(self, stated: Stated, row: Memory) -> None:
        confidence = stated.candidate.confidence
        store.restate(stated.scope, row, confidence, stated.provenance)

    def keep_as_history(self, stated: Stated, row: Memory, newer: Any) -> bool:
        """Not of a retired one that is stated again."""
        if newer is None or not newer.active:
            return False
        store.insert_superseded(stated.scope, row, newer, Reason.OUTDATED)
        return True

    def own(self, scope: Scope, *, of_all: bool = False) -> Any:
        return Memory.objects.owned_by(scope)

    def seen(self, scope: Scope) -> Any:
        return Memory.objects.visible_to(scope)

    def correction(self, proposal: Proposal, old: Memory) -> Proposal:
        candidate = proposal.candidate
        if not isinstance(candidate, Candidate) or candidate.metadata:
            return proposal
        return replace(proposal, candidate=replace(candidate, metadata=old.metadata))

    def rule_correction(self, stated: Stated, old: Memory) -> Ruling:
        """The user may write what was forgotten again; an operator or a model may not."""
        by_hand = stated.provenance.origin == Memory.Origin.PAGE
        if not by_hand and tombstones(stated):
            return Ruling("reject", Reason.RETRACTED)
        row = store.same_text(stated.scope, stated.content_hash)
        if row is not None and row.pk == old.pk:
            # Not restated: who saves a page without a change states nothing.
            return Ruling("ignore", Reason.DUPLICATE, row, old)
        known = row is not None and row.active
        return Ruling("replace", Reason.DUPLICATE if known else Reason.EDITED, row, old)

    def find(self, wish: Stated) -> Matches:
        """The one in the same words, active or not; else an active one like it."""
        near = near_rows(wish)
        if near.same:
            (row,) = store.load_rows(wish.scope, [near.same.id]).values()
            found: Memory | None = _current(wish.scope, row)
        elif not wish.candidate.withheld and (waiting := _tombstone_for_waiting(wish)):
            found = waiting
        else:
            limit = thresholds(wish.model).duplicate
            alike = (
                row.id
                for row, cosine in near.near
                if row.active
                and cosine > limit
                and not differ(wish.reading, reading_of(row.content))
            )
            rows = store.load_rows(wish.scope, list(alike)[:1])
            found = next(iter(rows.values()), None)
        if found is None:
            return Matches()
        return Matches(gone=found) if found.is_retracted else Matches([found])

    def restore_replaced(
        self, scope: Scope, facts: Sequence[Memory], keys: Collection[UUID]
    ) -> None:
        replaced = Memory.objects.owned_by(scope).filter(
            retired_reason=Retired.SUPERSEDED, updates_away__new__in=keys
        )
        for memory in replaced.exclude(pk__in=keys).distinct():
            if store.find_successor(scope, memory) is None:
                store.reinstate(scope, memory)

    def forget_all(self, scope: Scope, at: datetime | None) -> list[Fact]:
        """Those that others have a link to stay theirs."""
        own = Memory.objects.owned_by(scope).exclude(retired_reason=Retired.RETRACTED)
        MemoryLink.objects.filter(
            user_id=store.owner(scope), space_id=scope.space_id
        ).delete()
        unlinked = ~Exists(MemoryLink.objects.filter(memory=OuterRef("pk")))
        own.filter(unlinked).retire(Retired.RETRACTED, at)
        return []


SENTENCES = Sentences()


def _current(scope: Scope, memory: Memory) -> Memory:
    """The memory, or the active one that superseded it and states as much."""
    successor = None if memory.active else store.find_successor(scope, memory)
    if successor is None:
        return memory
    tells = successor.refines or extends(
        reading_of(successor.memory.content), reading_of(memory.content)
    )
    return successor.memory if tells else memory


def _tombstone_for_waiting(wish: Stated) -> Memory | None:
    """Give a deferred fact its row, so that it is rejected when stored."""
    for job, candidate in deferred.facts(wish.scope):
        apart = are_apart(candidate.subject, wish.candidate.subject)
        if deferred.states(candidate, wish.line) and not apart:
            line = one_line(str(candidate.text))
            known = store.same_text(wish.scope, content_hash(line))
            return known or Memory.objects.create(
                user_id=store.owner(wish.scope),
                space_id=wish.scope.space_id,
                channel=wish.scope.channel,
                content=line,
                content_hash=content_hash(line),
                origin=job.origin,
                stated_at=job.stated_at,
            )
    return None
