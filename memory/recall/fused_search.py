"""Profile `fused`: the rows worth scoring with what stands around them, scored, and the
texts of the best."""

from dataclasses import replace
from uuid import UUID

import numpy as np

from memory.recall import asking, fusion, statements
from memory.recall.fusion import Row, Scale, Scored
from memory.recall.measuring import (
    Measured,
    Places,
    background,
    measure,
    measured_again,
    read,
    usual,
)
from memory.recall.query import Query
from memory.recall.scoring import Numbers
from memory.recall.shelves import Shelf
from memory.recall.silence import Background, allowed
from memory.recall.thresholds import thresholds
from memory.values import Recalled
from people.scope import Scope

POOL = 30
"""Candidates by meaning, by words and by both: more were measured to change nothing."""
DEPTH = 20
"""So many of the best are read."""
AROUND = 3
"""Places around a candidate that are looked at: its neighbours are judged too, by theirs."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""Keeps the places of two sessions apart when both become one number (Knuth's multiplier,
2^64 over the golden ratio)."""


def fused(
    scope: Scope, query: Query, shelf: Shelf, *, gated: bool, limit: int
) -> tuple[list[Recalled], tuple[UUID, ...], Background]:
    """A shelf's best rows for a query, best first, the ids that want a new vector, and
    what is true of all of it."""
    ranked, heard, stale_ids = _scored(scope, query, shelf)
    limits = thresholds(query.model)
    many = limit
    if gated:
        cosines = [one.row.cosine for one in ranked]
        alone = [one.alone for one in ranked]
        signals = np.array(cosines, np.float64), np.array(alone, np.float64)
        many = min(limit, allowed(*signals, heard, limits))
        if not many:
            return [], stale_ids, heard
        ranked = [one for one in ranked if fusion.relevant(one, limits)]
    items = _read(scope, shelf, ranked[: max(limit, DEPTH)], limits.alike)[:many]
    return items, stale_ids, heard


def _scored(
    scope: Scope, query: Query, shelf: Shelf
) -> tuple[list[Scored], Background, tuple[UUID, ...]]:
    terms = asking.rarest(scope, query.terms, shelf)
    measured = measure(scope, query, terms, shelf, statements.AROUND)
    level = usual(measured, terms, shelf)
    scale = Scale(level.weights, _typical(measured.sizes[level.rows]))
    judged, context = around(measured, candidates(measured, scale))
    if asking.shortened(query, len(measured.ids)):
        cosines = measured_again(scope, query, shelf, measured, judged)
        measured = replace(measured, cosines=cosines)
    rows = _rows(measured, context)
    ranked = fusion.scored([rows[r] for r in judged.tolist()], [*rows.values()], scale)
    return ranked, background(measured, terms, level.rows), measured.stale_ids


def _typical(sizes: Places) -> float:
    return float(np.exp(np.log(np.maximum(sizes, 1)).mean())) if len(sizes) else 1.0


def candidates(measured: Measured, scale: Scale) -> Places:
    """The best rows by meaning, by words and by both."""
    compared, held = measured.compared, measured.words | measured.days
    distance = np.where(compared, 1 - measured.cosines, np.inf)
    keyword = _keyword(measured, scale)
    worth = np.where(compared, fusion.KEYWORD, 1.0)
    score = (
        fusion.COSINE * np.nan_to_num(measured.cosines)
        + worth * keyword
        + fusion.SPEAKER * measured.spoken
    )
    pools = (
        measured.lowest(np.flatnonzero(compared), POOL, distance),
        measured.lowest(np.flatnonzero(held), POOL, -keyword, distance),
        measured.lowest(np.flatnonzero(compared | (held > 0)), POOL, -score),
    )
    return np.unique(np.concatenate(pools))


def _keyword(measured: Measured, scale: Scale) -> Numbers:
    """The weighted share of the query's words that stand in a row itself."""
    share = np.zeros(len(measured.ids))
    for bit, weight in enumerate(scale.weights):
        share += weight * measured.has(bit)
    worth = np.minimum(fusion.MOST, fusion.dilution(measured.sizes, scale.typical))
    weighted: Numbers = share * worth / (sum(scale.weights) or 1)
    return weighted


def around(measured: Measured, chosen: Places) -> tuple[Places, Places]:
    """Which rows to judge: the chosen and their neighbours; and these with what stands
    around them."""
    placed = measured.places >= 0
    if not placed[chosen].any():
        return chosen, chosen
    at = measured.sessions.view(np.uint64) * SPREAD + measured.places.view(np.uint64)
    steps = np.arange(-AROUND, AROUND + 1)
    near = at[chosen][placed[chosen], None] + steps.view(np.uint64)
    middle = slice(AROUND - 1, AROUND + 2)
    judged, context = (
        np.union1d(chosen, np.flatnonzero(placed & np.isin(at, wanted)))
        for wanted in (near[:, middle], near)
    )
    return judged, context


def _rows(measured: Measured, places: Places) -> dict[int, Row]:
    """What is known of these rows, by their places."""
    held = (measured.words | measured.days)[places].tolist()
    sizes, spoken = measured.sizes[places].tolist(), measured.spoken[places].tolist()
    sessions, there = (
        measured.sessions[places].tolist(),
        measured.places[places].tolist(),
    )
    return {
        place: Row(
            measured.key(place),
            measured.cosine(place),
            words,
            size,
            said,
            measured.said(place),
            None if session == statements.ALONE else session,
            None if at < 0 else at,
        )
        for place, words, size, said, session, at in zip(
            places.tolist(), held, sizes, spoken, sessions, there, strict=True
        )
    }


def _read(
    scope: Scope, shelf: Shelf, ranked: list[Scored], alike: float
) -> list[Recalled]:
    texts = read(scope, shelf, (one.row.id for one in ranked), alike=alike)
    there = [one for one in ranked if one.row.id in texts]
    newer = {key: newer for key, (_, newer) in texts.items()}
    return [
        Recalled(
            one.row.id,
            texts[one.row.id][0],
            one.score,
            one.row.cosine,
            one.coverage,
            one.row.stated_at,
        )
        for one in fusion.newer_first(there, newer)
    ]
