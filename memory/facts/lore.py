"""Lore: lines that replies keep for a whole space (S3-27 to S3-32).

A line is stored at once without a vector. Tasks embed it and refresh the operators'
snapshot after the commit.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from memory.facts import store
from memory.facts.decide import Known, Ruling
from memory.facts.journal_lines import renew_snapshot_later
from memory.facts.kind import FactColumn, Matches, Retired, Stated
from memory.facts.neighbours import LORE as LORE_ROWS
from memory.facts.neighbours import Probe, find_neighbours
from memory.facts.sentences import MemoryKind
from memory.models import Fact, Memory, MemoryPolicy
from memory.models.embedded import NO_MODEL
from memory.models.memory import MemoryQuerySet
from memory.reasons import Reason
from memory.recall.shelves import LORE_SHELF, Shelf
from memory.recall.thresholds import thresholds
from memory.values import (
    LORE_KIND,
    LoreCandidate,
    Proposal,
    lore_text,
    told_line,
)
from memory.wording.guards import refusal, ungrounded
from memory.wording.reading import reading_of
from memory.wording.same_fact import content_hash, differ, same_words
from people.models import Membership, User
from people.scope import Scope

SHORTEST_LINE, LONGEST_LINE = 4, 320  # characters, S3-18 and S3-20
LORE_CONFIDENCE = 0.72


class Lore(MemoryKind):
    name, candidate, shelf = LORE_KIND, LoreCandidate, LORE_SHELF
    columns = (FactColumn("text", "content", stored=lore_text, told=told_line),)
    is_exported = False

    def line(self, candidate: LoreCandidate) -> str:
        """At most 320 characters, without the full stop that the stored text adds."""
        return super().line(candidate)[:LONGEST_LINE].rstrip(" .")

    def proposal(self, candidate: LoreCandidate) -> Proposal:
        line = self.line(candidate)
        short = len(line) < SHORTEST_LINE
        reason = refusal(candidate.text) or (Reason.TOO_SHORT if short else None)
        return Proposal(LoreCandidate(line), line, reason)

    def shelves(self, scope: Scope) -> list[Shelf]:
        return [self.shelf] if _is_wanted(scope) else []

    def switched_off(self, fact: Stated, *, captures_inline: bool) -> Reason | None:
        return None if _is_wanted(fact.scope) else Reason.LORE_OFF

    def refusals(self, stated: Sequence[Stated]) -> list[Reason | None]:
        reasons = [
            fact.proposal.refusal or ungrounded(fact.line, fact.provenance)
            for fact in stated
        ]
        # The question about a picture would be for a fact of the user's own.
        unsaid = {Reason.UNREAD_PICTURE: Reason.UNGROUNDED}
        return [unsaid.get(reason, reason) if reason else None for reason in reasons]

    def lock(self, scope: Scope) -> None:
        store.lock_lore(scope.space_id)

    def look(self, stated: Stated) -> Known:
        """The line is said again by who told it, or by another member."""
        found = find_line(stated.scope.space_id, stated.line)
        if found is None:
            return Known()
        if found.active:
            return Known(same=found)
        if not found.is_retracted:
            return Known(row=found)
        said = found.retired_at is None or stated.at > found.retired_at
        return Known(row=found) if said else Known(forgotten=found)

    def fill(self, stated: Stated, row: Memory) -> None:
        super().fill(stated, row)
        row.user_id, row.told_by_id = None, stated.scope.user_id
        row.audience, row.kind = Memory.Audience.SPACE, Memory.Kind.LORE
        row.confidence, row.origin = LORE_CONFIDENCE, Memory.Origin.LORE

    def store(
        self, stated: Stated, row: Any, old: Any, reason: Reason, *, is_new: bool
    ) -> None:
        """In the place of another line by staff, whose teller stays."""
        if old is not None:
            row.told_by_id, row.channel, row.room = (
                old.told_by_id,
                old.channel,
                old.room,
            )
            row.origin = stated.provenance.origin
        row.active, row.retired_reason, row.retired_at = True, "", None
        row.save(force_insert=is_new)
        if old is not None:
            store.supersede(stated.scope, old, row, reason)
        transaction.on_commit(partial(Memory.embed_later, [row.pk]))
        renew_snapshot_later(stated.scope.space_id)

    def restate(self, stated: Stated, row: Memory) -> None:
        """Keep the line its first teller's while they are a member."""
        scope = stated.scope
        if stated.at <= row.stated_at:
            return
        row.stated_at = stated.at
        members = Membership.objects.filter(space_id=scope.space_id)
        first = members.filter(user__in=[row.told_by_id])
        if row.told_by_id == scope.user_id or not first.exists():
            row.told_by_id = scope.user_id
            row.source_message_id = stated.provenance.message_id
        fields = ["told_by", "stated_at", "source_message", "updated_at"]
        row.save(update_fields=fields)

    def own(self, scope: Scope, *, of_all: bool = False) -> Any:
        lore = Memory.objects.lore_of(scope.space_id)
        return lore if of_all else Memory.objects.told_by(scope)

    def correctable(self, scope: Scope, by: User | None) -> Any:
        return self.own(scope, of_all=True) if by else Memory.objects.none()

    def correction(self, proposal: Proposal, old: Memory) -> Proposal:
        return self.proposal(LoreCandidate(told_line(proposal.line)))

    def rule_correction(self, stated: Stated, old: Memory) -> Ruling:
        if not old.active:
            return Ruling("reject", Reason.GONE)
        known = find_line(stated.scope.space_id, stated.line)
        if known is not None and known.is_retracted:
            return Ruling("reject", Reason.RETRACTED)
        if known is not None and known.active:
            return Ruling("ignore", Reason.DUPLICATE)
        return Ruling("replace", Reason.EDITED, known, old)

    def find(self, wish: Stated) -> Matches:
        """Lines that the user told, or any for an admin; the others are of others."""
        found = _said_by(wish)
        if not found:
            return Matches()
        allowed = set(_may_retract(wish.scope).values_list("pk", flat=True))
        others = (line for line in found if line.pk not in allowed)
        return Matches(
            [line for line in found if line.pk in allowed], of_others=next(others, None)
        )

    def forget_all(self, scope: Scope, at: datetime | None) -> list[Fact]:
        """Each has copies of its own."""
        told = self.own(scope).exclude(retired_reason=Retired.RETRACTED)
        return list(told.defer(*Memory.VECTORS))


