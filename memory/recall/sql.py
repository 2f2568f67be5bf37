"""The SQL of recall, put together from constants of this package. Pure.

Whatever comes from outside is bound as a parameter.

A scope is gone through once, and what was measured of its rows comes back as a few long
byte strings, one for each column: of 1,000 rows in 2.8 ms where ranking them in SQL took 4.7,
and numbers as text 6.9 (decision 59).
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from memory.recall.query import TERM_LIMIT, Term
from memory.recall.shelves import Shelf

Width = Literal["none", "narrow", "wide"]
ALONE = -(2**63)
"""The session of a row that has none."""


class Column(NamedTuple):
    """How a value of a row is sent, and what numpy calls that."""

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
    "sessions": Column(f"int8send(coalesce(session, '{ALONE}'))", ">i8"),
    "places": Column("int4send(coalesce(place, -1))", ">i4"),
}
BARE = ("ids", "fresh", "distances", "held", "stated_at")
LITERAL = (*BARE, "ranks")
IN_CONTEXT = (*BARE, "sizes", "spoken", "sessions", "places")

MEASURE = """
SELECT {columns} FROM (
    SELECT r.id, r.embedding_model = %(model)s AS fresh, r.stated_at,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance,
           CASE WHEN {matches} THEN {held} ELSE 0 END AS held,
           ts_rank(r.content_tsv, %(any)s::tsquery)::float8 AS rank,
           length(r.content_tsv) AS size, coalesce({speaker} = %(speaker)s, false) AS spoken,
           ({session})::bigint AS session, {place} AS place
      FROM {table} r WHERE {visible}
    OFFSET 0  -- or it would all be worked out for each time it is named
) r
"""
NEAR = "r.near <=> %(near)s::vector::halfvec(384)"
FULL = "r.embedding <=> %(vector)s::vector"
WIDE = """CASE WHEN (SELECT count(*) FROM {table} r WHERE {visible}) <= %(full_scan)s
                THEN r.embedding <=> %(vector)s::vector
                ELSE r.near <=> %(near)s::vector::halfvec(384) END"""
DISTANCES = {"none": "NULL::float8", "narrow": NEAR, "wide": WIDE}
SAID_ON = "extract({unit} FROM r.stated_at AT TIME ZONE 'UTC') = %(part{number})s"
HELD = "r.content_tsv @@ %(term{number})s::tsquery"
BIT = "CASE WHEN {found} THEN {bit} ELSE 0 END"

NAMED = """
  FROM unnest(%(ids)s::uuid[]) AS named (id) CROSS JOIN LATERAL (
       -- each by its id: told to look for any of them, the planner goes through the scope
       SELECT r.* FROM {table} r WHERE r.id = named.id AND {visible} LIMIT 1
  ) r"""
EXACT = f"SELECT r.id, {FULL}{{named}} WHERE r.embedding_model = %(model)s"
TEXTS = "SELECT r.id, r.content, '{{}}'::uuid[]{named}"
TEXTS_AND_NEWER = """
WITH top AS MATERIALIZED (
    SELECT r.id, r.content, r.stated_at, r.near, r.embedding_model{named}
)
SELECT t.id, t.content, ARRAY(
       SELECT o.id FROM top o
        WHERE o.stated_at > t.stated_at AND o.embedding_model = t.embedding_model
          AND o.near <=> t.near <= %(apart)s)
  FROM top t
"""
RAREST = """
SELECT t.number
  FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS t (term, number)
  LEFT JOIN (
       SELECT r.content_tsv AS tsv FROM {table} r
        WHERE {visible} LIMIT %(sample)s
  ) s ON s.tsv @@ t.term::tsquery
 GROUP BY t.number ORDER BY count(s.tsv), t.number LIMIT %(limit)s
"""


def measure(
    shelf: Shelf, terms: Sequence[Term], vector: Width, columns: Sequence[str]
) -> str:
    """The statement that measures these columns of every row of a shelf, in no order but
    the same for all of them; the columns of no row are NULL.

    Bit n of `held` is set where a row holds the n-th term, counted from 0, bit n + 12
    where it was said on the day that the term names.
    """
    numbered = list(enumerate(terms, 1))
    held = [(HELD.format(number=n), 1 << n - 1) for n, _ in numbered]
    held += [(_said_on(n, t), 1 << n - 1 + TERM_LIMIT) for n, t in numbered if t.date]
    return MEASURE.format(
        columns=", ".join(f"string_agg({COLUMNS[name].sent}, '')" for name in columns),
        table=shelf.table,
        visible=shelf.visible,
        distance=DISTANCES[vector].format(table=shelf.table, visible=shelf.visible),
        matches=_matches(terms),
        held=" + ".join(BIT.format(found=f, bit=bit) for f, bit in held) or "0",
        speaker=shelf.speaker,
        session=shelf.session,
        place=shelf.place,
    )


def term_values(terms: Sequence[Term]) -> dict[str, Any]:
    """What `measure` binds for the terms."""
    values: dict[str, Any] = {"any": " | ".join(term.tsquery for term in terms)}
    for number, term in enumerate(terms, 1):
        values[f"term{number}"] = term.tsquery
        if term.date:
            values[f"part{number}"] = term.date.number
    return values


def rarest(shelf: Shelf) -> str:
    """The statement that picks the rarest of many terms."""
    return RAREST.format(table=shelf.table, visible=shelf.visible)


def exact(shelf: Shelf) -> str:
    """The statement that measures whole vectors of rows."""
    return _of_named(EXACT, shelf)


def texts(shelf: Shelf, *, newer: bool) -> str:
    """The statement that reads rows, and says of each which newer ones are alike."""
    return _of_named(TEXTS_AND_NEWER if newer else TEXTS, shelf)


def _said_on(number: int, term: Term) -> str:
    """Whether a row was said on the day that a term names."""
    return SAID_ON.format(unit=term.date.unit, number=number) if term.date else "false"


def _of_named(statement: str, shelf: Shelf) -> str:
    visible = shelf.few or shelf.visible
    return statement.format(named=NAMED.format(table=shelf.table, visible=visible))


def _matches(terms: Sequence[Term]) -> str:
    """Most rows hold no word of the message and need not be asked for each."""
    if not terms:
        return "false"
    dated = [
        _said_on(number, term)
        for number, term in enumerate(terms, 1)
        if term.date and term.date.unit != "day"
    ]
    return " OR ".join(["r.content_tsv @@ %(any)s::tsquery", *dated])
