"""Retract memories: they leave every answer at once, their text after 30 days.

The row remains as a tombstone, so that the same conversation does not restore the fact.
"""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from meddie.text import one_line
from memory import journal
from memory.capture import deferred, store
from memory.capture.neighbours import Neighbours, Probe
from memory.capture.normalise import content_hash
from memory.capture.remember import Item, Prepared, prepare_facts
from memory.capture.same_fact import differ, same_words
from memory.models import Memory, MemoryEvent
from memory.models.embedded import DIMENSIONS, NO_MODEL
from memory.recall.thresholds import thresholds
from memory.values import Candidate, Decision, Provenance
from memory.vectors import vector_text
from people.models import User
from people.scope import Scope, retraction_scope

TEXT_KEPT = timedelta(days=30)


def prepare_forgetting(
    sentences: Sequence[object], *, embedder: Embedder | None = None
) -> Prepared:
    return prepare_facts(
        [Candidate(sentence) for sentence in sentences], embedder=embedder
    )


def forget(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    """Retract exact and near matches, also if `scope.writes` is false."""
    if scope.user_id is None:
        return [Decision(i.line, "reject", "no_memory") for i in prepared.items]
    if not prepared.items:
        return []
    with transaction.atomic():
        store.lock(scope)
        decisions = [_forget(scope, item, prepared) for item in prepared.items]
        later = [Candidate(d.text) for d in decisions if d.action == "defer"]
        if later:
            deferred.put(scope, deferred.FORGET, later, provenance)
        journal.record(
            scope,
            MemoryEvent.Kind.FORGET,
            {"decisions": [journal.decision_data(decision) for decision in decisions]},
        )
    return decisions


def _forget(scope: Scope, item: Item, prepared: Prepared) -> Decision:
    if item.refusal is not None:
        return Decision(item.line, "reject", item.refusal)
    neighbours = store.find_neighbours(scope, _probe(item, prepared.model))
    same = neighbours.same
    memory = store.load_memory(scope, same) if same else None
    if memory and memory.retired_reason == Memory.RetiredReason.RETRACTED:
        return Decision(item.line, "ignore", "already_forgotten", None, memory.pk)
    memory = memory or _tombstone_for_waiting(scope, item)
    if memory is None and item.vector is None:
        return Decision(item.line, "defer", "embedding_failed")
    memory = memory or _nearest(scope, item, neighbours, prepared.model)
    if memory is None:
        return Decision(item.line, "ignore", "not_found")
    _retire(scope, memory)
    return Decision(item.line, "retract", "forgotten", None, memory.pk)


def _probe(item: Item, model: str) -> Probe:
    if model == NO_MODEL or item.vector is None:
        return Probe(content_hash(item.line))
    vector = vector_text(item.vector)
    return Probe(content_hash(item.line), vector=vector, model=model)


def _nearest(
    scope: Scope, item: Item, neighbours: Neighbours, model: str
) -> Memory | None:
    limit = thresholds(model).duplicate
    for row, cosine in neighbours.near:
        if row.active and cosine > limit and not differ(item.line, row.content):
            return store.load_memory(scope, row)
    return None


def _tombstone_for_waiting(scope: Scope, item: Item) -> Memory | None:
    """Give a deferred fact its row, so that it is rejected when stored."""
    for job, candidate in deferred.facts(scope):
        line = one_line(candidate.text) if isinstance(candidate.text, str) else ""
        if content_hash(line) == content_hash(item.line) or same_words(line, item.line):
            return store.same_text(scope, content_hash(line)) or Memory.objects.create(
                user_id=store.owner(scope),
                space_id=scope.space_id,
                channel=scope.channel,
                content=line,
                content_hash=content_hash(line),
                origin=job.origin,
                stated_at=job.stated_at,
                embedding=np.zeros(DIMENSIONS, np.float32),
                embedding_model=NO_MODEL,
            )
    return None


def retract(memory: Memory, by: User) -> bool:
    """Retract on behalf of staff; False if it was retracted before."""
    with transaction.atomic():
        scope = _lock_owner(memory)
        memory.refresh_from_db(fields=["active", "retired_reason"])
        if scope is None or memory.retired_reason == Memory.RetiredReason.RETRACTED:
            return False
        _retire(scope, memory)
        data = {"memory": str(memory.pk), "by": str(by.pk)}
        journal.record(scope, MemoryEvent.Kind.FORGET, data)
    return True


@transaction.atomic
def erase(memory: Memory) -> None:
    """Retract a memory and blank its text at once; the tombstone remains."""
    scope = _lock_owner(memory)
    if scope is None:
        store.retire(memory, Memory.RetiredReason.RETRACTED)
    else:
        _retire(scope, memory)
        data = {"memory": str(memory.pk), "erased": True}
        journal.record(scope, MemoryEvent.Kind.FORGET, data)
    _blank(Memory.objects.filter(pk=memory.pk))


def _lock_owner(memory: Memory) -> Scope | None:
    """Lock the scope of a user's memory."""
    if memory.user_id is None or memory.space_id is None:
        return None
    scope = retraction_scope(memory.user_id, memory.space_id, channel=memory.channel)
    store.lock(scope)
    return scope


def _retire(scope: Scope, memory: Memory) -> None:
    """The answers of dead resolutions may quote the memory."""
    store.retire(memory, Memory.RetiredReason.RETRACTED)
    deferred.drop_raw_answers(scope)


def blank_old_texts() -> int:
    return _blank(
        Memory.objects.filter(
            retired_reason=Memory.RetiredReason.RETRACTED,
            retired_at__lt=timezone.now() - TEXT_KEPT,
        ).exclude(content="", evidence="")
    )


def _blank(memories: QuerySet[Memory]) -> int:
    return memories.update(content="", evidence="")
