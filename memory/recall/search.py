"""Profiles that blend two signals: meaning, and the message's words.

Both are measured for every row that the user may see; only then anything is ordered and
cut. So no index on vectors can be chosen that would filter after its search and lose rows,
and what others have stored cannot push anything out. The user and the space are constants
in the statement.

Vectors of at most 384 numbers are whole in the short copy `near`. Wider ones are measured
in full up to 2,000 rows; of more, the best by `near` are measured again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from memory.recall import asking, sql
from memory.recall.profiles import Profile
from memory.recall.query import Query
from memory.recall.scoring import Numbers, blend, relevant
from memory.recall.shelves import Shelf
from memory.recall.signals import (
    Measured,
    Rows,
    background,
    measure,
    measured_again,
    read,
    usual,
)
from memory.recall.silence import Background, allowed
from memory.recall.thresholds import Thresholds, thresholds
from memory.values import Recalled
from people.scope import Scope

REMEASURED = 200
"""Of rows with wide vectors, by meaning and by score: only these are then ranked."""
DATE_SHARE = 0.75
"""What it counts that a row was said on a day the message names, against naming it."""


@dataclass(frozen=True, slots=True)
class Found:
    """All that was measured, the keyword signal of each row, which rows are worth ranking,
    and what is true of the whole scope."""

    measured: Measured
    keywords: Numbers
    rows: Rows
    background: Background


def blended(
    scope: Scope,
    query: Query,
    shelf: Shelf,
    profile: Profile,
    *,
    gated: bool,
    limit: int,
) -> tuple[list[Recalled], tuple[UUID, ...], Background]:
    """A shelf's best rows for a query, best first, the ids that want a new vector, and
    what is true of all of it."""
    found = search(scope, query, shelf, profile)
    measured = found.measured
    limits = thresholds(query.model) if gated else None
    many = limit
    if limits and not profile.literal:
        signals = measured.cosines[found.rows], found.keywords[found.rows]
        many = min(limit, allowed(*signals, found.background, limits))
    if not many:
        return [], measured.stale_ids, found.background
    best = {
        measured.key(row): (row, score)
        for row, score in ranked(found, profile, limits, many)
    }
    texts = read(scope, shelf, list(best))
    items = [
        Recalled(
            key,
            texts[key][0],
            score,
            measured.cosine(row),
            float(found.keywords[row]),
            measured.said(row),
        )
        for key, (row, score) in best.items()
        if key in texts
    ]
    return items, measured.stale_ids, found.background


def search(scope: Scope, query: Query, shelf: Shelf, profile: Profile) -> Found:
    """Both signals for every row of the shelf."""
    terms = asking.rarest(scope, query.terms, shelf)
    columns = sql.LITERAL if profile.literal else sql.BARE
    measured = measure(scope, query, terms, shelf, columns)
    level = usual(measured, terms, shelf)
    keywords = measured.ranks
    if not profile.literal:
        keywords = coverage(measured, level.weights)
    heard = background(measured, terms, level.rows)
    rows = np.flatnonzero(measured.compared | (keywords > 0))
    if asking.shortened(query, len(measured.ids)):
        rows = _nearest_and_best(measured, keywords, rows, profile)
        cosines = measured_again(scope, query, shelf, measured, rows)
        measured = replace(measured, cosines=cosines)
    return Found(measured, keywords, rows, heard)


def coverage(measured: Measured, weights: Sequence[float]) -> Numbers:
    """The share of the query's words that a row holds, rare ones counting more."""
    found = np.zeros(len(measured.ids))
    for bit, weight in enumerate(weights):
        said = DATE_SHARE * (measured.days >> bit & 1)
        found += weight * np.maximum(measured.words >> bit & 1, said)
    return found / (sum(weights) or 1)


def ranked(
    found: Found, profile: Profile, limits: Thresholds | None, limit: int
) -> list[tuple[int, float]]:
    """So many of the relevant rows and their scores, best first, of equal ones the newer,
    then the lower id first.

    Without limits every row is relevant: how a ranking is measured.
    """
    measured, rows = found.measured, found.rows
    scores = blend(measured.cosines, found.keywords, profile)
    if limits is not None:
        signals = measured.cosines, found.keywords
        rows = rows[relevant(scores, *signals, profile, limits)[rows]]
    order = measured.lowest(rows, limit, -scores, -measured.stated_at)
    return list(zip(order.tolist(), scores[order].tolist(), strict=True))


def _nearest_and_best(
    measured: Measured, keywords: Numbers, rows: Rows, profile: Profile
) -> Rows:
    """The nearest too: rows that the floors will refuse must not crowd them out."""
    scores = blend(measured.cosines, keywords, profile)
    compared = rows[measured.compared[rows]]
    near = measured.lowest(compared, REMEASURED, -measured.cosines)
    return np.union1d(near, measured.lowest(rows, REMEASURED, -scores))
