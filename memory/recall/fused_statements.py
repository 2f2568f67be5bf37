"""The SQL of profile `fused`, put together from constants of this package. Pure.

Like `statements`: the scope is gone through once, in a MATERIALIZED table expression;
what stands around the few best rows is then looked up in it and nowhere else.
"""

from collections.abc import Sequence

from memory.recall.fusion import LENGTH, MOST, SATURATION, SPEAKER
from memory.recall.query import Term
from memory.recall.shelves import Shelf
from memory.recall.statements import (
    Width,
    background,
    distances,
    matches,
    said_on,
    unheard,
)

BIT = "CASE WHEN {found} THEN {bit} ELSE 0 END"
WORD = "r.content_tsv @@ %(term{number})s::tsquery"
WEIGHT = "ln(1 + count(*)::float8 / (1 + count(*) FILTER (WHERE words & {bit} > 0)))"

SEARCH = """
WITH scope AS MATERIALIZED (
    SELECT r.id, r.embedding_model = %(model)s AS fresh, r.stated_at,
           CASE WHEN r.embedding_model = %(model)s THEN {distance} END AS distance,
           CASE WHEN {matches} THEN {words} ELSE 0 END AS words,
           length(r.content_tsv) AS size, {spoken} AS spoken,
           {session} AS session, {place} AS place
      FROM {table} r WHERE {visible}
), totals AS MATERIALIZED (
    SELECT coalesce(exp(avg(ln(greatest(size, 1)))), 1)::float8 AS typical,
           {weights}::float8[] AS w, count(distance) AS compared,
           coalesce(sum(1 - distance), 0) AS cosines, {unheard} AS unheard FROM {background}
), signals AS MATERIALIZED (
    SELECT s.*, CASE WHEN words = 0 THEN 0::float8 ELSE {coverage} * least(
               {most}, ((1 + {saturation}) / (1 + {saturation} * (
                   1 - {length} + {length} * size / greatest(typical, 1))))) END AS keyword
      FROM scope s CROSS JOIN totals
), candidates AS MATERIALIZED (
    (SELECT id, session, place FROM signals WHERE distance IS NOT NULL
      ORDER BY distance, id LIMIT %(pool)s)
    UNION
    (SELECT id, session, place FROM signals WHERE words <> 0
      ORDER BY keyword DESC, distance, id LIMIT %(pool)s)
    UNION
    (SELECT id, session, place FROM signals WHERE distance IS NOT NULL OR words <> 0
      ORDER BY %(cosine_weight)s::float8 * (1 - coalesce(distance, 1))
             + CASE WHEN distance IS NULL THEN 1::float8 ELSE %(keyword_weight)s::float8 END
             * keyword + CASE WHEN spoken THEN {worth} ELSE 0 END DESC, id
      LIMIT %(pool)s)
), found AS MATERIALIZED (
    {found}
)
SELECT totals.typical, totals.w, totals.compared, totals.cosines, totals.unheard,
       ARRAY(SELECT id FROM scope WHERE NOT fresh LIMIT %(stale)s),
       f.id, CASE WHEN f.fresh THEN {exact} END, f.words, f.size, f.spoken,
       f.stated_at AT TIME ZONE 'UTC', f.session, f.place, f.away
  FROM totals LEFT JOIN found f ON true
"""
ALONE = "SELECT s.*, 0 AS away FROM candidates c JOIN signals s USING (id)"
# Three places around a candidate: its neighbours are judged too, by theirs.
TOGETHER = """
    SELECT s.*, near.away FROM (
        SELECT session, place + step AS place, min(abs(step)) AS away
          FROM candidates, generate_series(-3, 3) AS step GROUP BY 1, 2
    ) near JOIN signals s USING (session, place)"""
EXACT = """1 - CASE WHEN f.away > 1 THEN f.distance ELSE (
           SELECT r.embedding <=> %(vector)s::vector FROM {table} r WHERE r.id = f.id) END"""

TEXTS = """
WITH top AS MATERIALIZED (
    -- each by its id: told to look for any of them, the planner goes through the scope
    SELECT found.* FROM unnest(%(ids)s::uuid[]) AS named (id) CROSS JOIN LATERAL (
        SELECT r.id, r.content, r.stated_at, r.near, r.embedding_model FROM {table} r
         WHERE r.id = named.id AND {visible} LIMIT 1
    ) found
)
SELECT t.id, t.content, ARRAY(
       SELECT o.id FROM top o
        WHERE o.stated_at > t.stated_at AND o.embedding_model = t.embedding_model
          AND o.near <=> t.near <= %(apart)s)
  FROM top t
"""


def search(shelf: Shelf, terms: Sequence[Term], vector: Width) -> str:
    """The statement that finds the rows worth scoring, and what stands around them."""
    distance, _ = distances(shelf, vector)
    words = " + ".join(
        BIT.format(found=_found(number, term), bit=1 << number - 1)
        for number, term in enumerate(terms, 1)
    )
    bits = [1 << number for number in range(len(terms))]
    return SEARCH.format(
        table=shelf.table,
        visible=shelf.visible,
        distance=distance,
        matches=matches(terms, literal=False),
        words=words or "0",
        spoken=f"coalesce({shelf.speaker} = %(speaker)s, false)",
        session=shelf.session,
        place=shelf.place,
        coverage=_coverage(bits),
        **background(
            shelf,
            [WEIGHT.format(bit=bit) for bit in bits],
            unheard(terms, "words & (1 << {number} - 1) > 0"),
        ),
        found=ALONE if shelf.place == "NULL::int" else TOGETHER,
        exact=_exact(shelf, vector),
        saturation=SATURATION,
        length=LENGTH,
        most=MOST,
        worth=SPEAKER,
    )


def texts(shelf: Shelf) -> str:
    """The statement that reads the best, and says which newer ones are alike."""
    return TEXTS.format(table=shelf.table, visible=shelf.few or shelf.visible)


def _exact(shelf: Shelf, vector: Width) -> str:
    """The short copy holds a narrow vector whole; a wide one is measured in full."""
    if vector == "none":
        return "NULL::float8"
    return EXACT.format(table=shelf.table) if vector == "wide" else "1 - f.distance"


def _found(number: int, term: Term) -> str:
    found = WORD.format(number=number)
    return f"{found} OR {said_on(number, term)}" if term.date else found


def _coverage(bits: Sequence[int]) -> str:
    if not bits:
        return "0"
    found = " + ".join(
        f"CASE WHEN words & {bit} > 0 THEN w[{number}] ELSE 0 END"
        for number, bit in enumerate(bits, 1)
    )
    return f"({found}) / ({' + '.join(f'w[{n}]' for n in range(1, len(bits) + 1))})"
