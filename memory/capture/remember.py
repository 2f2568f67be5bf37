"""Store facts: prepare with the model, then commit in one transaction."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from meddie.ai.embeddings import Embedder
from meddie.ai.vectors import Vector
from meddie.text import one_line
from memory import journal
from memory.capture import deferred, store
from memory.capture.guards import MAX_PER_REPLY, refusal
from memory.capture.neighbours import Neighbour
from memory.capture.pending import Fact
from memory.capture.same_fact import differ, retells, same_words
from memory.models import Memory, MemoryEvent
from memory.models.memory import CONTENT_LIMIT
from memory.recall.thresholds import thresholds
from memory.values import Candidate, Decision, Provenance
from memory.vectors import embed_texts
from people.scope import Scope

KINDS = frozenset(Memory.Kind.values)
STORED = frozenset({"add", "replace"})


@dataclass(frozen=True, slots=True)
class Item:
    """`refusal` says why the line may not be stored."""

    candidate: Candidate
    line: str
    refusal: str | None
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """`error` says why there are no vectors."""

    items: tuple[Item, ...]
    model: str
    error: str = ""


def prepare_facts(
    candidates: Sequence[Candidate],
    *,
    embedder: Embedder | None = None,
    most: int = MAX_PER_REPLY,
) -> Prepared:
    """Normalise, guard and embed in one batch. A failing model is not raised."""
    items = [_item(c, too_many=index >= most) for index, c in enumerate(candidates)]
    return with_vectors(items, embedder)


def with_vectors(items: Sequence[Item], embedder: Embedder | None) -> Prepared:
    lines = [item.line for item in items if item.refusal is None]
    vectors = embed_texts(lines, embedder)
    if vectors.values is None:
        return Prepared(tuple(items), "", vectors.error)
    ready = iter(vectors.values)
    return Prepared(
        tuple(
            Item(i.candidate, i.line, i.refusal, next(ready))
            if i.refusal is None
            else i
            for i in items
        ),
        vectors.model,
    )


def _item(candidate: Candidate, *, too_many: bool) -> Item:
    reason = candidate.withheld or ("too_many" if too_many else refusal(candidate.text))
    line = one_line(candidate.text) if isinstance(candidate.text, str) else ""
    return Item(candidate, line, reason)


def commit(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    """Store new facts, in the caller's transaction or its own."""
    if not scope.writes or scope.user_id is None:
        return [Decision(i.line, "reject", "no_memory") for i in prepared.items]
    if not prepared.items:
        return []
    with transaction.atomic():
        decisions = _decide(scope, prepared, provenance)
        finish_commit(scope, provenance, decisions)
    return decisions


def finish_commit(
    scope: Scope, provenance: Provenance, decisions: Sequence[Decision]
) -> None:
    """Record the decisions, and enqueue the resolution of stored facts."""
    data = [journal.decision_data(decision) for decision in decisions]
    journal.record(
        scope,
        MemoryEvent.Kind.DECISION,
        {"origin": provenance.origin, "decisions": data},
    )
    stored = [d.memory_id for d in decisions if d.action in STORED and d.memory_id]
    others = Memory.objects.visible_to(scope).active()
    others = others.exclude(stated_at=provenance.stated_at)
    if stored and others.exists():
        deferred.put_resolution(scope, stored, provenance)


