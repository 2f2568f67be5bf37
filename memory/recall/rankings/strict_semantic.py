"""Ranking `strict_semantic`: cosines above a threshold, the ten best (S1-12, S1-13)."""

import numpy as np

from memory.recall.rankings.ranking import Ranking, Scores, reaches_about
from memory.recall.signals import Flags, Rows, Signals
from memory.recall.thresholds import Thresholds


def _candidates(signals: Signals) -> Rows:
    return np.flatnonzero(signals.compared)


def _score(signals: Signals, _rows: Rows) -> Scores:
    return Scores(signals.cosines, np.zeros(len(signals.ids)))


def _gate(signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
    passing = signals.cosines > limits.strict
    return passing & reaches_about(signals, scores, limits).any()


STRICT_SEMANTIC = Ranking(
    "strict_semantic",
    columns=(),
    candidates=_candidates,
    score=_score,
    gate=_gate,
    limit=10,
    literal=True,
)
