"""How many rows a store may answer with, also where halves of vectors are only nearly
whole."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from memory.recall.silence import Background, allowed
from memory.recall.thresholds import Thresholds

NEARLY = 2e-3


def fewest_and_most(
    signals: Sequence[tuple[float | None, float]],
    background: Background,
    limits: Thresholds,
) -> tuple[int, int]:
    """The numbers of rows if all signals are a little weaker, and a little stronger."""
    strict, mild = (
        replace(
            limits,
            floor_rise=limits.floor_rise + off,
            floor_alone=limits.floor_alone + off,
        )
        for off in (NEARLY, -NEARLY)
    )
    fewest, most = (rows_allowed(signals, background, each) for each in (strict, mild))
    return fewest, most


def rows_allowed(
    signals: Sequence[tuple[float | None, float]],
    background: Background,
    limits: Thresholds,
) -> int:
    """`allowed`, of a cosine and a keyword signal for each row."""
    cosines = np.array([cosine for cosine, _ in signals], np.float64)
    keywords = np.array([keyword for _, keyword in signals], np.float64)
    return allowed(cosines, keywords, background, limits)


def stand_in_for(found: int, there: int, allowed: tuple[int, int]) -> bool:
    """Whether so many of the relevant rows is what had to come."""
    return min(there, allowed[0]) <= found <= min(there, allowed[1])
