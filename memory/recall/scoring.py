"""Arithmetic of the profiles that blend two signals. Pure: no database, no settings, no
clock. A value for each row, whose cosine is NaN where its vector is not of the query's
model."""

import numpy as np
import numpy.typing as npt

from memory.recall.profiles import Profile
from memory.recall.thresholds import Thresholds

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def blend(cosines: Numbers, keywords: Numbers, profile: Profile) -> Numbers:
    """The scores of S0-21: the keyword signal counts relative to the query's best.

    A row without a comparable vector goes by its keyword signal alone, with full weight.
    """
    relative = keywords / (keywords.max(initial=0) or 1)
    both = profile.cosine_weight * cosines + profile.keyword_weight * relative
    return np.where(np.isnan(cosines), relative, both)


def relevant(
    scores: Numbers,
    cosines: Numbers,
    keywords: Numbers,
    profile: Profile,
    limits: Thresholds,
) -> Flags:
    """Which rows say anything about the query at all."""
    if profile.gate is not None:
        return scores >= profile.gate
    floor = (cosines >= limits.floor_cosine) | (keywords >= limits.floor_keyword)
    alone = np.isnan(cosines) & (keywords >= limits.floor_alone)
    return np.where(np.isnan(cosines), alone, floor) & (scores >= limits.gate)
