"""Arithmetic of recall. Pure: no database, no settings, no clock."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memory.recall.profiles import Profile
from memory.recall.thresholds import Thresholds
from memory.values import Recalled


@dataclass(frozen=True, slots=True)
class Signals:
    """What the database says about one row and one query.

    `cosine` is None where the row's vector is not of the query's model.
    """

    memory_id: uuid.UUID
    text: str
    stated_at: datetime
    cosine: float | None
    keyword: float


def blend(
    cosine: float | None, keyword: float, best_keyword: float, profile: Profile
) -> float:
    """The score of S0-21: the keyword signal counts relative to the query's best.

    A row without a comparable vector goes by its keyword signal alone, with full weight.
    """
    relative = keyword / best_keyword if best_keyword > 0 else 0.0
    if cosine is None:
        return relative
    return profile.cosine_weight * cosine + profile.keyword_weight * relative


def relevant(
    score: float, signals: Signals, profile: Profile, limits: Thresholds
) -> bool:
    """Whether a row says anything about the query at all."""
    if profile.gate is not None:
        return score >= profile.gate
    if signals.cosine is None:
        floor = signals.keyword >= limits.floor_alone
    else:
        floor = (
            signals.cosine >= limits.floor_cosine
            or signals.keyword >= limits.floor_keyword
        )
    return floor and score >= limits.gate


def ranked(
    found: Iterable[Signals],
    best_keyword: float,
    profile: Profile,
    limits: Thresholds | None,
) -> list[Recalled]:
    """The relevant rows, best first, of equal ones the newer first.

    Without limits every row is relevant: how a ranking is measured.
    """
    kept = []
    for one in found:
        score = blend(one.cosine, one.keyword, best_keyword, profile)
        if limits is None or relevant(score, one, profile, limits):
            kept.append(
                Recalled(
                    one.memory_id,
                    one.text,
                    score,
                    one.cosine,
                    one.keyword,
                    one.stated_at,
                )
            )
    kept.sort(key=lambda r: (-r.score, -r.stated_at.timestamp(), r.memory_id))
    return kept
