"""Whether a store has anything to say to a message at all, and how much. Pure.

A cosine says little by itself: all facts about one person resemble every question about
that person. What tells an answer is how far the best row rises above what the message
has in common with the whole store, together with the message's words in it. A message
that names somebody or something the store has never heard of has to do better, and so
has a row among many: the best of a thousand rises further by chance than that of forty,
and that of five less far. The less the best row stands out, the fewer rows come with it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from memory.recall.scoring import Numbers
from memory.recall.thresholds import Thresholds

WORDS = 0.3
"""What holding all of the message's words adds to a row's rise."""
UNHEARD = 0.15
"""What it takes away that a name in the message stands nowhere in the store."""
PRIOR = 100
"""So many rows of a store weigh as much as what is known of the model: a store of one
row has no average to rise above."""
CALIBRATED = 40
"""Rows of the store that floors are calibrated on."""
CROWD = 1000
"""Nobody measured what chance does in larger stores."""


@dataclass(frozen=True, slots=True)
class Background:
    """What is true of a whole store and one message: how many rows have a comparable
    vector, the sum of their cosines, and whether a name is unheard of."""

    compared: int
    cosines: float
    unheard: bool


def allowed(
    cosines: Numbers, keywords: Numbers, background: Background, limits: Thresholds
) -> int:
    """How many rows a store may answer with, by the cosines of its rows (NaN without a
    comparable vector) and their shares of the message's words: none unless one stands
    out, and for each `floor_step` that it stands out beyond that, one more than one."""
    furthest = _furthest(cosines, keywords)
    best = max((margin(*one, background, limits) for one in furthest), default=-1.0)
    return 0 if best < 0 else 1 + math.floor(best / limits.floor_step)


def _furthest(
    cosines: Numbers, keywords: Numbers
) -> Iterator[tuple[float | None, float]]:
    """The rows that rise most: of those with a comparable vector, and of the others."""
    without = np.isnan(cosines)
    if without.any():
        yield None, float(keywords[without].max())
    if not without.all():
        best = np.nanargmax(cosines + WORDS * keywords)
        yield float(cosines[best]), float(keywords[best])


def margin(
    cosine: float | None, keyword: float, background: Background, limits: Thresholds
) -> float:
    """How far a row stands out beyond what is asked of it."""
    if cosine is None:
        return alone(keyword, background) - limits.floor_alone
    crowd = max(1, min(background.compared, CROWD)) / CALIBRATED
    floor = limits.floor_rise + limits.floor_growth * math.log2(crowd)
    return rise(cosine, keyword, background, limits) - floor


def rise(
    cosine: float, keyword: float, background: Background, limits: Thresholds
) -> float:
    """How far a row stands out."""
    whole = background.cosines + PRIOR * limits.unrelated
    level = whole / (background.compared + PRIOR)
    return cosine + WORDS * keyword - level - UNHEARD * background.unheard


def alone(keyword: float, background: Background) -> float:
    """How far a row without a comparable vector stands out."""
    return keyword - UNHEARD * background.unheard
