"""Lore: lines that replies keep for a whole space (S3-27 to S3-32).

A line is stored at once without a vector. Tasks embed it and refresh the operators'
snapshot after the commit.
"""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.db.models import Q

from meddie.text import one_line
from memory import journal
from memory.facts import store
from memory.facts.decide import decide
from memory.facts.journal_lines import renew_snapshot_later
from memory.facts.look import Known
from memory.models import Memory, MemoryPolicy
from memory.models.embedded import NO_MODEL, NO_VECTOR
from memory.models.memory import MemoryQuerySet
from memory.reasons import Reason
from memory.values import Decision, Provenance, lore_text, told_line
from memory.wording.guards import (
    MAX_PER_REPLY,
    refusal,
    ungrounded,
    without_date,
)
from memory.wording.reading import reading_of
from memory.wording.same_fact import content_hash, same_words
from people.models import Membership
from people.scope import Scope

SHORTEST, LONGEST = 4, 320  # characters of a line, S3-18 and S3-20
CONFIDENCE = 0.72


def settle_lore(
    scope: Scope, lines: Sequence[object], provenance: Provenance
) -> list[Decision]:
    """Decide on lines for all members, if the space's policy wants lore.

    The caller holds the scope's lock.
    """
    if not MemoryPolicy.objects.of(scope.space_id).lore:
        return []
    told = replace(provenance, origin=Memory.Origin.LORE)
    store.lock_lore(scope.space_id)
    decisions = [_settle(scope, line, told) for line in lines[:MAX_PER_REPLY]]
    journal.record_run(scope, told.origin, decisions, by=told.by)
    return decisions


def _settle(scope: Scope, told: object, provenance: Provenance) -> Decision:
    line = normalised_line(told)
    reason = refused_line(told) or ungrounded(line, provenance)
    if reason == Reason.UNREAD_PICTURE:
        # The question would be for a fact of the user's own.
        reason = Reason.UNGROUNDED
    if reason is not None:
        return Decision(line, "reject", reason)
    found = find_line(scope.space_id, line)
    ruling = decide(_look(found, provenance), provenance.stated_at)
    if ruling.action == "add":
        row = found or Memory()
        row.told_by_id = scope.user_id
        row.channel, row.room = scope.channel, scope.room
        write_line(row, scope.space_id, line, provenance)
        return Decision(line, "add", ruling.reason, row.pk)
    if found is not None and ruling.row is found:
        _tell_again(found, scope, provenance)
    key, target = (fact.pk if fact else None for fact in (ruling.row, ruling.target))
    return Decision(line, ruling.action, ruling.reason, key, target)


def _look(found: Memory | None, provenance: Provenance) -> Known:
    """The line is said again by who told it, or by another member."""
    if found is None:
        return Known()
    if found.active:
        return Known(same=found)
    if not found.is_retracted:
        return Known(row=found)
    said = found.retired_at is None or provenance.stated_at > found.retired_at
    return Known(row=found) if said else Known(forgotten=found)


def refused_line(told: object) -> Reason | None:
    """The reason of the guards against it."""
    short = len(normalised_line(told)) < SHORTEST
    return refusal(told) or (Reason.TOO_SHORT if short else None)


def normalised_line(told: object) -> str:
    """At most 320 characters, without the full stop that the stored text adds."""
    line = one_line(told) if isinstance(told, str) else ""
    return str(without_date(line))[:LONGEST].rstrip(" .")


def find_line(space_id: uuid.UUID, line: str) -> Memory | None:
    """The row of the line, or one that says it in the same words."""
    rows = Memory.objects.lore_of(space_id).defer("embedding", "near")
    same = rows.filter(content_hash=content_hash(lore_text(line))).first()
    if same is not None:
        return same
    return find_reworded(rows, line)


def find_reworded(rows: MemoryQuerySet, line: str) -> Memory | None:
    """An active or retracted row that says the line in the same words."""
    retracted = Q(retired_reason=Memory.RetiredReason.RETRACTED)
    others = rows.filter(Q(active=True) | retracted).exclude(content="")
    return next(
        (
            r
            for r in others
            if same_words(reading_of(told_line(r.content)), reading_of(line))
        ),
        None,
    )


def write_line(
    memory: Memory, space_id: uuid.UUID, line: str, provenance: Provenance
) -> Memory:
    """Store the line in a row whose teller and channel are set."""
    memory.space_id = space_id
    memory.audience, memory.kind = Memory.Audience.SPACE, Memory.Kind.LORE
    memory.content = lore_text(line)
    memory.content_hash = content_hash(memory.content)
    memory.confidence = CONFIDENCE
    memory.origin, memory.source = provenance.origin, provenance.source
    memory.source_message_id = provenance.message_id
    memory.run_id, memory.stated_at = provenance.run_id, provenance.stated_at
    memory.active, memory.retired_reason, memory.retired_at = True, "", None
    memory.vector, memory.embedding_model = NO_VECTOR, NO_MODEL
    memory.save()
    transaction.on_commit(partial(Memory.embed_later, [memory.pk]))
    renew_snapshot_later(space_id)
    return memory


def _tell_again(memory: Memory, scope: Scope, provenance: Provenance) -> None:
    """Keep the line its first teller's while they are a member."""
    if provenance.stated_at <= memory.stated_at:
        return
    memory.stated_at = provenance.stated_at
    members = Membership.objects.filter(space_id=scope.space_id)
    first = members.filter(user__in=[memory.told_by_id])
    if memory.told_by_id == scope.user_id or not first.exists():
        memory.told_by_id = scope.user_id
        memory.source_message_id = provenance.message_id
    memory.save(update_fields=["told_by", "stated_at", "source_message", "updated_at"])
