"""Many facts at once, as an import brings them: the same rows in far fewer statements.

Most facts of an import have nothing to do with what was told before: no row and no fact
in front of them says the same, nearly the same, or anything about the same attribute.
Which those are is asked of the database for a whole batch; they are written together. The
others go through the usual door one by one, behind them: what a fact does not touch may
as well be there already.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import numpy as np
from django.db import connection, transaction

from meddie.ai.embeddings import Embedder
from memory import journal
from memory.capture import copying, store
from memory.capture.closeness import Matrix, close_to_rows
from memory.capture.contradiction import topics
from memory.capture.neighbours import MARGIN, least_alike
from memory.capture.normalise import content_hash
from memory.capture.pending import Fact
from memory.capture.remember import Prepared, commit, filled, prepare_facts, settle
from memory.models import Memory, MemoryEvent
from memory.recall.asking import owner
from memory.recall.shelves import MEMORIES
from memory.recall.thresholds import thresholds
from memory.values import Candidate, Decision, Provenance
from memory.vectors import NO_MODEL
from people.scope import Scope

BATCH = 500
CONTENTS = f"SELECT r.content FROM {MEMORIES.table} r WHERE {MEMORIES.visible}"  # noqa: S608 -- constants
"""As recall reads them: with the links as a join it took 400 ms for 1,500 rows right after
an import, when the planner knows nothing yet."""
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
        prepared = prepare_facts([c for c, _ in part], embedder=embedder, most=BATCH)
        provenance = [
            Provenance(Memory.Origin.IMPORT, stated_at) for _, stated_at in part
        ]
        write = _one_by_one if prepared.error else _together
        decisions += write(scope, prepared, provenance)
    return decisions


def _one_by_one(
    scope: Scope, prepared: Prepared, provenance: Sequence[Provenance]
) -> Iterator[Decision]:
    """Without vectors every fact waits in a job of its own, as it was said."""
    for item, when in zip(prepared.items, provenance, strict=True):
        yield from commit(
            scope, Prepared((item,), prepared.model, prepared.error), when
        )


def _together(
    scope: Scope, prepared: Prepared, provenance: Sequence[Provenance]
) -> list[Decision]:
    with transaction.atomic():
        store.lock(scope)
        facts = {
            number: Fact(
                scope, item.candidate, item.line, item.vector, prepared.model, when
            )
            for number, (item, when) in enumerate(
                zip(prepared.items, provenance, strict=True)
            )
            if item.vector is not None
        }
        alone = facts.keys() - touching(scope, facts, prepared.model)
        decided = dict(_added({n: facts[n] for n in sorted(alone)}))
        for number, (item, when) in enumerate(
            zip(prepared.items, provenance, strict=True)
        ):
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
    """Write what touches nothing before it."""
    memories = {number: filled(fact, Memory()) for number, fact in facts.items()}
    copying.insert_many(list(memories.values()))
    for number, memory in memories.items():
        yield number, facts[number].decided("add", "new", memory)


def touching(scope: Scope, facts: dict[int, Fact], model: str) -> set[int]:
    """The numbers of the facts that may have to do with a row, or with a fact of a smaller
    number."""
    named = {n for n, fact in facts.items() if fact.candidate.supersedes}
    known = named | _same(scope, facts) | _rivals(scope, facts)
    if model == NO_MODEL or not facts:
        return known
    vectors = np.array([fact.vector for fact in facts.values()])
    close = _alike(scope, vectors, model) | close_to_rows(scope, vectors, model)
    numbers = list(facts)
    return known | {numbers[place] for place in close}


@dataclass(frozen=True, slots=True)
class _Marks:
    """What of each fact may meet something else, in the order of the facts."""

    of: dict[int, frozenset[object]]

    def shared(self, there: Iterable[object]) -> set[int]:
        """Facts with a mark that is there already, or that a fact before them has."""
        known = set(there)
        met = set()
        for number, marks in self.of.items():
            if not known.isdisjoint(marks):
                met.add(number)
            known |= marks
        return met


def _same(scope: Scope, facts: dict[int, Fact]) -> set[int]:
    hashes = {n: frozenset([content_hash(f.line)]) for n, f in facts.items()}
    there = Memory.objects.filter(
        audience=Memory.Audience.PRIVATE,
        user_id=store.owner(scope),
        space_id=scope.space_id,
        content_hash__in=[h for one in hashes.values() for h in one],
    )
    return _Marks(dict(hashes)).shared(there.values_list("content_hash", flat=True))


def _rivals(scope: Scope, facts: dict[int, Fact]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(CONTENTS, owner(scope, MEMORIES))
        there = [_topics(text) for (text,) in cursor.fetchall()]
    marks = _Marks({n: _topics(fact.line) for n, fact in facts.items()})
    return marks.shared(topic for found in there for topic in found)


@lru_cache(maxsize=50_000)
def _topics(text: str) -> frozenset[object]:
    return frozenset(topics(text))


def _alike(scope: Scope, vectors: Matrix, model: str) -> set[int]:
    """The places of vectors that are close to one before them."""
    retracted = Memory.objects.filter(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        retired_reason=Memory.RetiredReason.RETRACTED,
    )
    limit = least_alike(model) if retracted.exists() else thresholds(model).duplicate
    told = vectors[:, vectors.any(axis=0)]  # padding costs time, too
    close = np.tril(told @ told.T > limit - MARGIN, -1)
    return set(np.flatnonzero(close.any(axis=1)).tolist())
