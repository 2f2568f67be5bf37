"""Profile `fused`: the rows worth scoring with what stands around them, scored, and the
texts of the best."""

from dataclasses import replace
from math import isnan
from uuid import UUID

import numpy as np

from memory.recall import asking, fusion, sql
from memory.recall.freshness import newer_first
from memory.recall.fusion import Row, Scale, Scored
from memory.recall.query import Query
from memory.recall.scoring import Numbers
from memory.recall.shelves import Shelf
from memory.recall.signals import (
    Measured,
    Rows,
    Whole,
    background,
    measure,
    measured_again,
    read,
    usual,
)
from memory.recall.silence import Background, allowed
from memory.recall.thresholds import thresholds
from memory.values import Recalled
from people.scope import Scope

DEPTH = 20
"""So many of the best are read, whatever is wanted: a newer one may stand behind."""
POOL = 30
"""Candidates by meaning, by words and by both: more were measured to change nothing."""
REACH = 3
"""Places around a candidate that are looked at: its neighbours are judged too, by theirs."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""Keeps the places of two sessions apart when both become one number (Knuth's multiplier,
2^64 over the golden ratio)."""


def fused(
    scope: Scope, query: Query, shelf: Shelf, *, gated: bool, limit: int
) -> tuple[list[Recalled], tuple[UUID, ...], Background]:
    """A shelf's best rows for a query, best first, the ids that want a new vector, and
    what is true of all of it."""
    terms = asking.rarest(scope, query.terms, shelf)
    measured = measure(scope, query, terms, shelf, sql.IN_CONTEXT)
    level = usual(measured, terms, shelf)
    scale = Scale(level.weights, _typical(measured.sizes[level.rows]))
    heard = background(measured, terms, level.rows)
    judged, context = around(measured, candidates(measured, scale))
    if asking.shortened(query, len(measured.ids)):
        cosines = measured_again(scope, query, shelf, measured, judged)
        measured = replace(measured, cosines=cosines)
    ranked = _ranked(measured, judged, context, scale)
    limits = thresholds(query.model)
    many = limit
    if gated:
        cosines = np.array([one.row.cosine for one in ranked], np.float64)
        alone = np.array([one.alone for one in ranked], np.float64)
        many = min(limit, allowed(cosines, alone, heard, limits))
        ranked = [one for one in ranked if fusion.relevant(one, limits)]
    if not many:
        return [], measured.stale_ids, heard
    best = {measured.key(one.row.id): one for one in ranked[: max(limit, DEPTH)]}
    texts = read(scope, shelf, list(best), alike=limits.alike)
    items = [
        Recalled(
            key,
            texts[key][0],
            one.score,
            one.row.cosine,
            one.coverage,
            measured.said(one.row.id),
        )
        for key, one in best.items()
        if key in texts
    ]
    newer = {key: newer for key, (_, newer) in texts.items()}
    return newer_first(items, newer)[:many], measured.stale_ids, heard


def _typical(sizes: Whole) -> float:
    return float(np.exp(np.log(np.maximum(sizes, 1)).mean())) if len(sizes) else 1.0


def candidates(measured: Measured, scale: Scale) -> Rows:
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


def around(measured: Measured, chosen: Rows) -> tuple[Rows, Rows]:
    """Which rows to judge: the chosen and their neighbours; and these with what stands
    around them."""
    placed = measured.places >= 0
    if not placed[chosen].any():
        return chosen, chosen
    at = measured.sessions.view(np.uint64) * SPREAD + measured.places.view(np.uint64)
    steps = np.arange(-REACH, REACH + 1)
    near = at[chosen][placed[chosen], None] + steps.view(np.uint64)
    middle = slice(REACH - 1, REACH + 2)
    judged, context = (
        np.union1d(chosen, np.flatnonzero(placed & np.isin(at, wanted)))
        for wanted in (near[:, middle], near)
    )
    return judged, context


def _ranked(
    measured: Measured, judged: Rows, context: Rows, scale: Scale
) -> list[Scored]:
    """The judged rows, best first, each known by where it stands in the arrays."""
    in_order = measured.lowest(context, len(context), np.zeros(len(measured.ids)))
    rows = _rows(measured, in_order)
    wanted = set(judged.tolist())
    return fusion.scored([r for r in rows if r.id in wanted], rows, scale)


def _rows(measured: Measured, of_these: Rows) -> list[Row]:
    held = measured.words | measured.days
    columns = (
        held,
        measured.sizes,
        measured.spoken,
        measured.stated_at,
        measured.sessions,
        measured.places,
    )
    values = (column[of_these].tolist() for column in columns)
    cosines = measured.cosines[of_these]
    return [
        Row(
            row,
            None if isnan(cosine) else cosine,
            words,
            size,
            spoken,
            stated_at,
            None if session == sql.ALONE else session,
            None if place < 0 else place,
        )
        for row, cosine, words, size, spoken, stated_at, session, place in zip(
            of_these.tolist(), cosines.tolist(), *values, strict=True
        )
    ]
