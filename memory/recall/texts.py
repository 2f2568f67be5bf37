"""Texts of the best rows."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from memory.recall.shelves import Shelf
from memory.recall.sql import named_rows, owner_values
from memory.values import Recalled
from people.scope import Scope

# Scores of two alike statements may differ by so much.
CLOSE = 0.2
# Texts with more different words are not statements of one thing: any two days of the
# same people are alike.
STATEMENT = 40

TEXTS = """
SELECT r.id, r.content, {shared}, {label}, {evidence}, ({confidence})::float8,
       '{{}}'::uuid[]{named}
"""
TEXTS_AND_NEWER = """
WITH top AS MATERIALIZED (
    SELECT r.id, r.content, {shared} AS shared, {label} AS label,
           {evidence} AS evidence, ({confidence})::float8 AS confidence,
           r.stated_at, r.near, r.embedding_model{named}
)
SELECT t.id, t.content, t.shared, t.label, t.evidence, t.confidence, ARRAY(
       SELECT o.id FROM top o
        WHERE o.stated_at > t.stated_at AND o.embedding_model = t.embedding_model
          AND o.near <=> t.near <= %(apart)s)
  FROM top t
"""


class Text(NamedTuple):
    """The text of a row, whether it is a community memory, and newer rows alike."""

    content: str
    shared: bool
    label: str
    evidence: str
    confidence: float
    newer: list[UUID]


def texts_statement(shelf: Shelf, *, newer: bool) -> str:
    statement = TEXTS_AND_NEWER if newer else TEXTS
    return statement.format(
        named=named_rows(shelf),
        shared=f"({shelf.community or 'false'})",
        label=shelf.label,
        evidence=shelf.evidence,
        confidence=shelf.confidence,
    )


def read_texts(
    scope: Scope, shelf: Shelf, keys: Sequence[UUID], *, alike: float | None = None
) -> dict[UUID, Text]:
    """Texts of existing rows, with the newer ones among them from cosine `alike` on."""
    if not keys:
        return {}
    values = owner_values(scope, shelf) | {"ids": list(keys)}
    if alike is not None:
        values["apart"] = 1 - alike
    with connection.cursor() as cursor:
        cursor.execute(texts_statement(shelf, newer=alike is not None), values)
        return {key: Text(*columns) for key, *columns in cursor.fetchall()}


def newer_first(
    ranked: Sequence[Recalled], newer: Mapping[UUID, Sequence[UUID]]
) -> list[Recalled]:
    """Move statements after newer, alike ones of nearly their score.

    `newer` maps rows to newer, alike ones.
    """
    if not any(newer.values()):
        return list(ranked)
    place = {one.memory_id: float(number) for number, one in enumerate(ranked)}
    score = {
        one.memory_id: one.score
        for one in ranked
        if len(set(one.text.lower().split())) <= STATEMENT
    }
    for one in ranked:
        key = one.memory_id
        for other in newer.get(key, ()):
            if key in score and score.get(other, -9.0) >= one.score - CLOSE:
                place[other] = min(place[other], place[key] - 0.5)
    return sorted(ranked, key=lambda r: (place[r.memory_id], -r.stated_at.timestamp()))
