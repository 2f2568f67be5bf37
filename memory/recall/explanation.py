"""What a ranking makes of the rows of a shelf, for staff."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from memory.models import MemoryPolicy
from memory.recall.query import Query
from memory.recall.rankings import RANKINGS
from memory.recall.rankings.ranked import further_parts
from memory.recall.rankings.ranking import Ranking, Scores
from memory.recall.shelf_search import rank_shelf
from memory.recall.shelves import LORE_SHELF, MEMORIES, MINOR_PROFILE, Shelf
from memory.recall.signals import Flags, Rows, Signals
from memory.recall.thresholds import Thresholds
from memory.values import MEMORY_KIND, Weighed
from people.scope import Scope

WEIGHED = 20  # rows of a shelf


class _Watched:
    """Ranks like a ranking, shows all rows, and keeps what was measured."""

    signals: Signals
    scores: Scores
    passing: Flags
    floor: Flags

    def __init__(self, ranking: Ranking) -> None:
        self.watched = ranking
        self.ranking = replace(ranking, score=self._score, gate=self._gate)

    def _score(self, signals: Signals, rows: Rows) -> Scores:
        self.signals = signals
        self.scores = self.watched.score(signals, rows)
        return self.scores

    def _gate(self, signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
        self.passing = self.watched.gate(signals, scores, limits)
        self.floor = self.watched.floor(signals, scores, limits)
        return np.ones_like(self.passing)

    def parts(self, row: int) -> dict[str, float]:
        signals = self.signals
        found = {"keyword": float(self.scores.keywords[row])}
        cosine = signals.cosine(row)
        if cosine is not None:
            found["cosine"] = cosine
        if "channels" in self.watched.columns:
            further = further_parts(signals).items()
            found |= {name: float(values[row]) for name, values in further}
        return found


def explain(
    scope: Scope,
    query: Query,
    *,
    policy: MemoryPolicy,
    ranking: str,
    shelves: Sequence[Shelf] = (),
) -> dict[str, list[Weighed]]:
    """The best rows of the facts, of lore and of `shelves`, whether they are shown or not."""
    if not scope.reads or query.overview or not query.text:
        return {}
    fading = RANKINGS[ranking].fading(policy.decay_half_life)
    found = {MEMORY_KIND: _weigh_shelf(scope, query, MEMORIES, fading)}
    if policy.lore:
        found[LORE_SHELF.kind] = _weigh_shelf(scope, query, LORE_SHELF, fading)
    for shelf in (MINOR_PROFILE, *shelves):
        found[shelf.kind] = _weigh_shelf(scope, query, shelf, RANKINGS[shelf.ranking])
    return found


def _weigh_shelf(
    scope: Scope, query: Query, shelf: Shelf, ranking: Ranking
) -> list[Weighed]:
    if query.failed and ranking.needs_vector:
        return []
    watched = _Watched(ranking)
    items, _ = rank_shelf(scope, query, shelf, watched.ranking, limit=WEIGHED)
    if not items:
        return []
    rows: dict[UUID, int] = {
        watched.signals.key(row): row for row in range(len(watched.signals.ids))
    }
    carried = frozenset() if ranking.literal else query.carried
    return [
        Weighed(
            item,
            bool(watched.passing[rows[item.memory_id]]),
            bool(watched.floor[rows[item.memory_id]]),
            item.memory_id in carried,
            watched.parts(rows[item.memory_id]),
        )
        for item in items
    ]
