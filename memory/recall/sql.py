"""The SQL of recall, built from constants; values are bound.

Columns are sent as byte strings, which numpy reads faster than rows (decision 59).
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db import connection

from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall.query import TERM_LIMIT, Query, Term
from memory.recall.shelves import Shelf
from memory.values import ProfileLine, Recalled
from memory.vectors import vector_text
from memory.visibility import IN_SCOPE, scope_values
from people.scope import Scope

# Rows of wide vectors that are compared in full; of more, the best are compared again.
FULL_SCAN = 2000
# Rows over which the rarity of a long message's words is counted.
SAMPLE = 1000
NO_SESSION = -(2**63)
Width = Literal["none", "narrow", "wide"]


class Column(NamedTuple):
    """The SQL that sends a value, and its numpy type."""

    sent: str
    kind: str


class Text(NamedTuple):
    """The text of a row, whether it is a community memory, and newer rows alike."""

    content: str
    shared: bool
    label: str
    newer: list[UUID]


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
}
BASIC = ("ids", "fresh", "distances", "held", "stated_at")

MEASURE = """
SELECT {columns} FROM (
    SELECT r.id, r.embedding_model = %(model)s AS fresh, r.stated_at,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance,
           CASE WHEN {matches} THEN {held} ELSE 0 END AS held,
           ts_rank(r.content_tsv, %(any)s::tsquery)::float8 AS rank,
           length(r.content_tsv) AS size, coalesce({speaker} = %(speaker)s, false) AS spoken,
           ({session})::bigint AS session, {place} AS place
      FROM {rows} r
    OFFSET 0  -- otherwise each use of a column would compute it again
) r
"""
NEAR = "r.near <=> %(near)s::halfvec"
FULL = "r.embedding <=> %(vector)s::vector"
WIDE = """CASE WHEN (SELECT count(*) FROM {table} r WHERE {visible}) <= %(full_scan)s
                THEN r.embedding <=> %(vector)s::vector
                ELSE r.near <=> %(near)s::halfvec END"""
DISTANCES: dict[Width, str] = {"none": "NULL::float8", "narrow": NEAR, "wide": WIDE}
STATED_ON = "extract({unit} FROM r.stated_at AT TIME ZONE 'UTC') = %(part{number})s"
HELD = "r.content_tsv @@ %(term{number})s::tsquery"
BIT = "CASE WHEN {found} THEN {bit} ELSE 0 END"

FILLED = "EXISTS (SELECT FROM {table} r WHERE {visible})"
ROWS = "SELECT r.* FROM {table} r WHERE {which}"
NAMED = """
  FROM unnest(%(ids)s::uuid[]) AS named (id) CROSS JOIN LATERAL (
       -- row by row: for a list of ids the planner may go through the whole scope
       SELECT r.* FROM {table} r WHERE r.id = named.id AND ({visible}) LIMIT 1
  ) r"""
EXACT = f"SELECT r.id, {FULL}{{named}} WHERE r.embedding_model = %(model)s"
TEXTS = "SELECT r.id, r.content, {shared}, {label}, '{{}}'::uuid[]{named}"
TEXTS_AND_NEWER = """
WITH top AS MATERIALIZED (
    SELECT r.id, r.content, {shared} AS shared, {label} AS label, r.stated_at, r.near,
           r.embedding_model{named}
)
SELECT t.id, t.content, t.shared, t.label, ARRAY(
       SELECT o.id FROM top o
        WHERE o.stated_at > t.stated_at AND o.embedding_model = t.embedding_model
          AND o.near <=> t.near <= %(apart)s)
  FROM top t
"""
NEWEST = """
(SELECT r.id, r.content, r.stated_at FROM {table} r WHERE {own}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
UNION ALL
(SELECT r.id, r.content, r.stated_at FROM {table} r WHERE {lent}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
ORDER BY stated_at DESC, id DESC LIMIT %(limit)s
"""
PROFILE = f"""
SELECT id, category, key, value, importance, stated_at FROM memory_profilefact fact
 WHERE {IN_SCOPE.format(row="fact")} AND active AND importance >= %(least)s
 ORDER BY importance DESC, stated_at DESC, category, key
"""  # noqa: S608 -- constants
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

    Bit n of `held`: the row holds term n. Bit n + 12: it was stated on its date.
    """
    numbered = list(enumerate(terms, 1))
    held = [(HELD.format(number=n), 1 << n - 1) for n, _ in numbered]
    held += [(_stated_on(n, t), 1 << n - 1 + TERM_LIMIT) for n, t in numbered if t.date]
    return MEASURE.format(
        columns=", ".join(f"string_agg({COLUMNS[name].sent}, '')" for name in columns),
        rows=_rows(shelf),
        distance=DISTANCES[width].format(table=shelf.table, visible=shelf.visible),
        matches=_matches(terms),
        held=" + ".join(BIT.format(found=f, bit=bit) for f, bit in held) or "0",
        speaker=shelf.speaker,
        session=shelf.session,
        place=shelf.place,
    )


def _rows(shelf: Shelf) -> str:
    kinds = (shelf.visible, shelf.lent, shelf.community)
    rows = [ROWS.format(table=shelf.table, which=which) for which in kinds if which]
    return f"({' UNION ALL '.join(rows)})"


def _stated_on(number: int, term: Term) -> str:
    if term.date is None:
        return "false"
    return STATED_ON.format(unit=term.date.unit, number=number)


def _matches(terms: Sequence[Term]) -> str:
    """A cheap test that spares most rows one test per term."""
    if not terms:
        return "false"
    dated = [
        _stated_on(number, term)
        for number, term in enumerate(terms, 1)
        if term.date and term.date.unit != "day"
    ]
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
        "full_scan": FULL_SCAN,
    }
    for number, term in enumerate(terms, 1):
        values[f"term{number}"] = term.tsquery
        if term.date:
            values[f"part{number}"] = term.date.number
    if query.vector is not None:
        values["near"] = vector_text(query.vector[:NEAR_DIMENSIONS])
        if vector_width(query) == "wide":
            values["vector"] = vector_text(query.vector)
    return values


def vector_width(query: Query) -> Width:
    """Whether the short copy holds the whole vector."""
    if query.vector is None:
        return "none"
    return "wide" if query.vector[NEAR_DIMENSIONS:].any() else "narrow"


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
        cursor.execute(EXACT.format(named=_named_rows(shelf)), values)
        return dict(cursor.fetchall())


def texts_statement(shelf: Shelf, *, newer: bool) -> str:
    statement = TEXTS_AND_NEWER if newer else TEXTS
    shared = f"({shelf.community or 'false'})"
    return statement.format(named=_named_rows(shelf), shared=shared, label=shelf.label)


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


def newest_rows(scope: Scope, shelf: Shelf, limit: int) -> list[Recalled]:
    """Those stated last, without a score."""
    statement = NEWEST.format(
        table=shelf.table, own=shelf.visible_by_id, lent=shelf.lent
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, owner_values(scope, shelf) | {"limit": limit})
        return [
            Recalled(key, text, 0.0, None, 0.0, stated_at)
            for key, text, stated_at in cursor.fetchall()
        ]


def profile_lines(scope: Scope, least: float) -> list[ProfileLine]:
    with connection.cursor() as cursor:
        cursor.execute(PROFILE, scope_values(scope) | {"least": least})
        return [ProfileLine(*row) for row in cursor.fetchall()]


def _named_rows(shelf: Shelf) -> str:
    visible = shelf.visible_by_id or shelf.visible
    which = " OR ".join(filter(None, (visible, shelf.lent, shelf.community)))
    return NAMED.format(table=shelf.table, visible=which)
