"""Rankings as values."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from memory.recall.signals import Flags, Numbers, Rows, Signals
from memory.recall.thresholds import Thresholds

# Share of the query's words from which a row is relevant without regard to its cosine.
WORDS_FLOOR = 0.27
# Added to the score of a row that was stated in the time that the query names.
ON_DATE = 0.2
# Rows of wide vectors, by cosine and by score, that are compared in full.
REMEASURED = 200


class Scores(NamedTuple):
    """Values per row of a shelf."""

    values: Numbers
    keywords: Numbers


Gate = Callable[[Signals, Scores, Thresholds], Flags]


def every_row(signals: Signals, _scores: Scores, _limits: Thresholds) -> Flags:
    return np.ones_like(signals.compared)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A way of ordering measured rows. Its functions are pure."""

    name: str
    # Measured beside the basic ones, see sql.COLUMNS.
    columns: tuple[str, ...]
    # The rows worth scoring.
    candidates: Callable[[Signals], Rows]
    score: Callable[[Signals, Rows], Scores]
    # The rows that may be shown.
    gate: Gate
    # The part of the gate that does not look at the score.
    floor: Gate = every_row
    limit: int = 6
    # To the letter of its document: of two alike statements the newer does not come
    # first, and nothing passes the gate because the last reply used it.
    literal: bool = False
    # Whether a space may let its scores fade with age, and after how many days by half.
    decays: bool = True
    half_life: int | None = None
    # Of rows that pass the gate those of the time that the query names come first.
    prefers_dates: bool = True
    # A message that could not be embedded finds nothing (S0-53).
    needs_vector: bool = True
    # So many of the user's facts are found besides those that share limit and gate with
    # lore (S3-47): all of them if none passes the gate (S3-46).
    own_limit: int = 0
    # Of rows that overlap in their session only the best is shown.
    apart: bool = False
    # A prompt shows evidence and confidence, and says that a search was empty.
    detailed: bool = False

    def fading(self, half_life: int | None) -> Self:
        return replace(self, half_life=half_life) if self.decays else self


def decayed(scores: Numbers, days: Numbers, half_life: int) -> Numbers:
    """Score x 0.5^(days / half-life); scores of zero and less stay (S1-51)."""
    faded: Numbers = np.where(scores > 0, scores * 0.5 ** (days / half_life), scores)
    return faded


def nearest_and_best(signals: Signals, rows: Rows, values: Numbers) -> Rows:
    """The rows; of shortened vectors the nearest and those with the best values."""
    if not signals.shortened:
        return rows
    # The nearest too: rows below the gate must not crowd them out.
    compared = rows[signals.compared[rows]]
    nearest = signals.lowest(compared, REMEASURED, -signals.cosines)
    return np.union1d(nearest, signals.lowest(rows, REMEASURED, -values))


def reaches_floor(signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
    """Rows with enough meaning or enough of the query's words."""
    return (signals.cosines >= limits.floor) | (scores.keywords >= WORDS_FLOOR)


def reaches_about(signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
    """Rows with so much of them that the message is about the rows around them."""
    return reaches_floor(signals, scores, replace(limits, floor=limits.about))
