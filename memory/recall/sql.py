"""The SQL of recall, built from constants; values are bound.

Columns are sent as byte strings, which numpy reads faster than rows (decision 5).
"""

from collections.abc import Mapping, Sequence
from functools import cache
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
FEW_ROWS = 200
# Terms are bound in steps of so many: each number of them is a statement to prepare.
TERMS_AT_ONCE = 8
NO_SESSION = -(2**63)
# Characters of a query that is looked for as a part of a text.
SHORTEST_PHRASE = 3


class Column(NamedTuple):
    """The SQL of a value, the SQL that sends it, and its numpy type."""

    value: str
    sent: str
    kind: str


CHANNEL = """CASE WHEN {channel} = '' THEN 1
                 WHEN %(channel)s IN (nullif({channel}, ''), nullif({room}, '')) THEN 2
                 ELSE 0 END"""
PHRASE = "strpos(lower(concat_ws(E'\n', r.content, {evidence})), %(phrase)s) > 0"
HELD_WORDS = "CASE WHEN {words} @@ %(any)s::tsquery THEN {bits} ELSE 0 END"
BIT = "CASE WHEN {words} @@ %(term{number})s::tsquery THEN {bit} ELSE 0::bigint END"
COLUMNS = {
    "ids": Column("r.id", "uuid_send({})", "V16"),
    "stated_at": Column("r.stated_at", "timestamptz_send({})", ">i8"),
    "shared": Column("r.shared", "boolsend({})", "?"),
    "distances": Column(
        "CASE WHEN r.embedding_model = %(model)s THEN {distance} END",
        "float8send(coalesce({}, 'NaN'))",
        ">f8",
    ),
    "held": Column("{held}", "int8send({})", ">i8"),
    "held_by_evidence": Column("{held_by_evidence}", "int8send({})", ">i8"),
    "ranks": Column(
        "coalesce(ts_rank(r.content_tsv, %(any)s::tsquery), 0)::float8",
        "float8send({})",
        ">f8",
    ),
    "sizes": Column("length(r.content_tsv)", "int4send({})", ">i4"),
    "spoken": Column("coalesce({speaker} = %(speaker)s, false)", "boolsend({})", "?"),
    "sessions": Column(
        f"coalesce(({{session}})::bigint, '{NO_SESSION}')", "int8send({})", ">i8"
    ),
    "places": Column("coalesce({place}, -1)", "int4send({})", ">i4"),
    "lasts": Column("coalesce({last}, -1)", "int4send({})", ">i4"),
    "phrases": Column(f"coalesce({PHRASE}, false)", "boolsend({})", "?"),
    "confidences": Column("({confidence})::float8", "float8send({})", ">f8"),
    "channels": Column(CHANNEL, "int4send({})", ">i4"),
}
BASIC = ("ids", "stated_at", "shared", "distances", "held")
# What is read of the rows that are shown.
TEXT = {
    "content": "r.content",
    "label": "{label}",
    "evidence": "{evidence}",
    "confidence": "({confidence})::float8",
    "stored_at": "{stored_at}",
    "subject": "{subject}",
    "person": "{person}",
    "model": "r.embedding_model",
    "near": "halfvec_send(r.near)",
}

MEASURE = """
SELECT {sent}, coalesce(bool_or(many), false), {large} FROM (
    SELECT {values}, few, many
      FROM ({rows}) r CROSS JOIN (
           SELECT count(*) <= %(few)s AS few, count(*) > %(full_scan)s AS many FROM (
               SELECT FROM {table} r WHERE {counted} LIMIT %(counted)s
           ) counted
      ) counted
    OFFSET 0  -- otherwise each use of a column would compute it again
) r
"""
SHORT_DISTANCE = "r.near <=> %(near)s::halfvec"
FULL = f"{WHOLE} <=> %(vector)s::vector"
WIDE = f"CASE WHEN many THEN {SHORT_DISTANCE} ELSE {FULL} END"
ROWS = "SELECT r.*, {shared} AS shared FROM {table} r WHERE {which}"
NAMED = """
  FROM unnest(%({ids})s::uuid[]) AS named (id) CROSS JOIN LATERAL (
       -- row by row: for a list of ids the planner may go through the whole scope
       SELECT r.* FROM {table} r WHERE r.id = named.id AND ({visible}) LIMIT 1
  ) r"""
ROWS_AS_ARRAYS = "SELECT array_agg(id), {columns} FROM (SELECT r.id, {texts}{named}) r"
EXACT = f"""
SELECT array_agg(r.id), array_agg({FULL}){{named}} WHERE r.embedding_model = %(model)s
"""


class Part(NamedTuple):
    """A statement that gives one row, the names of its columns, and what else it binds."""

    names: Sequence[str]
    statement: str
    values: Mapping[str, Any]


