"""The SQL of recall, built from constants; values are bound.

Columns are sent as byte strings, which numpy reads faster than rows (decision 5).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from psycopg.pq import Format

from memory.models.embedded import WHOLE, is_wide
from memory.recall.query import Query
from memory.recall.shelves import Shelf
from memory.vectors import vector_values
from memory.visibility import scope_values
from people.scope import Scope

# Rows of wide vectors that are compared in full; of more, the best are compared again.
FULL_SCAN = 2000
# Rows of a shelf whose texts come with the signals; of more, the best are read by key.
FEW = 200
# Terms are bound in steps of so many: each number of them is a statement to prepare.
STEP = 8
NO_SESSION = -(2**63)
# Characters of a query that is looked for as a part of a text.
SHORTEST_PHRASE = 3


class Column(NamedTuple):
    """The SQL that sends a value, and its numpy type."""

    sent: str
    kind: str


COLUMNS = {
    "ids": Column("uuid_send(id)", "V16"),
    "distances": Column("float8send(coalesce(distance, 'NaN'))", ">f8"),
    "held": Column("int8send(held)", ">i8"),
    "ranks": Column("float8send(coalesce(rank, 0))", ">f8"),
    "stated_at": Column("timestamptz_send(stated_at)", ">i8"),
    "shared": Column("boolsend(shared)", "?"),
    "sizes": Column("int4send(size)", ">i4"),
    "spoken": Column("boolsend(spoken)", "?"),
    "sessions": Column(f"int8send(coalesce(session, '{NO_SESSION}'))", ">i8"),
    "places": Column("int4send(coalesce(place, -1))", ">i4"),
    "lasts": Column("int4send(coalesce(last, -1))", ">i4"),
    "evidence_words": Column("int8send(held_by_evidence)", ">i8"),
    "phrases": Column("boolsend(phrase)", "?"),
    "confidences": Column("float8send(sure)", ">f8"),
    "channels": Column("int4send(channel)", ">i4"),
}
BASIC = ("ids", "distances", "held", "stated_at", "shared")
# What is read of the rows that are shown.
TEXT = ("content", "label", "evidence", "confidence", "stored_at", "model", "near")

MEASURE = """
SELECT {columns}, coalesce(max(rows), 0), {large} FROM (
    SELECT r.id, r.stated_at, r.shared, counted.rows,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance,
           {held} AS held, {held_by_evidence} AS held_by_evidence,
           ts_rank(r.content_tsv, %(any)s::tsquery)::float8 AS rank,
           length(r.content_tsv) AS size, coalesce({speaker} = %(speaker)s, false) AS spoken,
           ({session})::bigint AS session, {place} AS place, {last} AS last,
           coalesce(strpos(lower(concat_ws(E'\n', r.content, {evidence})), %(phrase)s) > 0,
                    false) AS phrase,
           ({confidence})::float8 AS sure, {channel} AS channel, {texts}
      FROM {rows} r CROSS JOIN (
           SELECT count(*) AS rows FROM (
               SELECT FROM {table} r WHERE {counted} LIMIT {few} + %(full_scan)s + 1
           ) counted
      ) counted
    OFFSET 0  -- otherwise each use of a column would compute it again
) r
"""
NEAR = "r.near <=> %(near)s::halfvec"
FULL = f"{WHOLE} <=> %(vector)s::vector"
WIDE = f"CASE WHEN counted.rows <= %(full_scan)s THEN {FULL} ELSE {NEAR} END"
HELD = "CASE WHEN {words} @@ %(any)s::tsquery THEN {bits} ELSE 0 END"
BIT = "CASE WHEN {words} @@ %(term{number})s::tsquery THEN {bit} ELSE 0::bigint END"
CHANNEL = """CASE WHEN {channel} = '' THEN 1
                 WHEN %(channel)s IN (nullif({channel}, ''), nullif({room}, '')) THEN 2
                 ELSE 0 END"""
ROWS = "SELECT r.*, {shared} AS shared FROM {table} r WHERE {which}"
NAMED = """
  FROM unnest(%({ids})s::uuid[]) AS named (id) CROSS JOIN LATERAL (
       -- row by row: for a list of ids the planner may go through the whole scope
       SELECT r.* FROM {table} r WHERE r.id = named.id AND ({visible}) LIMIT 1
  ) r"""
READ = "SELECT array_agg(id), {columns} FROM (SELECT r.id, {texts}{named}) r"
EXACT = f"""
SELECT array_agg(r.id), array_agg({FULL}){{named}} WHERE r.embedding_model = %(model)s
"""


class Part(NamedTuple):
    """A statement that gives one row, the names of its columns, and what it binds."""

    names: Sequence[str]
    statement: str
    values: Mapping[str, Any]


def ask(parts: Sequence[Part]) -> list[dict[str, Any]]:
    """The rows of all parts, in one statement."""
    tables = (f"({part.statement}) p{n}" for n, part in enumerate(parts))
    values: dict[str, Any] = {}
    for part in parts:
        values |= part.values
    with connection.cursor() as cursor:
        cursor.cursor.format = Format.BINARY  # else bytes come as hexadecimal digits
        cursor.execute(f"SELECT * FROM {', '.join(tables)}", values)  # noqa: S608 -- constants
        row = iter(cursor.fetchone())
    return [dict(zip(part.names, row, strict=False)) for part in parts]


def measured_part(
    scope: Scope, query: Query, shelf: Shelf, columns: Sequence[str]
) -> Part:
    """These columns of all visible rows, in one order, and the texts of few.

    Bit n of `held`: the row holds term n. `channels`: 2 for the query's, 1 for none, 0
    for another. Of `rows` no more are counted than matters. `large`: the shelf has an
    index on vectors, which is used instead.
    """
    large, counted = "false", shelf.own or shelf.visible
    if shelf.own and query.vector is not None:
        large, shelf = shelf.large, shelf.unless_large
    bits = " + ".join(
        BIT.format(words="{words}", number=n, bit=1 << n) for n in range(_bound(query))
    )
    held = HELD.format(words="{words}", bits=bits)
    sent = [f"string_agg({COLUMNS[name].sent}, '')" for name in columns]
    sent += [f"array_agg({name}) FILTER (WHERE rows <= {FEW})" for name in TEXT]
    texts = _texts(shelf).items()
    statement = MEASURE.format(
        columns=", ".join(sent),
        rows=_rows(shelf),
        table=shelf.table,
        counted=counted,
        few=FEW,
        large=large,
        distance=WIDE if compares_wide(query) else NEAR,
        held=held.format(words="r.content_tsv"),
        held_by_evidence=held.format(words=shelf.evidence_tsv),
        texts=", ".join(
            f"CASE WHEN counted.rows <= {FEW} THEN {value} END AS {name}"
            for name, value in texts
        ),
        evidence=shelf.evidence,
        speaker=shelf.speaker,
        session=shelf.session,
        place=shelf.place,
        last=shelf.last,
        confidence=shelf.confidence,
        channel=CHANNEL.format(channel=shelf.channel, room=shelf.room),
    )
    names = (*columns, *TEXT, "rows", "large")
    return Part(names, statement, query_values(scope, query, shelf))


def read_part(scope: Scope, shelf: Shelf, number: int, keys: Sequence[UUID]) -> Part:
    """The texts of rows that the scope sees; `number` is that of the part."""
    ids = f"ids{number}"
    statement = READ.format(
        columns=", ".join(f"array_agg({name})" for name in TEXT),
        texts=", ".join(f"{value} AS {name}" for name, value in _texts(shelf).items()),
        named=_named(shelf, ids),
    )
    values = {**scope_values(scope), **shelf.bound, ids: list(keys)}
    return Part(("ids", *TEXT), statement, values)


def exact_part(scope: Scope, query: Query, shelf: Shelf, keys: Sequence[UUID]) -> Part:
    """Cosine distances by full vectors."""
    statement = EXACT.format(named=_named(shelf, "ids"))
    values = {**query_values(scope, query, shelf), "ids": list(keys)}
    return Part(("ids", "distances"), statement, values)


def query_values(scope: Scope, query: Query, shelf: Shelf) -> dict[str, Any]:
    values: dict[str, Any] = {
        **scope_values(scope),
        **shelf.bound,
        "any": " | ".join(term.tsquery for term in query.terms) or None,
        "model": query.model,
        "near": None,
        "speaker": query.speaker,
        "phrase": query.text.lower() if len(query.text) >= SHORTEST_PHRASE else None,
        "channel": query.channel or scope.room or scope.channel,
        "full_scan": FULL_SCAN if compares_wide(query) else 0,
    }
    values |= {f"term{n}": None for n in range(_bound(query))}
    values |= {f"term{n}": term.tsquery for n, term in enumerate(query.terms)}
    if query.vector is not None:
        values |= vector_values(query.vector)
    return values


def compares_wide(query: Query) -> bool:
    return query.vector is not None and is_wide(query.vector)


def _bound(query: Query) -> int:
    return STEP * max(1, -(-len(query.terms) // STEP))


def _rows(shelf: Shelf) -> str:
    kinds = ((shelf.visible, False), (shelf.lent, False), (shelf.community, True))
    rows = [
        ROWS.format(table=shelf.table, which=which, shared=shared)
        for which, shared in kinds
        if which
    ]
    return f"({' UNION ALL '.join(rows)})"


def _texts(shelf: Shelf) -> dict[str, str]:
    values = (
        *("r.content", shelf.label, shelf.evidence, f"({shelf.confidence})::float8"),
        *(shelf.stored_at, "r.embedding_model", "halfvec_send(r.near)"),
    )
    return dict(zip(TEXT, values, strict=True))


def _named(shelf: Shelf, ids: str) -> str:
    visible = shelf.visible_by_id or shelf.visible
    which = " OR ".join(filter(None, (visible, shelf.lent, shelf.community)))
    return NAMED.format(table=shelf.table, visible=which, ids=ids)
