"""Lore: lines that replies keep for a whole space (S3-27 to S3-32).

A line is stored at once without a vector. Tasks embed it and refresh the operators'
snapshot after the commit.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import numpy as np
from django.db import transaction
from django.db.models import Q

from meddie.text import one_line
from memory import journal
from memory.facts import store
from memory.facts.copies import erase_copies
from memory.facts.decide import decide
from memory.facts.guards import MAX_PER_REPLY, refusal
from memory.facts.journal_lines import renew_snapshot_later
from memory.facts.look import Known
from memory.facts.neighbours import LORE, Probe
from memory.facts.normalise import content_hash, without_date
from memory.facts.remember import is_grounded
from memory.facts.same_fact import differ, same_words
from memory.models import Memory, MemoryPolicy
from memory.models.embedded import DIMENSIONS, NO_MODEL
from memory.models.memory import MemoryQuerySet
from memory.reasons import Reason
from memory.recall.thresholds import thresholds
from memory.values import Decision, Provenance, lore_text, told_line
from people.models import Membership
from people.scope import Scope, retraction_scope

SHORTEST, LONGEST = 4, 320  # characters of a line, S3-18 and S3-20
CONFIDENCE = 0.72
ADMIN = Membership.Role.ADMIN


def remember_lore(
    scope: Scope, lines: Sequence[object], provenance: Provenance
) -> list[Decision]:
    """Store lines for all members, if the space's policy wants lore."""
    policy = MemoryPolicy.objects.all().of(scope.space_id)
    if not (lines and scope.writes and scope.user_id and policy.lore):
        return []
    with transaction.atomic():
        store.lock_lore(scope.space_id)
        decisions = [_settle(scope, line, provenance) for line in lines[:MAX_PER_REPLY]]
        journal.record_run(scope, provenance.origin, decisions)
    return decisions


def _settle(scope: Scope, told: object, provenance: Provenance) -> Decision:
    line = normalised_line(told)
    reason = refused_line(told)
    if reason is None and not is_grounded(line, provenance):
        reason = Reason.UNGROUNDED
    if reason is not None:
        return Decision(line, "reject", reason)
    found = find_line(scope.space_id, line)
    ruling = decide(_look(found, provenance), provenance.stated_at)
    if ruling.action == "add":
        row = found or Memory()
        row.told_by_id, row.channel = scope.user_id, scope.channel
        write_line(row, scope.space_id, line, provenance)
        return Decision(line, "add", ruling.reason, row.pk)
    if found is not None and ruling.row is found:
        _tell_again(found, scope, provenance)
    key, target = (one.pk if one else None for one in (ruling.row, ruling.target))
    return Decision(line, ruling.action, ruling.reason, key, target)


def _look(found: Memory | None, provenance: Provenance) -> Known:
    """The line is said again by who told it, or by another member."""
    if found is None:
        return Known()
    if found.active:
        return Known(same=found)
    if found.retired_reason != Memory.RetiredReason.RETRACTED:
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
    return _find_reworded(rows, line)


def _find_reworded(rows: MemoryQuerySet, line: str) -> Memory | None:
    """An active or retracted row that says the line in the same words."""
    retracted = Q(retired_reason=Memory.RetiredReason.RETRACTED)
    others = rows.filter(Q(active=True) | retracted).exclude(content="")
    return next((r for r in others if same_words(told_line(r.content), line)), None)


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
    memory.embedding = np.zeros(DIMENSIONS, np.float32)
    memory.embedding_model = NO_MODEL
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


def told_lore(scope: Scope) -> MemoryQuerySet:
    """Lore that the user told, also retired."""
    return Memory.objects.lore_of(scope.space_id).filter(told_by=store.owner(scope))


def may_retract(scope: Scope) -> MemoryQuerySet:
    """Active lore that the user told; all of the space for its admins."""
    lore = Memory.objects.lore_of(scope.space_id).active()
    admin = Membership.objects.filter(
        user_id=store.owner(scope), space_id=scope.space_id, role=ADMIN
    )
    return lore if admin.exists() else lore.filter(told_by=scope.user_id)


def find_stated(scope: Scope, line: str, probe: Probe) -> list[Memory]:
    """Active lore of the space that a wish states."""
    near = store.find_neighbours(scope, probe, LORE).near
    limit = thresholds(probe.model).duplicate
    alike = {row.id for row, cosine in near if cosine > limit and row.active}
    lore = Memory.objects.lore_of(scope.space_id).active().defer("embedding", "near")
    return [memory for memory in lore if _states(line, memory, near=memory.pk in alike)]


def _states(line: str, memory: Memory, *, near: bool) -> bool:
    wished, told = told_line(line), told_line(memory.content)
    return same_words(wished, told) or (near and not differ(wished, told))


def retract_lore(
    memories: Sequence[Memory], scope: Scope, at: datetime | None = None
) -> None:
    """Retract lines with earlier versions, and copies of the wisher and the tellers.

    The scope is that of who wants it.
    """
    if not memories:
        return
    tellers = {memory.told_by_id for memory in memories if memory.told_by_id}
    tellers -= {store.owner(scope)}
    scopes = [retraction_scope(one, scope.space_id) for one in sorted(tellers)]
    for teller in scopes:
        store.lock(teller)
    store.lock_lore(scope.space_id)
    lines = [*memories, *store.earlier_versions(scope, memories, lore=True)]
    for line in lines:
        store.retire(line, Memory.RetiredReason.RETRACTED, at)
    texts = [line.content for line in lines]
    for each in (scope, *scopes):
        erase_copies(each, [*texts, *map(told_line, texts)])


def restore_lore(scope: Scope, ids: Sequence[uuid.UUID], at: datetime) -> list[Memory]:
    """Restore lines that were retracted `at`, while their texts are kept."""
    lore = Memory.objects.lore_of(scope.space_id).filter(
        pk__in=ids, retired_reason=Memory.RetiredReason.RETRACTED, retired_at=at
    )
    restored = list(lore.exclude(content="").defer("embedding", "near"))
    for memory in restored:
        store.reactivate(memory)
    return restored


def withdraw_lore(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Retire what the user told in messages that were edited."""
    store.lock_lore(scope.space_id)
    lore = Memory.objects.lore_of(scope.space_id).active()
    edited = lore.filter(told_by=scope.user_id, source_message__in=message_ids)
    store.retire_rows(edited, Memory.RetiredReason.SUPERSEDED)


def restore_withdrawn_lore(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Restore what the user told in messages that are current again.

    What was replaced, or has been told again or forgotten since, stays away.
    """
    store.lock_lore(scope.space_id)
    lore = Memory.objects.lore_of(scope.space_id).defer("embedding", "near")
    withdrawn = lore.filter(
        told_by=scope.user_id,
        source_message__in=message_ids,
        retired_reason=Memory.RetiredReason.SUPERSEDED,
        updates_away=None,
    )
    for memory in withdrawn.exclude(content=""):
        if _find_reworded(lore, told_line(memory.content)) is None:
            store.reactivate(memory)


@transaction.atomic
def archive_lore(space_id: uuid.UUID, kept: int) -> int:
    """Archive all but the newest lines (S3-31); return how many."""
    store.lock_lore(space_id)
    lore = Memory.objects.lore_of(space_id).active()
    newest = lore.order_by("-stated_at", "-pk").values("pk")[:kept]
    older = lore.exclude(pk__in=list(newest.values_list("pk", flat=True)))
    return store.retire_rows(older, Memory.RetiredReason.ARCHIVED)
