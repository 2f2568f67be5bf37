"""The one statement that looks for memories.

The scope is a MATERIALIZED table expression, in which both signals are computed for
every row that the user may see; only then anything is ordered and cut. So no index on
vectors can be chosen that would filter after its search and lose rows, and what others
have stored cannot push anything out. The user and the space are constants in it.

Models of at most 384 dimensions are scanned by the short copy `near`, and the best are
measured again by the full vector. Wider ones are measured in full up to 2,000 rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall.dates import DatePart
from memory.recall.profiles import Profile
from memory.recall.query import TERM_LIMIT, Query, Term
from memory.recall.scoring import Signals
from memory.recall.shelves import Shelf
from memory.recall.vector_text import vector_text
from people.scope import Scope

RERANKED = 60
RERANKED_WIDE = 200
FULL_SCAN = 2000
STALE = 8
DATE_SHARE = 0.75
"""What it counts that a row was said on a day the message names, against naming it."""
NO_DATE = DatePart("year", -1)
SAMPLE = 1000
"""Rows that the rarity of a long message's words is counted over."""


@dataclass(frozen=True, slots=True)
class Found:
    """Signals of the rows worth scoring, and what is true of the whole scope."""

    signals: tuple[Signals, ...]
    best_rank: float
    best_coverage: float
    stale_ids: tuple[UUID, ...]


NO_DISTANCE = "NULL::float8"
NEAR_DISTANCE = "r.near <=> %(near)s::vector::halfvec(384)"
FULL_DISTANCE = "r.embedding <=> %(vector)s::vector"
WIDE_DISTANCE = (
    "CASE WHEN (SELECT n FROM size) <= %(full_scan)s"
    " THEN " + FULL_DISTANCE + " ELSE " + NEAR_DISTANCE + " END"
)

# Tables and expressions are constants of this package; everything else is bound.
STATEMENT = """
WITH visible AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE {visible}
), size AS MATERIALIZED (
    SELECT count(*) AS n FROM visible
), scope AS MATERIALIZED (
    SELECT r.id, r.content_tsv AS tsv, r.stated_at, r.embedding_model = %(model)s AS fresh,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance
      FROM visible JOIN {table} r USING (id)
), terms AS MATERIALIZED (
    SELECT term::tsquery AS term, unit, part, number
      FROM unnest(%(terms)s::text[], %(units)s::text[], %(parts)s::int[])
           WITH ORDINALITY AS t (term, unit, part, number)
), matching AS MATERIALIZED (
    SELECT id, tsv{dates} FROM scope WHERE tsv @@ %(any)s::tsquery{said_then}
), hits AS MATERIALIZED (
    SELECT m.id, t.number, CASE WHEN m.tsv @@ t.term THEN 1 ELSE %(date)s END AS share
      FROM matching m JOIN terms t ON m.tsv @@ t.term{dated}
), weights AS MATERIALIZED (
    SELECT number, ln(1 + (SELECT n FROM size)::float8 / (1 + count(h.id))) AS weight
      FROM terms LEFT JOIN hits h USING (number) GROUP BY number
), keyword AS MATERIALIZED (
    SELECT h.id, sum(h.share * w.weight) / (SELECT sum(weight) FROM weights) AS coverage
      FROM hits h JOIN weights w USING (number) GROUP BY h.id
), signals AS MATERIALIZED (
    SELECT s.id, s.fresh, s.distance, coalesce(k.coverage, 0) AS coverage,
           CASE WHEN k.id IS NULL THEN 0
                ELSE ts_rank(s.tsv, %(any)s::tsquery) END AS rank
      FROM scope s LEFT JOIN keyword k ON k.id = s.id
     WHERE s.distance IS NOT NULL OR k.id IS NOT NULL
), best AS MATERIALIZED (
    SELECT coalesce(max(rank), 0) AS rank, coalesce(max(coverage), 0) AS coverage
      FROM signals
), candidates AS MATERIALIZED (
    (SELECT id FROM signals WHERE distance IS NOT NULL
      ORDER BY distance, id LIMIT %(reranked)s)
    UNION
    (SELECT id FROM signals WHERE {keyword} > 0
      ORDER BY {keyword} DESC, distance, id LIMIT %(reranked)s)
    UNION
    (SELECT id FROM signals
      ORDER BY %(cosine_weight)s * (1 - coalesce(distance, 1))
             + CASE WHEN distance IS NULL THEN 1 ELSE %(keyword_weight)s END
             * {keyword} / greatest((SELECT {keyword} FROM best), 1e-9) DESC, id
      LIMIT %(reranked)s)
)
SELECT best.rank, best.coverage,
       ARRAY(SELECT id FROM scope WHERE NOT fresh LIMIT %(stale)s),
       r.id, r.content, r.stated_at,
       CASE WHEN s.fresh THEN {exact} END,
       s.rank, s.coverage
  FROM best
  LEFT JOIN (candidates JOIN signals s USING (id) JOIN {table} r USING (id)) ON true
"""
DATES = "".join(
    f", extract({unit} FROM stated_at AT TIME ZONE 'UTC')::int AS {unit}"
    for unit in ("year", "month", "day")
)
DATED = """
        OR t.part = CASE t.unit WHEN 'year' THEN m.year WHEN 'month' THEN m.month
                                WHEN 'day' THEN m.day END"""
