"""The one door into memory: prepare_facts, decide, commit.

Preparing talks to the embedding model and touches no database. Committing is one short
transaction under the scope's lock and talks to nobody. In it each candidate is looked at
once more and written, and ends in a Decision with a reason; all of them are kept as one
event.
"""

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
from memory.vectors import embed
from people.scope import Scope

KEPT_OF_A_REFUSED_TEXT = 200
KINDS = frozenset(Memory.Kind.values)
STORED = frozenset({"add", "replace"})


@dataclass(frozen=True, slots=True)
class Item:
    """A candidate, its line, and the reason if it may not be stored."""

    candidate: Candidate
    line: str
    refusal: str | None
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """Candidates ready for the database. `error` says why there are no vectors."""

    items: tuple[Item, ...]
    model: str
    error: str = ""


def prepare_facts(
    candidates: Sequence[Candidate],
    *,
    embedder: Embedder | None = None,
    most: int = MAX_PER_REPLY,
) -> Prepared:
    """Normalise, guard, and embed what may stay in one batch. No database.

    A failing embedder is not raised: `commit` then lets the candidates wait.
    """
    items = [_look_at(c, too_many=index >= most) for index, c in enumerate(candidates)]
    lines = [item.line for item in items if item.refusal is None]
    vectors = embed(lines, embedder)
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


def _look_at(candidate: Candidate, *, too_many: bool) -> Item:
    reason = "too_many" if too_many else refusal(candidate.text)
    line = one_line(candidate.text) if isinstance(candidate.text, str) else ""
    kept = line if reason is None else line[:KEPT_OF_A_REFUSED_TEXT]
    return Item(candidate, kept, reason)


def commit(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    """Store what is new, and say what became of each candidate.

    Opens its own transaction, or joins the caller's; nothing in it waits for the
    network.
    """
    if not scope.writes or scope.user_id is None:
        return [Decision(i.line, "reject", "no_memory") for i in prepared.items]
    if not prepared.items:
        return []
    with transaction.atomic():
        decisions = _decide(scope, prepared, provenance)
        finish(scope, provenance, decisions)
    return decisions


def finish(scope: Scope, provenance: Provenance, decisions: Sequence[Decision]) -> None:
    """Record the decisions of one commit, and have what it stored resolved."""
    data = [journal.as_data(decision) for decision in decisions]
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


def remember(
    scope: Scope,
    candidates: Sequence[Candidate],
    provenance: Provenance,
    *,
    embedder: Embedder | None = None,
) -> list[Decision]:
    """Prepare and commit, for callers with nothing to do in between."""
    if not scope.writes or scope.user_id is None:
        return [Decision(str(c.text), "reject", "no_memory") for c in candidates]
    return commit(scope, prepare_facts(candidates, embedder=embedder), provenance)


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
    """Write one candidate, or not; the caller holds the scope's lock."""
    if item.refusal is not None:
        return Decision(item.line, "reject", item.refusal)
    if item.vector is None:
        return Decision(item.line, "defer", "embedding_failed")
    fact = Fact(scope, item.candidate, item.line, item.vector, model, provenance)
    return known(fact) or outdated(fact) or resembling(fact) or write(fact, None)


def known(fact: Fact) -> Decision | None:
    """What follows when the very sentence is there already, whatever became of it."""
    found = fact.around.same
    if found is None:
        return None
    row = store.whole(fact.scope, found)
    if row.active and found.linked:
        store.refresh(row, fact.candidate.confidence, fact.provenance.stated_at)
        return fact.decided("ignore", "duplicate", row, row)
    if row.retired_reason == Memory.RetiredReason.RETRACTED:
        if not _outlives(fact, found):
            return fact.decided("reject", "retracted", None, row)
    elif not row.active and not _is_newer(fact, row):
        return fact.decided("ignore", "outdated", None, row)
    return outdated(fact) or write(fact, row)


def _outlives(fact: Fact, tombstone: Neighbour) -> bool:
    retired = tombstone.retired_at
    return retired is not None and fact.provenance.stated_at > retired and fact.returns


def _is_newer(fact: Fact, row: Memory) -> bool:
    limit = max(filter(None, (row.stated_at, store.successor_stated_at(row))))
    return fact.provenance.stated_at > limit


def outdated(fact: Fact) -> Decision | None:
    """A late job or an import must not win over what was said after it."""
    for rival in fact.rivals:
        if rival.stated_at > fact.provenance.stated_at:
            return fact.decided("ignore", "outdated", None, rival)
    return None


def resembling(fact: Fact) -> Decision | None:
    """What follows when nearly the same is there: a duplicate, or a tombstone."""
    for found, cosine in fact.around.near:
        if found.active and _is_double(fact, found, cosine):
            row = store.whole(fact.scope, found)
            store.refresh(row, fact.candidate.confidence, fact.provenance.stated_at)
            return fact.decided("ignore", "near_duplicate", row, row)
    for found, cosine in fact.around.near:
        if not found.active and _was_taken_back(fact, found, cosine):
            row = store.whole(fact.scope, found)
            return fact.decided("reject", "retracted", None, row)
    return None


def _is_double(fact: Fact, row: Neighbour, cosine: float) -> bool:
    limit = thresholds(fact.model).duplicate
    return cosine > limit and same_words(fact.line, row.content)


def _was_taken_back(fact: Fact, tombstone: Neighbour, cosine: float) -> bool:
    """The same talk going on finds other words for it, so less likeness is enough."""
    levels = thresholds(fact.model)
    alike = cosine > levels.duplicate and not _differs(fact, tombstone)
    again = cosine > levels.retold and retells(fact.line, tombstone.content)
    return (alike or again) and not _outlives(fact, tombstone)


def _differs(fact: Fact, row: Neighbour) -> bool:
    """A tombstone whose text is blanked can only be told by its vector."""
    return bool(row.content) and differ(fact.line, row.content)


def write(fact: Fact, row: Memory | None) -> Decision:
    """Write the fact, into the row that it had before or into a new one, and let what
    it contradicts give way."""
    gone = [r for r in fact.rivals if r.stated_at < fact.provenance.stated_at]
    memory = filled(fact, row or Memory(pk=uuid.uuid4()))
    if row is None:
        store.insert(memory, fact.literal)
    else:
        memory.save()
        store.link(fact.scope, memory)
        store.audit(fact.scope, None, memory, "revived")
    for old in gone:
        store.supersede(fact.scope, old, memory, "newer")
    if gone:
        return fact.decided("replace", "newer", memory, gone[0])
    return fact.decided("add", "revived" if row else "new", memory)


def filled(fact: Fact, memory: Memory) -> Memory:
    """The row as it says the fact, not yet saved."""
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
