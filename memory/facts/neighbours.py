"""Similar rows of a scope, found in one exact pass under the scope's lock.

No vector index is used: it may leave rows out.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, Self

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import connection
from django.db.models import F, QuerySet
from pgvector.django import CosineDistance

from meddie.ai.vectors import Vector
from memory.models import Memory
from memory.models.embedded import NO_MODEL, WHOLE
from memory.recall.thresholds import thresholds
from memory.subjects import Subject
from memory.vectors import vector_values
from memory.visibility import linked_sql, lore_sql, owned_sql, scope_values
from memory.wording.same_fact import are_apart
from memory.wording.words import USER, content_tokens, plain, stem
from people.scope import Scope

MOST_NEIGHBOURS = 10
RANK_OFFSET = 60  # of reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009
RERANKED = 200
MARGIN = 0.01  # for the rounding of the short copies


class Neighbour(NamedTuple):
    """`same` is set by the hash. `linked` is None for other rows."""

    id: uuid.UUID
    content: str
    active: bool
    retracted: bool
    retired_at: datetime | None
    same: bool
    linked: bool | None
    cosine: float | None
    subject: str | None
    person_id: uuid.UUID | None

    @property
    def about_if_read(self) -> Subject | None:
        """As of a fact."""
        if self.subject is None:
            return None
        return Subject.read(self.subject, self.person_id)


LOOK = """
SELECT * FROM (
    SELECT id, content, active, retracted, retired_at, same,
           CASE WHEN same THEN {linked} END AS linked, {cosine} AS cosine,
           subject, person_id
      FROM (
        SELECT r.*, row_number() OVER (ORDER BY distance, id) AS rank FROM (
            SELECT m.id, m.content, m.active, m.retired_at, m.embedding, m.near,
                   m.retired_reason = 'retracted' AS retracted,
                   m.content_hash = %(content_hash)s AS same,
                   m.subject, m.person_id,
                   CASE WHEN m.embedding_model = %(model)s
                         AND (m.active OR m.retired_reason = 'retracted')
                        THEN m.near <=> %(near)s::halfvec END AS distance
              FROM memories m
             WHERE {which}
            OFFSET 0  -- else the distance would be computed at each mention
        ) r WHERE same OR {reach}
    ) r OFFSET 0
) r WHERE same OR cosine >= %(least)s
"""
OWN, LORE = owned_sql("m"), lore_sql("m")
SHORT = partial(
    LOOK.format,
    linked=linked_sql("r"),
    reach="distance <= 1 - %(least)s",
    cosine="CASE WHEN rank <= %(judged)s THEN 1 - distance END",
)
# The short copies select the rows that are compared in full.
IN_FULL = partial(
    LOOK.format,
    linked=linked_sql("r"),
    reach="distance IS NOT NULL",
    cosine=f"CASE WHEN rank <= %(judged)s THEN 1 - ({WHOLE} <=> %(vector)s::vector) END",
)


def least_alike(model: str) -> float:
    """The cosine below which capture ignores a row."""
    levels = thresholds(model)
    return min(levels.duplicate, levels.tombstone)


@dataclass(frozen=True, slots=True)
class Probe:
    """The hash of a line or a vector, or both."""

    content_hash: str = ""
    vector: Vector | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The row of the same text, and similar rows, nearest first."""

    same: Neighbour | None
    near: Sequence[tuple[Neighbour, float]]

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> Self:
        found = [Neighbour._make(row) for row in rows]
        near = [(row, row.cosine) for row in found if row.cosine is not None]
        near.sort(key=lambda pair: (-pair[1], pair[0].id))
        return cls(next((row for row in found if row.same), None), near)


def find_neighbours(scope: Scope, probe: Probe, which: str = OWN) -> Neighbours:
    """Among the scope's own rows, or its LORE."""
    values: dict[str, Any] = {
        "near": None,
        "vector": None,
        "content_hash": probe.content_hash,
        "model": probe.model,
        "least": least_alike(probe.model) - MARGIN,
        "judged": RERANKED,
    }
    if probe.vector is not None:
        values |= vector_values(probe.vector)
    look = IN_FULL if values["vector"] else SHORT
    with connection.cursor() as cursor:
        cursor.execute(look(which=which), values | scope_values(scope))
        return Neighbours.of(cursor.fetchall())


def nearest(scope: Scope, memory: Memory) -> list[Memory]:
    """The ten comparable active memories closest by vector and by words.

    Those about others are none.
    """
    others = Memory.objects.visible_to(scope).active().comparable_to(memory)
    others = others.defer("embedding", "near")
    ranks: dict[Memory, float] = defaultdict(float)
    about = memory.about_if_read
    for found in (_by_vector(others, memory), _by_words(others, memory)):
        for rank, row in enumerate(found[:MOST_NEIGHBOURS]):
            if are_apart(row.about_if_read, about):
                continue
            ranks[row] += 1 / (RANK_OFFSET + rank)
    return sorted(ranks, key=lambda row: -ranks[row])[:MOST_NEIGHBOURS]


def _by_vector(others: QuerySet[Memory], memory: Memory) -> QuerySet[Memory]:
    if memory.embedding_model == NO_MODEL:
        return others.none()
    comparable = others.filter(embedding_model=memory.embedding_model)
    return comparable.order_by(CosineDistance("near", memory.near), "pk")


def _by_words(others: QuerySet[Memory], memory: Memory) -> QuerySet[Memory]:
    words = [plain(word) for word in content_tokens(memory.content)]
    words = [word for word in words if word not in USER]
    if not words:
        return others.none()
    prefixes = " | ".join(f"'{stem(word)}':*" for word in words)
    query = SearchQuery(prefixes, config="simple", search_type="raw")
    rank = SearchRank(F("content_tsv"), query)
    return others.filter(content_tsv=query).order_by(-rank, "pk")
