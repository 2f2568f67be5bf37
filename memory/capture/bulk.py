"""Many facts at once, as an import brings them: the same rows in far fewer statements.

Most facts of an import have nothing to do with any other: no row and no other fact says
the same, nearly the same, or anything about the same attribute. Which those are is asked
of the database for a whole batch; they are written together. The others go through the
usual door one by one, behind them: what a fact does not touch may as well be there
already.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np
from django.db import connection, transaction

from meddie.ai.embeddings import Embedder
from memory import journal
from memory.capture import rows
from memory.capture.contradiction import topics
from memory.capture.normalise import content_hash
from memory.capture.remember import Fact, Prepared, commit, filled, prepare, settle
from memory.capture.vectors import NO_MODEL
from memory.models import Memory, MemoryEvent, MemoryLink
from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall.thresholds import thresholds
from memory.recall.vector_text import vector_text
from memory.values import Candidate, Decision, Said
from people.scope import Scope

BATCH = 500
MARGIN = 0.01
"""The short copies of vectors are rounded, so a little less likeness counts too."""
NEAREST = """
SELECT q.number
  FROM unnest(%(near)s::text[], %(vectors)s::text[])
       WITH ORDINALITY AS q (near, vector, number)
 CROSS JOIN LATERAL (
       SELECT m.id FROM memories m
        WHERE m.user_id = %(user)s AND m.space_id = %(space)s
          AND m.audience = 'private' AND m.embedding_model = %(model)s
          AND (m.active OR m.retired_reason = 'retracted')
        ORDER BY m.near <=> q.near::vector::halfvec(384) LIMIT %(reranked)s
 ) n JOIN memories m ON m.id = n.id
 GROUP BY q.number
HAVING bool_or(1 - (m.embedding <=> q.vector::vector)
               > CASE WHEN m.active THEN %(duplicate)s ELSE %(retold)s END - %(margin)s)
