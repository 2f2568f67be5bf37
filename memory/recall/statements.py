"""The SQL of recall, put together from constants of this package. Pure.

Whatever comes from outside is bound as a parameter.
"""

from collections.abc import Sequence
from typing import Any, Literal

from memory.recall.query import Term
from memory.recall.shelves import Shelf

Width = Literal["none", "narrow", "wide"]

NEAR = "r.near <=> %(near)s::vector::halfvec(384)"
FULL = "r.embedding <=> %(vector)s::vector"
WIDE = """CASE WHEN (SELECT count(*) FROM {table} r WHERE {visible}) <= %(full_scan)s
                THEN r.embedding <=> %(vector)s::vector
                ELSE r.near <=> %(near)s::vector::halfvec(384) END"""
NOTHING = "NULL::float8"
SAID_ON = "extract({unit} FROM r.stated_at AT TIME ZONE 'UTC') = %(part{number})s"
SHARE = "WHEN r.content_tsv @@ %(term{number})s::tsquery THEN 1"
WEIGHT = "ln(1 + count(*)::float8 / (1 + count(*) FILTER (WHERE shares[{number}] > 0)))"

SEARCH = """
WITH scope AS MATERIALIZED (
    SELECT r.id, r.embedding_model = %(model)s AS fresh,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance,
           CASE WHEN {matches} THEN {measure} END AS shares
      FROM {table} r WHERE {visible}
), weights AS MATERIALIZED (
    SELECT {weights}::float8[] AS w, count(distance) AS compared,
           coalesce(sum(1 - distance), 0) AS cosines, {unheard} AS unheard FROM {background}
), heard AS MATERIALIZED (
    SELECT id, fresh, distance, {keyword} AS keyword
      FROM scope CROSS JOIN weights WHERE shares IS NOT NULL
), best AS MATERIALIZED (
    SELECT coalesce(max(keyword), 0) AS keyword FROM heard
), near AS MATERIALIZED (
    SELECT id, fresh, distance, shares FROM scope WHERE distance IS NOT NULL
     ORDER BY distance, id LIMIT %(many)s
), signals AS MATERIALIZED (
    SELECT * FROM heard
    UNION ALL
    SELECT id, fresh, distance, 0 FROM near WHERE shares IS NULL
), candidates AS (
    -- the nearest too: rows that the floors will refuse must not crowd them out
    SELECT * FROM signals WHERE id IN (SELECT id FROM near)
    UNION
    (SELECT * FROM signals
      ORDER BY %(cosine_weight)s::float8 * (1 - coalesce(distance, 1))
             + CASE WHEN distance IS NULL THEN 1::float8 ELSE %(keyword_weight)s::float8 END
             * keyword / greatest((SELECT keyword FROM best), 1e-9) DESC, id
      LIMIT %(many)s)
)
SELECT best.keyword, ARRAY(SELECT id FROM scope WHERE NOT fresh LIMIT %(stale)s),
       weights.compared, weights.cosines, weights.unheard,
       r.id, r.content, r.stated_at AT TIME ZONE 'UTC', CASE WHEN c.fresh THEN {exact} END, c.keyword
  FROM best CROSS JOIN weights LEFT JOIN (candidates c JOIN {table} r USING (id)) ON true
"""
EVERYWHERE = "(SELECT {unknown} FROM scope LIMIT 1)"
RAREST = """
SELECT t.number
  FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS t (term, number)
  LEFT JOIN (
       SELECT r.content_tsv AS tsv FROM {table} r
        WHERE {visible} LIMIT %(sample)s
  ) s ON s.tsv @@ t.term::tsquery
 GROUP BY t.number ORDER BY count(s.tsv), t.number LIMIT %(limit)s
"""


