"""Forget what a user's sentences name, in memories, profile and waiting messages."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from django.db import transaction

from meddie.ai.embeddings import Embedder
from meddie.text import one_line
from memory import journal
from memory.facts import deferred, lore, store
from memory.facts.copies import erase_copies
from memory.facts.guards import MAX_PER_REPLY
from memory.facts.neighbours import Neighbours, Probe
from memory.facts.normalise import content_hash, without_date
from memory.facts.profile_forgetting import forget_stated
from memory.facts.remember import Item, Prepared, with_vectors
from memory.facts.retraction import retract_versions
from memory.facts.same_fact import differ, extends
from memory.models import Memory, MemoryEvent
from memory.models.embedded import DIMENSIONS, NO_MODEL
from memory.models.memory import CONTENT_LIMIT
from memory.reasons import Reason
from memory.recall.query import Query, terms
from memory.recall.rankings import RANKINGS
from memory.recall.recall import rank_shelf
from memory.recall.shelves import OWN_MEMORIES
from memory.recall.thresholds import thresholds
from memory.values import Candidate, Decision, Provenance
from memory.vectors import vector_text
from people.scope import Scope

NEAREST = 3  # memories to offer for a wish that matches none


def prepare_forgetting(
    sentences: Sequence[object], *, embedder: Embedder | None = None
) -> Prepared:
    """Normalise and embed; the guards of new facts do not apply."""
    wishes = map(without_date, sentences)
    items = [_wish(w, n >= MAX_PER_REPLY) for n, w in enumerate(wishes)]
    return with_vectors(items, embedder)


def _wish(sentence: object, too_many: bool) -> Item:  # noqa: FBT001 -- private
    line = one_line(sentence) if isinstance(sentence, str) else ""
    refusal = Reason.TOO_MANY if too_many else None if line else Reason.BLANK
    if len(line) > CONTENT_LIMIT:
        refusal = Reason.TOO_LONG
    return Item(Candidate(line), line, refusal)


def forget(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    """Retract exact and near matches, also if `scope.writes` is false."""
    if scope.user_id is None:
        return [Decision(i.line, "reject", Reason.NO_MEMORY) for i in prepared.items]
    if not prepared.items:
        return []
    with transaction.atomic():
        store.lock(scope)
        decisions = [
            decision
            for item in prepared.items
            for decision in _forget_all_stated(scope, item, prepared, provenance)
        ]
        later = [Candidate(d.text) for d in decisions if d.action == "defer"]
        if later:
            deferred.put(scope, deferred.FORGET, later, provenance)
        journal.record(
            scope,
            MemoryEvent.Kind.FORGET,
            {"decisions": [journal.decision_data(decision) for decision in decisions]},
        )
    return decisions


def _forget_all_stated(
    scope: Scope, item: Item, prepared: Prepared, wish: Provenance
) -> list[Decision]:
    """Decide on a wish for memories, profile facts and messages that wait."""
    if item.refusal is not None:
        return [Decision(item.line, "reject", item.refusal)]
    probe = _probe(item, prepared.model)
    of_space, kept = _forget_lore(scope, item.line, probe, wish.stated_at)
    decision, texts = _forget(scope, item, prepared, wish.stated_at)
    if of_space and decision.action != "retract":
        decision = Decision(
            item.line, "retract", Reason.FORGOTTEN, None, of_space[0].pk
        )
    texts += [memory.content for memory in of_space]
    decisions, lines = forget_stated(scope, item.line, wish.stated_at)
    waited = erase_copies(scope, [*texts, *lines], wish=wish, wished=item.line)
    if decisions and decision.action == "ignore":
        return decisions
    if waited and decision.reason == Reason.NOT_FOUND:
        decision = Decision(item.line, "retract", Reason.FORGOTTEN)
    if kept and decision.reason == Reason.NOT_FOUND:
        decision = Decision(item.line, "ignore", Reason.OF_SPACE, None, kept[0].pk)
    return [decision, *decisions]


def _forget_lore(
    scope: Scope, line: str, probe: Probe, at: datetime
) -> tuple[list[Memory], list[Memory]]:
    """The stated lore that was retracted, and what only others may retract."""
    stated = lore.find_stated(scope, line, probe)
    if not stated:
        return [], []
    allowed = set(lore.may_retract(scope).values_list("pk", flat=True))
    retracted = [memory for memory in stated if memory.pk in allowed]
    lore.retract_lore(retracted, scope, at)
    return retracted, [memory for memory in stated if memory.pk not in allowed]


def _forget(
    scope: Scope, item: Item, prepared: Prepared, at: datetime
) -> tuple[Decision, list[str]]:
    """The decision, and the retracted texts."""
    neighbours = store.find_neighbours(scope, _probe(item, prepared.model))
    same = neighbours.same
    memory = (
        _current(scope, store.load_rows(scope, [same.id])[same.id]) if same else None
    )
    if memory and memory.retired_reason == Memory.RetiredReason.RETRACTED:
        return Decision(
            item.line, "ignore", Reason.ALREADY_FORGOTTEN, None, memory.pk
        ), []
    memory = memory or _tombstone_for_waiting(scope, item)
    if memory is None and item.vector is None:
        return Decision(item.line, "defer", Reason.EMBEDDING_FAILED), []
    memory = memory or _nearest(scope, item, neighbours, prepared.model)
    if memory is None:
        offered = _offered(scope, item, prepared.model)
        return Decision(item.line, "ignore", Reason.NOT_FOUND, nearest=offered), []
    texts = retract_versions(scope, memory, at)
    return Decision(item.line, "retract", Reason.FORGOTTEN, None, memory.pk), texts


def _current(scope: Scope, memory: Memory) -> Memory:
    """The memory, or the active one that superseded it and states as much."""
    successor = None if memory.active else store.find_successor(scope, memory)
    if successor is None:
        return memory
    tells = successor.refines or extends(successor.memory.content, memory.content)
    return successor.memory if tells else memory


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
            return store.load_rows(scope, [row.id])[row.id]
    return None


def _offered(scope: Scope, item: Item, model: str) -> tuple[uuid.UUID, ...]:
    query = Query(item.line, terms(item.line), vector=item.vector, model=model)
    ranking = RANKINGS["chat"]
    found, _ = rank_shelf(
        scope, query, OWN_MEMORIES, ranking, gated=False, limit=NEAREST
    )
    return tuple(row.memory_id for row in found)


def _tombstone_for_waiting(scope: Scope, item: Item) -> Memory | None:
    """Give a deferred fact its row, so that it is rejected when stored."""
    for job, candidate in deferred.facts(scope):
        if deferred.states(candidate, item.line):
            line = one_line(str(candidate.text))
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