LORE = Lore()


def _is_wanted(scope: Scope) -> bool:
    return MemoryPolicy.objects.of(scope.space_id).lore


def find_line(space_id: uuid.UUID, line: str) -> Memory | None:
    """The row of the line, or one that says it in the same words."""
    rows = Memory.objects.lore_of(space_id).defer("embedding", "near")
    same = rows.filter(content_hash=content_hash(lore_text(line))).first()
    return same or find_reworded(rows, line)


def find_reworded(rows: MemoryQuerySet, line: str) -> Memory | None:
    """An active or retracted row that says the line in the same words."""
    retracted = Q(retired_reason=Retired.RETRACTED)
    others = rows.filter(Q(active=True) | retracted).exclude(content="")
    said = reading_of(line)
    return next(
        (r for r in others if same_words(reading_of(told_line(r.content)), said)), None
    )


def _said_by(wish: Stated) -> list[Memory]:
    """Active lore of the space that a wish states."""
    vector = None if wish.model == NO_MODEL else wish.proposal.vector
    near = find_neighbours(wish.scope, Probe("", vector, wish.model), LORE_ROWS).near
    limit = thresholds(wish.model).duplicate
    alike = {row.id for row, cosine in near if cosine > limit and row.active}
    wished = reading_of(told_line(wish.line))
    lore = Memory.objects.lore_of(wish.scope.space_id).active()
    return [
        memory
        for memory in lore.defer(*Memory.VECTORS)
        if same_words(wished, reading_of(told_line(memory.content)))
        or (
            memory.pk in alike
            and not differ(wished, reading_of(told_line(memory.content)))
        )
    ]


def _may_retract(scope: Scope) -> MemoryQuerySet:
    """Active lore that the user told; all of the space for its admins."""
    lore = Memory.objects.lore_of(scope.space_id).active()
    admin = Membership.objects.filter(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        role=Membership.Role.ADMIN,
    )
    return lore if admin.exists() else lore.filter(told_by=scope.user_id)
