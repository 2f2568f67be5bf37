"""Ranking `episodes`: the three nearest stretches within a distance (S4-31)."""

from memory.recall.rankings.ranking import Ranking, Scores
from memory.recall.rankings.strict_semantic import STRICT_SEMANTIC
from memory.recall.signals import Flags, Signals
from memory.recall.thresholds import Thresholds


def _gate(signals: Signals, _scores: Scores, limits: Thresholds) -> Flags:
    return signals.cosines > limits.episode


EPISODES = Ranking(
    "episodes",
    columns=("sessions", "places", "lasts"),
    candidates=STRICT_SEMANTIC.candidates,
    score=STRICT_SEMANTIC.score,
    gate=_gate,
    limit=3,
    literal=True,
    decays=False,
    apart=True,
)