def ask(parts: Sequence[Part], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of all parts, in one statement."""
    tables = (f"({part.statement}) p{n}" for n, part in enumerate(parts))
    values = dict(values)
    for part in parts:
        values |= part.values
    with connection.cursor() as cursor:
        cursor.cursor.format = Format.BINARY  # else bytes come as hexadecimal digits
        cursor.execute(f"SELECT * FROM {', '.join(tables)}", values)  # noqa: S608 -- constants
        row = iter(cursor.fetchone())
    return [dict(zip(part.names, row, strict=False)) for part in parts]


def measured_part(query: Query, shelf: Shelf, columns: Sequence[str]) -> Part:
    """These columns of all visible rows, in one order, and the texts of few.

    Bit n of `held`: the row holds term n. `channels`: 2 for the query's, 1 for none, 0
    for another. `many`: wide vectors were compared by their short copies. `large`: the
    shelf has an index on vectors, which is used instead.
    """
    indexed = bool(shelf.own) and query.vector is not None
    statement = _measure(
        shelf, tuple(columns), _bound(query), indexed=indexed, wide=compares_wide(query)
    )
    return Part((*columns, *TEXT, "many", "large"), statement, shelf.bound)


@cache
def _measure(
    shelf: Shelf, columns: Sequence[str], terms: int, *, indexed: bool, wide: bool
) -> str:
    bits = " + ".join(
        BIT.format(words="{words}", number=n, bit=1 << n) for n in range(terms)
    )
    held = HELD_WORDS.format(words="{words}", bits=bits)
    values = {name: COLUMNS[name].value for name in columns}
    texts = {f"a_{name}": value for name, value in TEXT.items()}
    sent = [f"string_agg({COLUMNS[name].sent.format(name)}, '')" for name in columns]
    sent += [f"array_agg({name}) FILTER (WHERE few)" for name in texts]
    chosen = [f"{value} AS {name}" for name, value in values.items()]
    chosen += [
        f"CASE WHEN few THEN {value} END AS {name}" for name, value in texts.items()
    ]
    return MEASURE.format(
        sent=", ".join(sent),
        values=_filled(
            shelf,
            ", ".join(chosen),
            distance=WIDE if wide else SHORT_DISTANCE,
            held=held.format(words="r.content_tsv"),
            held_by_evidence=held.format(words=shelf.evidence_tsv),
        ),
        rows=_rows(shelf.unless_large if indexed else shelf),
        table=shelf.table,
        counted=shelf.own or shelf.visible,
        large=shelf.large if indexed else "false",
    )


def read_part(shelf: Shelf, number: int, keys: Sequence[UUID]) -> Part:
    """The texts of rows that the scope sees; `number` is that of the part."""
    ids = f"ids{number}"
    statement = ROWS_AS_ARRAYS.format(
        columns=", ".join(f"array_agg({name})" for name in TEXT),
        texts=_filled(shelf, ", ".join(f"{value} AS {n}" for n, value in TEXT.items())),
        named=_named(shelf, ids),
    )
    return Part(("ids", *TEXT), statement, {**shelf.bound, ids: list(keys)})


def exact_part(shelf: Shelf, keys: Sequence[UUID]) -> Part:
    """Cosine distances by full vectors."""
    statement = EXACT.format(named=_named(shelf, "ids"))
    return Part(("ids", "distances"), statement, {**shelf.bound, "ids": list(keys)})


def query_values(scope: Scope, query: Query) -> dict[str, Any]:
    full_scan = FULL_SCAN if compares_wide(query) else 0
    values: dict[str, Any] = {
        **scope_values(scope),
        "any": " | ".join(term.tsquery for term in query.terms) or None,
        "model": query.model,
        "near": None,
        "speaker": query.speaker,
        "phrase": query.text.lower() if len(query.text) >= SHORTEST_PHRASE else None,
        "channel": query.channel or scope.room or scope.channel,
        "few": FEW_ROWS,
        "full_scan": full_scan,
        "counted": max(FEW_ROWS, full_scan) + 1,
    }
    values |= {f"term{n}": None for n in range(_bound(query))}
    values |= {f"term{n}": term.tsquery for n, term in enumerate(query.terms)}
    if query.vector is not None:
        values |= vector_values(query.vector)
    return values


def compares_wide(query: Query) -> bool:
    return query.vector is not None and is_wide(query.vector)


def _bound(query: Query) -> int:
    return TERMS_AT_ONCE * max(1, -(-len(query.terms) // TERMS_AT_ONCE))


def _rows(shelf: Shelf) -> str:
    kinds = ((shelf.visible, False), (shelf.lent, False), (shelf.community, True))
    return " UNION ALL ".join(
        ROWS.format(table=shelf.table, which=which, shared=shared)
        for which, shared in kinds
        if which
    )


def _filled(shelf: Shelf, columns: str, **values: str) -> str:
    """The columns with the shelf's own SQL."""
    names = (
        *("session", "place", "last", "speaker", "evidence", "confidence"),
        *("channel", "room", "label", "stored_at", "subject", "person"),
    )
    return columns.format(**{name: getattr(shelf, name) for name in names}, **values)


def _named(shelf: Shelf, ids: str) -> str:
    visible = shelf.visible_by_id or shelf.visible
    which = " OR ".join(filter(None, (visible, shelf.lent, shelf.community)))
    return NAMED.format(table=shelf.table, visible=which, ids=ids)
