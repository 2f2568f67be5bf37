"""What a ranking is: a value with the columns it needs, its arithmetic and its gate."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from memory.recall.signals import Flags, Numbers, Rows, Signals
from memory.recall.thresholds import Thresholds

WORDS_FLOOR = 0.27
"""Share of the query's words from which a row is relevant without regard to its cosine.
With 0.27 the gate costs 1.3 points of recall@6 on first-person questions (docs/recall.md)."""


class Scores(NamedTuple):
    """The score and the keyword signal of each row of a shelf."""

    values: Numbers
    keywords: Numbers


@dataclass(frozen=True, slots=True)
class Ranking:
    """A way of ordering what was measured. All functions are pure.

    `columns` are measured beside the basic ones (`sql.COLUMNS`). `candidates` picks the
    rows worth scoring, `score` scores these, and `gate` says which may be shown. `limit`
    is the usual number of results. With `newer_first` the newer of two alike statements
    comes first. With `needs_vector` a query that could not be embedded finds nothing.
    """

    name: str
    columns: tuple[str, ...]
    candidates: Callable[[Signals], Rows]
    score: Callable[[Signals, Rows], Scores]
    gate: Callable[[Signals, Scores, Thresholds], Flags]
    limit: int = 6
    newer_first: bool = False
    needs_vector: bool = True


def reaches_floor(signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
    """Rows with a cosine from the model's floor on, or with enough of the query's words."""
    return (signals.cosines >= limits.floor) | (scores.keywords >= WORDS_FLOOR)
