"""Decide on a fact in the scope's lock, and write its rows."""

import uuid

from meddie.text import one_line
from memory.capture import store
from memory.capture.pending import Fact
from memory.capture.same_fact import extends, may_replace, same_words
from memory.models import Memory
from memory.reasons import Reason
from memory.recall.thresholds import thresholds
from memory.values import Decision

KINDS = frozenset(Memory.Kind.values)
EVIDENCE_LIMIT = 220  # characters


def decide(fact: Fact) -> Decision:
    return (
        _known(fact)
        or _retracted(fact)
        or _outdated(fact)
        or _restated(fact)
        or _store(fact)
    )


def _known(fact: Fact) -> Decision | None:
    """Ignore a fact that is active in the same or nearly the same words."""
    same = fact.neighbours.same
    if same is not None and same.active and same.linked:
        return _ignore(fact, store.load_memory(fact.scope, same), Reason.DUPLICATE)
    limit = thresholds(fact.model).duplicate
    for row, cosine in fact.neighbours.near:
        alike = row.active and not row.same and cosine > limit
        if alike and same_words(fact.line, row.content):
            memory = store.load_memory(fact.scope, row)
            return _ignore(fact, memory, Reason.NEAR_DUPLICATE)
    return _ignore(fact, fact.twin, Reason.SAME_MESSAGE) if fact.twin else None


def _ignore(fact: Fact, memory: Memory, reason: Reason) -> Decision:
    store.restate(fact.scope, memory, fact.candidate.confidence, fact.provenance)
    return fact.decided("ignore", reason, memory, memory)


def _retracted(fact: Fact) -> Decision | None:
    """Reject what was forgotten, unless the user states it again."""
    for tombstone in fact.tombstones:
        if not fact.is_stated_since(tombstone.retired_at):
            row = store.load_memory(fact.scope, tombstone)
            return fact.decided("reject", Reason.RETRACTED, None, row)
    return None


def _outdated(fact: Fact) -> Decision | None:
    """Keep what would replace a newer statement as superseded by it."""
    newer = fact.superseded
    if newer is None or newer.stated_at <= fact.provenance.stated_at:
        return None
    memory = fact.row
    if memory is None:
        memory = filled(fact, Memory(pk=uuid.uuid4()))
        store.insert_superseded(fact.scope, memory, newer, Reason.OUTDATED)
    return fact.decided("ignore", Reason.OUTDATED, memory, newer)


def _restated(fact: Fact) -> Decision | None:
    """Ignore a retired sentence that is not newer, or that is part of an active one."""
    row, successor = fact.row, fact.successor
    if row is None:
        return None
    dates = [row.stated_at, *([successor.memory.stated_at] if successor else [])]
    if fact.provenance.stated_at <= max(dates):
        return fact.decided("ignore", Reason.OUTDATED, None, row)
    if successor is None:
        return None
    if successor.refines or extends(successor.memory.content, fact.line):
        return _ignore(fact, successor.memory, Reason.DUPLICATE)
    return None


def _store(fact: Fact) -> Decision:
    row = fact.row
    memory = filled(fact, row or Memory(pk=uuid.uuid4()))
    if row is None:
        store.insert(memory, fact.literal)
    else:
        store.revive(fact.scope, memory)
    old = fact.superseded or _contradicted(fact)
    if old and old.stated_at < fact.provenance.stated_at:
        store.supersede(fact.scope, old, memory, Reason.NEWER)
        return fact.decided("replace", Reason.NEWER, memory, old)
    return fact.decided("add", Reason.REVIVED if row else Reason.NEW, memory)


def _contradicted(fact: Fact) -> Memory | None:
    """What replaced the sentence before the user stated it once more."""
    successor = fact.successor
    if successor is None or not successor.contradicts:
        return None
    old = successor.memory
    return old if may_replace(fact.line, old.content) else None


def filled(fact: Fact, memory: Memory) -> Memory:
    """The unsaved row of a fact."""
    provenance, candidate = fact.provenance, fact.candidate
    memory.user_id, memory.space_id = store.owner(fact.scope), fact.scope.space_id
    memory.content, memory.content_hash = fact.line, fact.content_hash
    memory.embedding, memory.embedding_model = fact.vector, fact.model
    memory.kind = candidate.kind if candidate.kind in KINDS else Memory.Kind.OTHER
    memory.confidence = candidate.confidence
    memory.evidence = one_line(candidate.evidence)[:EVIDENCE_LIMIT]
    memory.source, memory.origin = provenance.source, provenance.origin
    memory.source_message_id, memory.run_id = provenance.message_id, provenance.run_id
    memory.channel, memory.stated_at = fact.scope.channel, provenance.stated_at
    memory.active, memory.retired_reason, memory.retired_at = True, "", None
    return memory
