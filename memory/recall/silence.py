"""Whether a store has anything to say to a message at all. Pure.

A cosine says little by itself: all facts about one person resemble every question about
that person. What tells an answer is how far the best row rises above what the message
has in common with the whole store, together with the message's words in it. A message
that names somebody or something the store has never heard of has to do better.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from memory.recall.thresholds import Thresholds

WORDS = 0.3
"""What holding all of the message's words adds to a row's rise."""
UNHEARD = 0.15
"""What it takes away that a name in the message stands nowhere in the store."""
PRIOR = 100
"""So many rows of a store weigh as much as what is known of the model: a store of one
row has no average to rise above."""


@dataclass(frozen=True, slots=True)
class Background:
    """What is true of a whole store and one message: how many rows have a comparable
    vector, the sum of their cosines, and whether a name is unheard of."""

    compared: int
    cosines: float
    unheard: bool


def speaks(
    signals: Iterable[tuple[float | None, float]],
    background: Background,
    limits: Thresholds,
) -> bool:
    """Whether any row, by its cosine and its share of the message's words, stands out."""
    return any(
        alone(keyword, background) >= limits.floor_alone
        if cosine is None
        else rise(cosine, keyword, background, limits) >= limits.floor_rise
        for cosine, keyword in signals
    )


def rise(
    cosine: float, keyword: float, background: Background, limits: Thresholds
) -> float:
    """How far a row stands out."""
    whole = background.cosines + PRIOR * limits.unrelated
    level = whole / (background.compared + PRIOR)
    return cosine - level + WORDS * keyword - UNHEARD * background.unheard


def alone(keyword: float, background: Background) -> float:
    """How far a row without a comparable vector stands out."""
    return keyword - UNHEARD * background.unheard
