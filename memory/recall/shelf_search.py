"""Search of shelves: measured rows -> ranking -> gate -> texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from memory.recall import large_scopes
from memory.recall.lists import newest_rows
from memory.recall.query import Query
from memory.recall.rankings.ranking import ON_DATE, Ranking, Scores, decayed
from memory.recall.row_texts import Text, newer_first, read_texts
from memory.recall.shelves import Shelf
from memory.recall.signals import Rows, Signals, measure, measure_shelves, remeasure
from memory.recall.sql import Part
from memory.recall.thresholds import thresholds
from memory.subjects import Subject
from memory.values import MEMORY_KIND, Recalled
from people.scope import Scope

# Rows that are read where a newer statement may come from further down.
DEFAULT_LIMIT = 20
NO_ROWS = np.empty(0, np.intp)
NO_SCORES = Scores(np.empty(0), np.empty(0))


class Search(NamedTuple):
    """What is wanted of a shelf: the best rows by a ranking, if any, and the newest."""

    shelf: Shelf
    ranking: Ranking | None
    gated: bool = True
    limit: int = DEFAULT_LIMIT
    newest: int = 0


@dataclass(frozen=True, slots=True)
class ShelfResult:
    """`items` and `newest` in their order, and keys of rows that need a new vector.

    `own` has facts about the user for rankings with a limit of its own for them; all may
    be shown if none passes the gate.
    """

    items: list[Recalled]
    own: list[Recalled]
    newest: list[Recalled]
    stale_ids: tuple[UUID, ...]


NOTHING = ShelfResult([], [], [], ())


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows of a shelf in their order, of which texts are wanted."""

    large: bool
    signals: Signals
    scores: Scores
    best: Rows
    own: Rows
    newest: Rows

    @property
    def rows(self) -> Rows:
        return np.unique(np.concatenate((self.best, self.own, self.newest)))


def search_shelves(
    scope: Scope, query: Query, searches: Sequence[Search], *more: Part
) -> tuple[list[ShelfResult], list[dict[str, Any]]]:
    """Search shelves and ask `more`: of few rows in one statement, of others in two."""
    asked = [
        (search.shelf, search.ranking.columns if search.ranking else ())
        for search in searches
    ]
    measured, rows = measure_shelves(scope, query, asked, *more)
    picked = list(map(partial(_pick, scope, query), searches, measured))
    wanted = [
        (search.shelf, rows.signals, rows.rows)
        for search, rows in zip(searches, picked, strict=True)
    ]
    texts = read_texts(scope, wanted)
    return list(map(partial(_found, scope, query), searches, picked, texts)), rows


def _pick(scope: Scope, query: Query, search: Search, signals: Signals) -> Picked:
    """Rank the rows and cut them. Nothing is cut before everything is measured."""
    shelf, ranking = search.shelf, search.ranking
    large, newest = signals.large, signals.newest(search.newest)
    if ranking is None or not (large or len(signals.ids)):
        return Picked(large, signals, NO_SCORES, NO_ROWS, NO_ROWS, newest)
    if large:
        shelf = large_scopes.narrowed(scope, query, shelf)
        signals = measure(scope, query, shelf, ranking.columns)
    kept = signals.rows_of(() if ranking.literal else query.carried)
    rows = ranking.candidates(signals)
    rows = np.union1d(rows, kept) if len(kept) else rows
    if signals.shortened:
        signals = remeasure(scope, query, shelf, signals, rows)
    scores = ranking.score(signals, rows)
    limits = thresholds(query.model).for_message(query.order)
    passing = ranking.gate(signals, scores, limits)
    passing[kept] = True
    passed = rows[passing[rows]]
    if ranking.half_life:
        faded = decayed(scores.values, signals.ages, ranking.half_life)
        scores = scores._replace(values=faded)
    best = _best(search, ranking, signals, scores, passed if search.gated else rows)
    own = NO_ROWS
    if ranking.own_limit:
        users = passed[~signals.shared[passed]]
        users = users if len(users) else rows[~signals.shared[rows]]
        own = signals.lowest(
            users, ranking.own_limit, -scores.values, -signals.stated_at
        )
    return Picked(large, signals, scores, best, own, newest)


def _best(
    search: Search, ranking: Ranking, signals: Signals, scores: Scores, rows: Rows
) -> Rows:
    """Rows to be read: more than are shown where some may give way to others."""
    order = scores.values
    if ranking.prefers_dates:
        order = order + ON_DATE * (signals.days > 0)
    more = search.limit > 0 and (ranking.apart or not ranking.literal)
    count = max(search.limit, DEFAULT_LIMIT) if more else search.limit
    best = signals.lowest(rows, count, -order, -signals.stated_at)
    return signals.apart(best) if ranking.apart else best


def _found(
    scope: Scope,
    query: Query,
    search: Search,
    picked: Picked,
    texts: Mapping[int, Text],
) -> ShelfResult:
    signals, (values, keywords) = picked.signals, picked.scores

    def items(rows: Rows, *, scored: bool = True) -> list[Recalled]:
        return [
            Recalled(
                signals.key(row),
                texts[row].content,
                float(values[row]) if scored else 0.0,
                signals.cosine(row) if scored else None,
                float(keywords[row]) if scored else 0.0,
                signals.date(row),
                shared=bool(signals.shared[row]),
                label=texts[row].label,
                evidence=texts[row].evidence,
                confidence=texts[row].confidence,
                kind=search.shelf.kind or MEMORY_KIND,
                stored_at=texts[row].stored_at,
                about=Subject.read(texts[row].subject, texts[row].person),
            )
            for row in rows.tolist()
            if row in texts
        ]

    best = np.array([row for row in picked.best.tolist() if row in texts], np.intp)
    if search.ranking and not search.ranking.literal:
        known = [texts[row] for row in best.tolist()]
        alike = thresholds(query.model).alike
        best = best[newer_first(known, values[best], signals.stated_at[best], alike)]
    if picked.large and search.newest:
        newest = newest_rows(scope, search.shelf, search.newest)
    else:
        newest = items(picked.newest, scored=False)
    shown = items(best[: max(search.limit, 0)])
    return ShelfResult(shown, items(picked.own), newest, signals.stale_ids)


def rank_shelf(
    scope: Scope,
    query: Query,
    shelf: Shelf,
    ranking: Ranking,
    *,
    gated: bool = True,
    limit: int = DEFAULT_LIMIT,
) -> tuple[list[Recalled], tuple[UUID, ...]]:
    """The best rows of a shelf, and ids of rows that need a new vector."""
    search = Search(shelf, ranking, gated=gated, limit=limit)
    ((found,), _) = search_shelves(scope, query, [search])
    return found.items, found.stale_ids
