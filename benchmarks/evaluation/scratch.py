"""Stores that are always rolled back."""

import logging
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from django.db import connection

from benchmarks.evaluation.locomo import Unit, UnitKind
from meddie.ai.embeddings import Embedder
from memory import journal
from memory.facts.imports import BATCH, commit_batch
from memory.facts.prepare import prepare_facts
from memory.models import Memory
from memory.models.embedded import DIMENSIONS, NEAR_DIMENSIONS
from memory.recall import calibration
from memory.recall.shelves import MEMORIES, Shelf
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, Prepared, Provenance
from memory.vectors import embed_texts, vector_values
from memory.visibility import IN_SCOPE
from people.models import User
from people.scope import Scope

SHELF = Shelf("scratch_units", IN_SCOPE.format(row="r"))
TURNS = replace(SHELF, session="r.session", place="r.place", speaker="r.speaker")
CREATE = f"""
CREATE TEMPORARY TABLE scratch_units (
    id uuid PRIMARY KEY, user_id uuid NOT NULL, space_id uuid NOT NULL,
    content text NOT NULL, stated_at timestamptz NOT NULL,
    speaker text NOT NULL, session integer NOT NULL, place integer NOT NULL,
    near halfvec({NEAR_DIMENSIONS}) NOT NULL, embedding vector({DIMENSIONS}),
    embedding_model text NOT NULL,
    content_tsv tsvector GENERATED ALWAYS AS ({{expression}}) STORED
) ON COMMIT DROP
"""
EXPRESSION = """
SELECT generation_expression FROM information_schema.columns
 WHERE table_name = 'memories' AND column_name = 'content_tsv'
"""
INSERT = """
INSERT INTO scratch_units
       (id, user_id, space_id, content, stated_at, speaker, session, place,
        near, embedding, embedding_model)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
Progress = Callable[[int], object]


class EmbeddingFailed(Exception):
    """The embedding model did not answer."""


@dataclass(slots=True)
class Store:
    """A filled shelf."""

    scope: Scope
    shelf: Shelf
    covers: dict[uuid.UUID, frozenset[str]] = field(default_factory=dict)
    decisions: Counter[str] = field(default_factory=Counter)

    def add(self, memory_id: uuid.UUID, covers: frozenset[str]) -> None:
        self.covers[memory_id] = self.covers.get(memory_id, frozenset()) | covers


Filling = Callable[[Scope], Store]


def prepare_filling(
    units: Sequence[Unit], kind: UnitKind, embedder: Embedder, progress: Progress
) -> Filling:
    """Embed the units and return a function that stores them. Raises EmbeddingFailed."""
    if kind == "observation":
        return _prepare_facts(units, embedder, progress)
    return _prepare_rows(units, kind, embedder, progress)


@contextmanager
def scratch(filling: Filling) -> Iterator[Store]:
    """Store the units for a new user, and roll back at the end."""
    with scratch_scope("evaluation") as (_, scope):
        yield filling(scope)


@contextmanager
def scratch_scope(channel: str) -> Iterator[tuple[User, Scope]]:
    """A new user in a new space, rolled back at the end, without log lines."""
    before = journal.logger.level
    journal.logger.setLevel(logging.WARNING)
    try:
        with calibration.scratch_scope(channel) as made:
            yield made
    finally:
        journal.logger.setLevel(before)


def _prepare_facts(
    units: Sequence[Unit], embedder: Embedder, progress: Progress
) -> Filling:
    batches: list[tuple[Sequence[Unit], Prepared]] = []
    for start in range(0, len(units), BATCH):
        batch = units[start : start + BATCH]
        facts = [Candidate(unit.text) for unit in batch]
        prepared = prepare_facts(facts, NO_HOUSEHOLD, embedder=embedder, most=BATCH)
        if prepared.error:
            raise EmbeddingFailed(prepared.error)
        batches.append((batch, prepared))
        progress(len(batch))

    def fill(scope: Scope) -> Store:
        store = Store(scope, MEMORIES)
        for batch, prepared in batches:
            told = [Provenance(Memory.Origin.IMPORT, unit.stated_at) for unit in batch]
            decisions = commit_batch(scope, prepared, told)
            for unit, decision in zip(batch, decisions, strict=True):
                store.decisions[decision.action] += 1
                if decision.memory_id is not None:
                    store.add(decision.memory_id, unit.covers)
        return store

    return fill


def _prepare_rows(
    units: Sequence[Unit], kind: UnitKind, embedder: Embedder, progress: Progress
) -> Filling:
    vectors = embed_texts([unit.text for unit in units], embedder)
    progress(len(units))
    if vectors.values is None:
        raise EmbeddingFailed(vectors.error)
    values = [vector_values(vector) for vector in vectors.values]

    def fill(scope: Scope) -> Store:
        store = Store(scope, TURNS if kind == "turn" else SHELF)
        with connection.cursor() as cursor:
            cursor.execute(EXPRESSION)
            (expression,) = cursor.fetchone()
            cursor.execute(CREATE.format(expression=expression))
            for unit, vector in zip(units, values, strict=True):
                row = uuid.uuid4()
                who = (row, scope.user_id, scope.space_id)
                what = (unit.text, unit.stated_at)
                where = (unit.speaker, unit.session, unit.place)
                model = (vector["near"], vector["vector"], vectors.model)
                cursor.execute(INSERT, (*who, *what, *where, *model))
                store.add(row, unit.covers)
        return store

    return fill
