"""What profile `fused` asks of the database: the rows worth scoring with what stands
around them, then the texts of the best."""

from collections.abc import Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

from django.db import connection

from memory.recall import asking, fused_statements, fusion
from memory.recall.fusion import Row, Scale, Scored
from memory.recall.query import Query
from memory.recall.shelves import Shelf
from memory.recall.silence import Background, allowed
from memory.recall.thresholds import thresholds
from memory.values import Recalled
from people.scope import Scope

POOL = 30
"""Candidates by meaning, by words and by both: more were measured to change nothing."""
DEPTH = 20
"""So many of the best are read."""


def fused(
    scope: Scope, query: Query, shelf: Shelf, *, gated: bool
) -> tuple[list[Recalled], tuple[UUID, ...], Background]:
    """A shelf's best rows for a query, best first, the ids that want a new vector, and
    what is true of all of it."""
    ranked, background, stale_ids = _scored(scope, query, shelf)
    limits = thresholds(query.model)
    many = DEPTH
    if gated:
        heard = ((one.row.cosine, one.alone) for one in ranked)
        many = allowed(heard, background, limits)
        if not many:
            return [], stale_ids, background
        ranked = [one for one in ranked if fusion.relevant(one, limits)]
    items = _read(scope, shelf, ranked[:DEPTH], limits.alike)[:many]
    return items, stale_ids, background


def _scored(
    scope: Scope, query: Query, shelf: Shelf
) -> tuple[list[Scored], Background, tuple[UUID, ...]]:
    terms = asking.rarest(scope, query.terms, shelf)
    values = {
        **asking.values(scope, query, terms, shelf),
        "speaker": query.speaker,
        "pool": POOL,
        "cosine_weight": fusion.COSINE,
        "keyword_weight": fusion.KEYWORD,
    }
    statement = fused_statements.search(shelf, terms, asking.width(query))
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = cursor.fetchall()
    typical, weights, *background, stale_ids = found[0][:6]
    rows = [(_row(one), one[14]) for one in found if one[6] is not None]
    judged = [row for row, away in rows if away <= 1]
    scale = Scale(tuple(weights), typical)
    ranked = fusion.scored(judged, [row for row, _ in rows], scale)
    return ranked, Background(*background), tuple(stale_ids)


def _row(found: Sequence[Any]) -> Row:
    key, cosine, words, size, spoken, stated_at, session, place = found[6:14]
    said = stated_at.replace(tzinfo=UTC)  # Django reads zones in Python, far slower
    return Row(key, cosine, words, size, spoken, said, session, place)


def _read(
    scope: Scope, shelf: Shelf, ranked: Sequence[Scored], alike: float
) -> list[Recalled]:
    values: dict[str, Any] = {
        **asking.owner(scope, shelf),
        "ids": [one.row.id for one in ranked],
        "apart": 1 - alike,
    }
    with connection.cursor() as cursor:
        cursor.execute(fused_statements.texts(shelf), values)
        read = {key: (text, newer) for key, text, newer in cursor.fetchall()}
    there = [one for one in ranked if one.row.id in read]
    in_order = fusion.newer_first(
        there, {key: newer for key, (_, newer) in read.items()}
    )
    return [
        Recalled(
            one.row.id,
            read[one.row.id][0],
            one.score,
            one.row.cosine,
            one.coverage,
            one.row.stated_at,
        )
        for one in in_order
    ]
