"""Ranking `ranked`: meaning, words, confidence, recency and channel (S3-51 to S3-59)."""

import numpy as np

from memory.recall.rankings.ranking import Ranking, Scores, nearest_and_best
from memory.recall.signals import Flags, Numbers, Rows, Signals
from memory.recall.thresholds import Thresholds

# Days after which recency counts half.
HALF_RECENT = 45
# Of a fact of another channel, of none, and of the query's own.
CHANNEL_WORTH = np.array([0.0, 0.25, 1.0])


def _words(signals: Signals) -> Numbers:
    """The share of the query's words in fact and evidence; 1 if they hold all of it."""
    held = np.bitwise_count(signals.words | signals.held_by_evidence)
    return np.where(signals.phrases, 1.0, held / max(len(signals.weights), 1))


def further_parts(signals: Signals) -> dict[str, Numbers]:
    """What counts beside meaning and words, by name."""
    recency: Numbers = 1 / (1 + signals.ages / HALF_RECENT)
    channel: Numbers = CHANNEL_WORTH[signals.channels]
    return {"confidence": signals.confidences, "recency": recency, "channel": channel}


def _score(signals: Signals, _rows: Rows) -> Scores:
    words = _words(signals)
    confidence, recency, channel = further_parts(signals).values()
    with_meaning = (
        0.50 * signals.cosines
        + 0.28 * words
        + 0.10 * confidence
        + 0.07 * recency
        + 0.05 * channel
    )
    without = 0.75 * words + 0.10 * confidence + 0.10 * recency + 0.05 * channel
    return Scores(np.where(signals.compared, with_meaning, without), words)


def _candidates(signals: Signals) -> Rows:
    rows = np.arange(len(signals.ids))
    return nearest_and_best(signals, rows, _score(signals, rows).values)


def _gate(signals: Signals, scores: Scores, _limits: Thresholds) -> Flags:
    """Rows with a clear signal.

    S3 also lets pass high sums, from 0.52 or without meaning from 0.62. No row without a
    clear signal has one: its weights sum to less.
    """
    clear = (signals.cosines >= 0.20) | (scores.keywords >= 0.22)
    return np.where(signals.compared, clear, scores.keywords >= 0.24)


RANKED = Ranking(
    "ranked",
    columns=("held_by_evidence", "phrases", "confidences", "channels"),
    candidates=_candidates,
    score=_score,
    gate=_gate,
    floor=_gate,
    limit=10,
    literal=True,
    prefers_dates=False,
    decays=False,
    needs_vector=False,
    own_limit=8,
    detailed=True,
)
