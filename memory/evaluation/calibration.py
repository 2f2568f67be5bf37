"""Gate and floor of an embedding model.

At most 5 % of the questions without an answer reach the floor by their cosine.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from meddie.ai.embeddings import Embedder
from memory.evaluation.everyday import ANSWERED, FACTS, UNANSWERED
from memory.evaluation.locomo import Unit
from memory.evaluation.measures import mean
from memory.evaluation.run import prepare_question
from memory.evaluation.scratch import Store, prepare_filling, scratch
from memory.recall.query import Query
from memory.recall.rankings.chat import CHAT, COSINE
from memory.recall.signals import Signals, measure
from memory.recall.thresholds import Thresholds

TOLERATED = 0.05
STATED_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Seen:
    """Signals of a question, and the rows that answer it."""

    signals: Signals
    answers: frozenset[int] = frozenset()

    def shown(self, limits: Thresholds) -> set[int]:
        """Rows that `chat` shows."""
        rows = CHAT.candidates(self.signals)
        scores = CHAT.score(self.signals, rows)
        return set(rows[CHAT.gate(self.signals, scores, limits)[rows]].tolist())


@dataclass(frozen=True, slots=True)
class Calibration:
    """Thresholds, and the shares that they lead to."""

    thresholds: Thresholds
    kept: float
    answered: float
    intruded: float


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model and roll back. Raises EmbeddingFailed."""
    units = [Unit(fact, frozenset({str(n)}), STATED_AT) for n, fact in enumerate(FACTS)]
    filling = prepare_filling(units, "observation", embedder, lambda count: None)
    strangers = [prepare_question(text, embedder).query for text in UNANSWERED]
    friends = [prepare_question(text, embedder).query for text in ANSWERED]
    with scratch(filling) as store:
        return _summary(
            [_measured(store, query) for query in strangers],
            [
                _measured(store, query, numbers)
                for query, numbers in zip(friends, ANSWERED.values(), strict=True)
            ],
        )


def _summary(strangers: Sequence[Seen], friends: Sequence[Seen]) -> Calibration:
    floor = lowest_floor([_best_cosine(one.signals) for one in strangers])
    limits = Thresholds(gate=round(COSINE * floor, 3), floor=floor)
    return Calibration(
        limits,
        kept=mean([row in one.shown(limits) for one in friends for row in one.answers]),
        answered=mean([bool(one.shown(limits)) for one in friends]),
        intruded=mean([bool(one.shown(limits)) for one in strangers]),
    )


def _measured(store: Store, query: Query, numbers: Sequence[int] = ()) -> Seen:
    signals = measure(store.scope, query, store.shelf, CHAT.columns)
    wanted = {str(number) for number in numbers}
    rows = range(len(signals.ids))
    return Seen(
        signals,
        frozenset(row for row in rows if store.covers[signals.key(row)] & wanted),
    )


def _best_cosine(signals: Signals) -> float:
    return float(np.nan_to_num(signals.cosines).max(initial=0))


def lowest_floor(best: Sequence[float]) -> float:
    """The lowest floor, in hundredths, that at most 5 % reach."""
    allowed = math.floor(TOLERATED * len(best))
    refused = sorted(best, reverse=True)[allowed]
    return (math.floor(100 * refused) + 1) / 100
