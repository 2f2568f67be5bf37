"""Rankings `chat` and `chat_literal`: 0.70 cosine + 0.30 keyword signal (S0-20 to S0-23)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from memory.recall.rankings.ranking import (
    Ranking,
    Scores,
    nearest_and_best,
    reaches_about,
    reaches_floor,
)
from memory.recall.signals import Flags, Numbers, Rows, Signals
from memory.recall.thresholds import Thresholds

COSINE, KEYWORD = 0.7, 0.3
LITERAL_GATE = 0.35
# What being stated on a date that the query names counts, against holding the word.
DATE_SHARE = 0.75
Keywords = Callable[[Signals], Numbers]


def _weighted_share(signals: Signals) -> Numbers:
    """The share of the query's words in each row, weighted by rarity."""
    rows = np.flatnonzero(signals.words | signals.days)
    words, days = signals.words[rows], signals.days[rows]
    held = np.zeros(len(rows))
    for bit, weight in enumerate(signals.weights):
        stated = DATE_SHARE * (days >> bit & 1)
        held += weight * np.maximum(words >> bit & 1, stated)
    share = np.zeros(len(signals.ids))
    share[rows] = held / (sum(signals.weights) or 1)
    return share


def _text_rank(signals: Signals) -> Numbers:
    return signals.ranks


def _score(signals: Signals, _rows: Rows, keywords: Keywords) -> Scores:
    """Keyword signals count relative to the best one (S0-21), alone without a cosine."""
    found = keywords(signals)
    relative = found / (found.max(initial=0) or 1)
    blended = COSINE * signals.cosines + KEYWORD * relative
    return Scores(np.where(signals.compared, blended, relative), found)


def _candidates(signals: Signals, keywords: Keywords) -> Rows:
    """Rows with a signal; of shortened vectors the nearest and the best."""
    rows = np.flatnonzero(signals.compared | (keywords(signals) > 0))
    return nearest_and_best(signals, rows, _score(signals, rows, keywords).values)


def _calibrated_gate(signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
    """The rows that pass, if one says that the message is about these facts."""
    passing = reaches_floor(signals, scores, limits) & (scores.values >= limits.gate)
    return passing & reaches_about(signals, scores, limits).any()


def _literal_gate(_signals: Signals, scores: Scores, _limits: Thresholds) -> Flags:
    return scores.values >= LITERAL_GATE


CHAT = Ranking(
    "chat",
    columns=(),
    candidates=partial(_candidates, keywords=_weighted_share),
    score=partial(_score, keywords=_weighted_share),
    gate=_calibrated_gate,
    floor=reaches_floor,
)
CHAT_LITERAL = Ranking(
    "chat_literal",
    columns=("ranks",),
    candidates=partial(_candidates, keywords=_text_rank),
    score=partial(_score, keywords=_text_rank),
    gate=_literal_gate,
    literal=True,
    prefers_dates=False,
    decays=False,
)