SAID_THEN = """
        OR extract(year FROM stated_at AT TIME ZONE 'UTC') = ANY(%(years)s)
        OR extract(month FROM stated_at AT TIME ZONE 'UTC') = ANY(%(months)s)"""
RAREST = """
SELECT t.number
  FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS t (term, number)
  LEFT JOIN (
       SELECT r.content_tsv AS tsv FROM {table} r
        WHERE {visible} LIMIT %(sample)s
  ) s ON s.tsv @@ t.term::tsquery
 GROUP BY t.number ORDER BY count(s.tsv), t.number LIMIT %(limit)s
"""


def search(scope: Scope, query: Query, shelf: Shelf, profile: Profile) -> Found:
    """Both signals for every row of the shelf that could be among the best."""
    terms = _rarest(scope, query.terms, shelf)
    dates = [t.date or NO_DATE for t in terms]
    values: dict[str, Any] = {
        "user": scope.user_id,
        "space": scope.space_id,
        "model": query.model,
        "terms": [t.tsquery for t in terms],
        "any": " | ".join(t.tsquery for t in terms),
        "units": [date.unit for date in dates],
        "parts": [date.number for date in dates],
        "years": [date.number for date in dates if date.unit == "year"],
        "months": [date.number for date in dates if date.unit == "month"],
        "date": DATE_SHARE,
        "reranked": RERANKED if _narrow(query) else RERANKED_WIDE,
        "cosine_weight": profile.cosine_weight,
        "keyword_weight": profile.keyword_weight,
        "stale": STALE,
        "full_scan": FULL_SCAN,
    }
    if query.vector is not None:
        values["near"] = vector_text(query.vector[:NEAR_DIMENSIONS])
        values["vector"] = vector_text(query.vector)
    with connection.cursor() as cursor:
        dated = any(t.date for t in terms)
        cursor.execute(_statement(query, shelf, profile, dated=dated), values)
        rows = cursor.fetchall()
    best_rank, best_coverage, stale = rows[0][:3]
    signals = tuple(Signals(*row[3:]) for row in rows if row[3] is not None)
    return Found(signals, best_rank, best_coverage, tuple(stale))


def _narrow(query: Query) -> bool:
    vector = query.vector
    return vector is None or not vector[NEAR_DIMENSIONS:].any()


def _statement(query: Query, shelf: Shelf, profile: Profile, *, dated: bool) -> str:
    if query.vector is None:
        distance, exact = NO_DISTANCE, NO_DISTANCE
    else:
        distance = NEAR_DISTANCE if _narrow(query) else WIDE_DISTANCE
        exact = f"1 - ({FULL_DISTANCE})"
    return STATEMENT.format(
        table=shelf.table,
        visible=shelf.visible,
        distance=distance,
        exact=exact,
        dates=DATES if dated else "",
        dated=DATED if dated else "",
        said_then=SAID_THEN if dated else "",
        keyword="rank" if profile.literal else "coverage",
    )


def _rarest(scope: Scope, terms: Sequence[Term], shelf: Shelf) -> list[Term]:
    """At most 12 terms, the rarest in the scope, in the order of the message."""
    if len(terms) <= TERM_LIMIT:
        return list(terms)
    values = {
        "user": scope.user_id,
        "space": scope.space_id,
        "terms": [t.tsquery for t in terms],
        "sample": SAMPLE,
        "limit": TERM_LIMIT,
    }
    with connection.cursor() as cursor:
        cursor.execute(RAREST.format(table=shelf.table, visible=shelf.visible), values)
        numbers = sorted(number for (number,) in cursor.fetchall())
    return [terms[number - 1] for number in numbers]
