"""The SQL of recall, built from constants; values are bound.

Columns are sent as byte strings, which numpy reads faster than rows (decision 5).
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db import connection

from memory.models.embedded import WHOLE, is_wide
from memory.recall.query import TERM_LIMIT, Query, Term
from memory.recall.shelves import Shelf
from memory.vectors import vector_values
from memory.visibility import scope_values
from people.scope import Scope

# Rows of wide vectors that are compared in full; of more, the best are compared again.
FULL_SCAN = 2000
# Rows over which the rarity of a long message's words is counted.
SAMPLE = 1000
NO_SESSION = -(2**63)
# Characters of a query that is looked for as a part of a text.
SHORTEST_PHRASE = 3
Width = Literal["none", "narrow", "wide"]


class Column(NamedTuple):
    """The SQL that sends a value, and its numpy type."""

    sent: str
    kind: str


COLUMNS = {
    "ids": Column("uuid_send(id)", "V16"),
    "fresh": Column("boolsend(fresh)", "?"),
    "distances": Column("float8send(coalesce(distance, 'NaN'))", ">f8"),
    "held": Column("int4send(held)", ">i4"),
    "ranks": Column("float8send(rank)", ">f8"),
    "stated_at": Column("timestamptz_send(stated_at)", ">i8"),
    "sizes": Column("int4send(size)", ">i4"),
    "spoken": Column("boolsend(spoken)", "?"),
    "sessions": Column(f"int8send(coalesce(session, '{NO_SESSION}'))", ">i8"),
    "places": Column("int4send(coalesce(place, -1))", ">i4"),
    "lasts": Column("int4send(coalesce(last, -1))", ">i4"),
    "evidence": Column("int4send(evidence)", ">i4"),
    "phrases": Column("boolsend(phrase)", "?"),
    "confidences": Column("float8send(confidence)", ">f8"),
    "channels": Column("int4send(channel)", ">i4"),
}
BASIC = ("ids", "fresh", "distances", "held", "stated_at")

MEASURE = """
SELECT {columns} FROM (
    SELECT r.id, r.embedding_model = %(model)s AS fresh, r.stated_at,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance,
           CASE WHEN {matches} THEN {held} ELSE 0 END AS held,
           ts_rank(r.content_tsv, %(any)s::tsquery)::float8 AS rank,
           length(r.content_tsv) AS size, coalesce({speaker} = %(speaker)s, false) AS spoken,
           ({session})::bigint AS session, {place} AS place, {last} AS last,
           CASE WHEN {evidence_matches} THEN {evidence_held} ELSE 0 END AS evidence,
           coalesce(strpos(lower(concat_ws(E'\n', r.content, {evidence})), %(phrase)s) > 0,
                    false) AS phrase,
           ({confidence})::float8 AS confidence, {channel} AS channel
      FROM {rows} r
    OFFSET 0  -- otherwise each use of a column would compute it again
) r
"""
NEAR = "r.near <=> %(near)s::halfvec"
FULL = f"{WHOLE} <=> %(vector)s::vector"
WIDE = f"""CASE WHEN (SELECT count(*) FROM {{table}} r WHERE {{visible}}) <= %(full_scan)s
                THEN {FULL} ELSE {NEAR} END"""  # noqa: S608 -- constants
DISTANCES: dict[Width, str] = {"none": "NULL::float8", "narrow": NEAR, "wide": WIDE}
STATED_THEN = "(r.stated_at >= %(since)s AND r.stated_at < %(until)s)"
HELD = "{words} @@ %(term{number})s::tsquery"
CONTENT = "r.content_tsv"
CHANNEL = """CASE WHEN {channel} = '' THEN 1
                 WHEN %(channel)s IN (nullif({channel}, ''), nullif({room}, '')) THEN 2
                 ELSE 0 END"""
BIT = "CASE WHEN {found} THEN {bit} ELSE 0 END"

FILLED = "EXISTS (SELECT FROM {table} r WHERE {visible})"
ROWS = "SELECT r.* FROM {table} r WHERE {which}"
NAMED = """
  FROM unnest(%(ids)s::uuid[]) AS named (id) CROSS JOIN LATERAL (
       -- row by row: for a list of ids the planner may go through the whole scope
       SELECT r.* FROM {table} r WHERE r.id = named.id AND ({visible}) LIMIT 1
  ) r"""
EXACT = f"SELECT r.id, {FULL}{{named}} WHERE r.embedding_model = %(model)s"
RAREST = """
SELECT t.number
  FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS t (term, number)
  LEFT JOIN (
       SELECT r.content_tsv AS tsv FROM {table} r
        WHERE {visible} LIMIT %(sample)s
  ) s ON s.tsv @@ t.term::tsquery
 GROUP BY t.number ORDER BY count(s.tsv), t.number LIMIT %(limit)s
