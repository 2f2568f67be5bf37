"""Texts of the best rows."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from memory.recall.shelves import Shelf
from memory.recall.sql import named_rows, owner_values
from people.scope import Scope

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