def search(shelf: Shelf, terms: Sequence[Term], *, literal: bool, vector: Width) -> str:
    """The statement for a message of these terms.

    To the letter of S0 the keyword signal is ts_rank; else it is the share of the
    message's words that a row holds, rare words counting more.
    """
    numbers = range(1, len(terms) + 1)
    shares = ", ".join(
        f"CASE {_when(number, term)} ELSE 0 END" for number, term in enumerate(terms, 1)
    )
    measure = f"ARRAY[{shares}]::float8[]"
    keyword = _coverage(len(terms))
    if literal:
        measure = "ARRAY[ts_rank(r.content_tsv, %(any)s::tsquery)]::float8[]"
        keyword = "shares[1]"
    distance, exact = distances(shelf, vector)
    return SEARCH.format(
        table=shelf.table,
        visible=shelf.visible,
        distance=distance,
        exact=exact,
        matches=matches(terms, literal=literal),
        measure=measure,
        keyword=keyword,
        **background(
            shelf,
            [WEIGHT.format(number=number) for number in numbers],
            unheard(terms, "shares[{number}] > 0"),
        ),
    )


def term_values(terms: Sequence[Term]) -> dict[str, Any]:
    """What `search` binds for the terms."""
    values: dict[str, Any] = {"any": " | ".join(term.tsquery for term in terms)}
    for number, term in enumerate(terms, 1):
        values[f"term{number}"] = term.tsquery
        if term.date:
            values[f"part{number}"] = term.date.number
    return values


def rarest(shelf: Shelf) -> str:
    """The statement that picks the rarest of many terms."""
    return RAREST.format(table=shelf.table, visible=shelf.visible)


def distances(shelf: Shelf, vector: Width) -> tuple[str, str]:
    """How far a row is by its short copy, and how alike by its whole vector, which of a
    narrow one the short copy holds to 1e-4."""
    if vector == "none":
        return NOTHING, NOTHING
    if vector == "narrow":
        return NEAR, "1 - c.distance"
    wide = WIDE.format(table=shelf.table, visible=shelf.visible)
    return wide, f"1 - ({FULL})"


def said_on(number: int, term: Term) -> str:
    """Whether a row was said on the day that a term names."""
    return SAID_ON.format(unit=term.date.unit, number=number) if term.date else "false"


def unheard(terms: Sequence[Term], held: str) -> str:
    """Whether no row holds some name of the message; `held` says that one does."""
    names = (held.format(number=n) for n, term in enumerate(terms, 1) if term.name)
    absent = [f"count(*) FILTER (WHERE {name}) = 0" for name in names]
    return " OR ".join(absent) or "false"


def background(shelf: Shelf, weights: Sequence[str], unknown: str) -> dict[str, str]:
    """What the rarity of words and the usual cosine are measured on: all that is gone
    through; or, where that is candidates alone, what was counted and sampled before."""
    if not shelf.bound:
        measured = f"ARRAY[{', '.join(weights)}]"
        return {"background": "scope", "weights": measured, "unheard": unknown}
    return {
        "weights": "%(weights)s",
        "background": "scope WHERE id = ANY(%(sample)s::uuid[])",
        "unheard": EVERYWHERE.format(unknown=unknown),
    }


def _when(number: int, term: Term) -> str:
    when = SHARE.format(number=number)
    if term.date:
        when += f" WHEN {said_on(number, term)} THEN %(date)s"
    return when


def matches(terms: Sequence[Term], *, literal: bool) -> str:
    """Most rows hold no word of the message and need not be asked for each."""
    if not terms:
        return "false"
    dated = [
        said_on(number, term)
        for number, term in enumerate(terms, 1)
        if term.date and term.date.unit != "day" and not literal
    ]
    return " OR ".join(["r.content_tsv @@ %(any)s::tsquery", *dated])


def _coverage(count: int) -> str:
    if not count:
        return "0"
    found = " + ".join(f"shares[{n}] * w[{n}]" for n in range(1, count + 1))
    whole = " + ".join(f"w[{n}]" for n in range(1, count + 1))
    return f"({found}) / ({whole})"