"""


def measure_statement(
    shelf: Shelf, terms: Sequence[Term], width: Width, columns: Sequence[str]
) -> str:
    """Send these columns of all visible rows, in one order.

    Bit n of `held`: the row holds term n. Bit n + 12: it was stated at the time that
    term n names.
    `channels`: 2 for the query's, 1 for none, 0 for another.
    """
    numbered = list(enumerate(terms, 1))
    held = _held(CONTENT, terms)
    held += [(STATED_THEN, 1 << n - 1 + TERM_LIMIT) for n, t in numbered if t.dated]
    return MEASURE.format(
        columns=", ".join(f"string_agg({COLUMNS[name].sent}, '')" for name in columns),
        rows=_rows(shelf),
        distance=DISTANCES[width].format(table=shelf.table, visible=shelf.visible),
        matches=_matches(terms),
        held=_sum(held),
        evidence=shelf.evidence,
        evidence_matches=f"{shelf.evidence_tsv} @@ %(any)s::tsquery",
        evidence_held=_sum(_held(shelf.evidence_tsv, terms)),
        speaker=shelf.speaker,
        session=shelf.session,
        place=shelf.place,
        last=shelf.last,
        confidence=shelf.confidence,
        channel=CHANNEL.format(channel=shelf.channel, room=shelf.room),
    )


def _held(words: str, terms: Sequence[Term]) -> list[tuple[str, int]]:
    numbers = range(1, len(terms) + 1)
    return [(HELD.format(words=words, number=n), 1 << n - 1) for n in numbers]


def _sum(held: Sequence[tuple[str, int]]) -> str:
    return " + ".join(BIT.format(found=f, bit=bit) for f, bit in held) or "0"


def _rows(shelf: Shelf) -> str:
    kinds = (shelf.visible, shelf.lent, shelf.community)
    rows = [ROWS.format(table=shelf.table, which=which) for which in kinds if which]
    return f"({' UNION ALL '.join(rows)})"


def _matches(terms: Sequence[Term]) -> str:
    """A cheap test that spares most rows one test per term."""
    if not terms:
        return "false"
    dated = [STATED_THEN] if any(term.dated for term in terms) else []
    return " OR ".join(["r.content_tsv @@ %(any)s::tsquery", *dated])


def owner_values(scope: Scope, shelf: Shelf) -> dict[str, Any]:
    return {**scope_values(scope), **shelf.bound}


def query_values(
    scope: Scope, query: Query, terms: Sequence[Term], shelf: Shelf
) -> dict[str, Any]:
    values: dict[str, Any] = owner_values(scope, shelf) | {
        "any": " | ".join(term.tsquery for term in terms),
        "model": query.model,
        "speaker": query.speaker,
        "phrase": query.text.lower() if len(query.text) >= SHORTEST_PHRASE else None,
        "channel": query.channel or scope.room or scope.channel,
        "full_scan": FULL_SCAN,
    }
    for number, term in enumerate(terms, 1):
        values[f"term{number}"] = term.tsquery
    if query.span is not None:
        values |= {"since": query.span.since, "until": query.span.until}
    if query.vector is not None:
        values |= vector_values(query.vector)
    return values


def vector_width(query: Query) -> Width:
    if query.vector is None:
        return "none"
    return "wide" if is_wide(query.vector) else "narrow"


def measured_columns(
    scope: Scope,
    query: Query,
    terms: Sequence[Term],
    shelf: Shelf,
    columns: Sequence[str],
) -> dict[str, bytes]:
    statement = measure_statement(shelf, terms, vector_width(query), columns)
    with connection.cursor() as cursor:
        cursor.execute(statement, query_values(scope, query, terms, shelf))
        sent = cursor.fetchone()
    return {name: value or b"" for name, value in zip(columns, sent, strict=True)}


def with_rows(scope: Scope, shelves: Sequence[Shelf]) -> list[Shelf]:
    """The shelves on which the scope sees a row, found in one statement."""
    if not shelves:
        return []
    tests = (FILLED.format(table=s.table, visible=s.visible) for s in shelves)
    values: dict[str, Any] = {**scope_values(scope)}
    for shelf in shelves:
        values |= shelf.bound
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(tests)}", values)
        filled = cursor.fetchone()
    return [shelf for shelf, there in zip(shelves, filled, strict=True) if there]


def rarest_terms(scope: Scope, terms: Sequence[Term], shelf: Shelf) -> Sequence[Term]:
    """At most 12 terms, the rarest in the scope."""
    if len(terms) <= TERM_LIMIT:
        return terms
    values = owner_values(scope, shelf) | {
        "terms": [term.tsquery for term in terms],
        "sample": SAMPLE,
        "limit": TERM_LIMIT,
    }
    with connection.cursor() as cursor:
        cursor.execute(RAREST.format(table=shelf.table, visible=shelf.visible), values)
        numbers = sorted(number for (number,) in cursor.fetchall())
    return [terms[number - 1] for number in numbers]


def full_distances(
    scope: Scope, query: Query, shelf: Shelf, keys: Sequence[UUID]
) -> dict[UUID, float]:
    """Cosine distances by full vectors."""
    values = query_values(scope, query, (), shelf) | {"ids": list(keys)}
    with connection.cursor() as cursor:
        cursor.execute(EXACT.format(named=named_rows(shelf)), values)
        return dict(cursor.fetchall())


def named_rows(shelf: Shelf) -> str:
    visible = shelf.visible_by_id or shelf.visible
    which = " OR ".join(filter(None, (visible, shelf.lent, shelf.community)))
    return NAMED.format(table=shelf.table, visible=which)