"""

Told = tuple[Candidate, datetime]
"""A fact, and when it was said."""


def import_facts(
    scope: Scope, told: Sequence[Told], *, embedder: Embedder | None = None
) -> list[Decision]:
    """Remember everything, and say what became of each, as if it came one by one."""
    if not scope.writes or scope.user_id is None:
        return [Decision(str(c.text), "reject", "no_memory") for c, _ in told]
    decisions: list[Decision] = []
    for start in range(0, len(told), BATCH):
        part = told[start : start + BATCH]
        prepared = prepare([c for c, _ in part], embedder=embedder, most=BATCH)
        said = [Said(Memory.Origin.IMPORT, stated_at) for _, stated_at in part]
        write = _one_by_one if prepared.error else _together
        decisions += write(scope, prepared, said)
    return decisions


def _one_by_one(
    scope: Scope, prepared: Prepared, said: Sequence[Said]
) -> Iterator[Decision]:
    """Without vectors every fact waits in a job of its own, as it was said."""
    for item, when in zip(prepared.items, said, strict=True):
        yield from commit(
            scope, Prepared((item,), prepared.model, prepared.error), when
        )


def _together(scope: Scope, prepared: Prepared, said: Sequence[Said]) -> list[Decision]:
    with transaction.atomic():
        rows.lock(scope)
        facts = {
            number: Fact(
                scope, item.candidate, item.line, item.vector, prepared.model, when
            )
            for number, (item, when) in enumerate(
                zip(prepared.items, said, strict=True)
            )
            if item.vector is not None
        }
        alone = facts.keys() - touching(scope, facts, prepared.model)
        decided = dict(_added({n: facts[n] for n in sorted(alone)}))
        for number, (item, when) in enumerate(zip(prepared.items, said, strict=True)):
            if number not in alone:
                decided[number] = settle(scope, item, prepared.model, when)
        decisions = [decided[number] for number in range(len(prepared.items))]
        data = [journal.as_data(decision) for decision in decisions]
        journal.record(
            scope,
            MemoryEvent.Kind.DECISION,
            {"origin": Memory.Origin.IMPORT, "decisions": data},
        )
    return decisions


def _added(facts: dict[int, Fact]) -> Iterator[tuple[int, Decision]]:
    """Write what touches nothing."""
    memories = {number: filled(fact, Memory()) for number, fact in facts.items()}
    Memory.objects.bulk_create(memories.values())
    MemoryLink.objects.bulk_create(
        MemoryLink(
            user_id=rows.owner(fact.scope),
            space_id=fact.scope.space_id,
            memory=memories[number],
        )
        for number, fact in facts.items()
    )
    for number, memory in memories.items():
        yield number, facts[number].decided("add", "new", memory)


def touching(scope: Scope, facts: dict[int, Fact], model: str) -> set[int]:
    """The numbers of the facts that may have to do with a row or with one another."""
    named = {n for n, fact in facts.items() if fact.candidate.supersedes}
    known = named | _same(scope, facts) | _rivals(scope, facts)
    if model == NO_MODEL or not facts:
        return known
    return known | _alike(scope, facts, model) | _near(scope, facts, model)


@dataclass(frozen=True, slots=True)
class _Marks:
    """What of each fact may meet something else."""

    of: dict[int, frozenset[object]]

    def shared(self, there: Iterable[object]) -> set[int]:
        """Facts with a mark that is there already, or that another fact has."""
        known = set(there)
        counts = Counter(mark for marks in self.of.values() for mark in marks)
        return {
            number
            for number, marks in self.of.items()
            if any(mark in known or counts[mark] > 1 for mark in marks)
        }


def _same(scope: Scope, facts: dict[int, Fact]) -> set[int]:
    hashes = {n: frozenset([content_hash(f.line)]) for n, f in facts.items()}
    there = Memory.objects.filter(
        audience=Memory.Audience.PRIVATE,
        user_id=rows.owner(scope),
        space_id=scope.space_id,
        content_hash__in=[h for one in hashes.values() for h in one],
    )
    return _Marks(dict(hashes)).shared(there.values_list("content_hash", flat=True))


def _rivals(scope: Scope, facts: dict[int, Fact]) -> set[int]:
    active = Memory.objects.visible_to(scope).active()
    there = (_topics(text) for text in active.values_list("content", flat=True))
    marks = _Marks({n: _topics(fact.line) for n, fact in facts.items()})
    return marks.shared(topic for found in there for topic in found)


@lru_cache(maxsize=50_000)
def _topics(text: str) -> frozenset[object]:
    return frozenset(topics(text))


def _alike(scope: Scope, facts: dict[int, Fact], model: str) -> set[int]:
    retracted = Memory.objects.filter(
        user_id=rows.owner(scope), retired_reason=Memory.RetiredReason.RETRACTED
    )
    levels = thresholds(model)
    limit = levels.duplicate
    if retracted.exists():
        limit = min(limit, levels.retold)
    numbers = list(facts)
    vectors = np.array([facts[number].vector for number in numbers])
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    return {numbers[i] for i in np.flatnonzero(cosines.max(axis=1) > limit - MARGIN)}


def _near(scope: Scope, facts: dict[int, Fact], model: str) -> set[int]:
    levels = thresholds(model)
    vectors = [fact.vector for fact in facts.values()]
    wide = any(vector[NEAR_DIMENSIONS:].any() for vector in vectors)
    values: dict[str, Any] = {
        "user": rows.owner(scope),
        "space": scope.space_id,
        "model": model,
        "near": [vector_text(vector[:NEAR_DIMENSIONS]) for vector in vectors],
        "vectors": [vector_text(vector) for vector in vectors],
        "reranked": rows.RERANKED if wide else 2 * rows.NEIGHBOURS,
        "duplicate": levels.duplicate,
        "retold": min(levels.duplicate, levels.retold),
        "margin": MARGIN,
    }
    with connection.cursor() as cursor:
        cursor.execute(NEAREST, values)
        numbers = list(facts)
        return {numbers[place - 1] for (place,) in cursor.fetchall()}