def _decide(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    captures_inline = store.lock(scope)
    if provenance.origin == Memory.Origin.INLINE and not captures_inline:
        return [Decision(i.line, "reject", "capture_off") for i in prepared.items]
    accepted = [i.candidate for i in prepared.items if i.refusal is None]
    if prepared.error and accepted:
        deferred.put(scope, deferred.REMEMBER, accepted, provenance)
        journal.record(
            scope, MemoryEvent.Kind.EMBEDDING_ERROR, {"error": prepared.error}
        )
    return [settle(scope, item, prepared.model, provenance) for item in prepared.items]


def settle(scope: Scope, item: Item, model: str, provenance: Provenance) -> Decision:
    """The caller holds the scope's lock."""
    if item.refusal is not None:
        return Decision(item.line, "reject", item.refusal)
    if item.vector is None:
        return Decision(item.line, "defer", "embedding_failed")
    fact = Fact(scope, item.candidate, item.line, item.vector, model, provenance)
    return _known(fact) or _outdated(fact) or _resembling(fact) or _store(fact, None)


def _known(fact: Fact) -> Decision | None:
    """Decide where the same sentence exists, active or retired."""
    found = fact.neighbours.same
    if found is None:
        return None
    row = store.load_memory(fact.scope, found)
    if row.active and found.linked:
        store.refresh(row, fact.candidate.confidence, fact.provenance.stated_at)
        return fact.decided("ignore", "duplicate", row, row)
    if row.retired_reason == Memory.RetiredReason.RETRACTED:
        if not _is_stated_again(fact, found):
            return fact.decided("reject", "retracted", None, row)
    elif not row.active and not _is_newer(fact, row):
        return fact.decided("ignore", "outdated", None, row)
    return _outdated(fact) or _store(fact, row)


def _is_stated_again(fact: Fact, tombstone: Neighbour) -> bool:
    retired, stated = tombstone.retired_at, fact.provenance.stated_at
    return retired is not None and stated > retired and fact.is_in_message


def _is_newer(fact: Fact, row: Memory) -> bool:
    limit = max(filter(None, (row.stated_at, store.successor_stated_at(row))))
    return fact.provenance.stated_at > limit


def _outdated(fact: Fact) -> Decision | None:
    """Ignore a late job or import that would replace a newer statement."""
    old = fact.superseded
    if old and old.stated_at > fact.provenance.stated_at:
        return fact.decided("ignore", "outdated", None, old)
    return None


def _resembling(fact: Fact) -> Decision | None:
    """Decide where nearly the same sentence exists."""
    for found, cosine in fact.neighbours.near:
        if found.active and _is_duplicate(fact, found, cosine):
            row = store.load_memory(fact.scope, found)
            store.refresh(row, fact.candidate.confidence, fact.provenance.stated_at)
            return fact.decided("ignore", "near_duplicate", row, row)
    for found, cosine in fact.neighbours.near:
        if not found.active and _was_retracted(fact, found, cosine):
            row = store.load_memory(fact.scope, found)
            return fact.decided("reject", "retracted", None, row)
    return None


def _is_duplicate(fact: Fact, row: Neighbour, cosine: float) -> bool:
    limit = thresholds(fact.model).duplicate
    return cosine > limit and same_words(fact.line, row.content)


def _was_retracted(fact: Fact, tombstone: Neighbour, cosine: float) -> bool:
    """Accept a lower cosine: the same conversation rephrases the fact."""
    levels = thresholds(fact.model)
    alike = cosine > levels.duplicate and not _differs(fact, tombstone)
    again = cosine > levels.retold and retells(fact.line, tombstone.content)
    return (alike or again) and not _is_stated_again(fact, tombstone)


def _differs(fact: Fact, row: Neighbour) -> bool:
    """A blanked tombstone has no text: only its vector is compared."""
    return bool(row.content) and differ(fact.line, row.content)


def _store(fact: Fact, row: Memory | None) -> Decision:
    memory = _filled(fact, row or Memory(pk=uuid.uuid4()))
    if row is None:
        store.insert(memory, fact.literal)
    else:
        memory.save()
        store.link(fact.scope, memory)
        store.audit(fact.scope, None, memory, "revived")
    old = fact.superseded
    if old and old.stated_at < fact.provenance.stated_at:
        store.supersede(fact.scope, old, memory, "newer")
        return fact.decided("replace", "newer", memory, old)
    return fact.decided("add", "revived" if row else "new", memory)


def _filled(fact: Fact, memory: Memory) -> Memory:
    provenance, candidate = fact.provenance, fact.candidate
    memory.user_id, memory.space_id = store.owner(fact.scope), fact.scope.space_id
    memory.content, memory.content_hash = fact.line, fact.content_hash
    memory.embedding, memory.embedding_model = fact.vector, fact.model
    memory.kind = candidate.kind if candidate.kind in KINDS else Memory.Kind.OTHER
    memory.confidence = candidate.confidence
    memory.evidence = one_line(candidate.evidence)[:CONTENT_LIMIT]
    memory.source, memory.origin = provenance.source, provenance.origin
    memory.source_message_id, memory.run_id = provenance.message_id, provenance.run_id
    memory.channel, memory.stated_at = fact.scope.channel, provenance.stated_at
    memory.active, memory.retired_reason, memory.retired_at = True, "", None
    return memory
