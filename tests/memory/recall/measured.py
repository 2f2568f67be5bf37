"""Invented signals of a few rows, and what a ranking makes of them."""

import uuid
from collections.abc import Sequence
from typing import Any

import numpy as np

from memory.recall import sql
from memory.recall.rankings.ranking import Ranking
from memory.recall.signals import EPOCH, MICROSECONDS_OF_DAY, Signals
from memory.recall.thresholds import Thresholds


def measured(
    cosines: Sequence[float | None],
    *,
    weights: Sequence[float] = (),
    **columns: Sequence[Any],
) -> Signals:
    """One row per cosine. Ids are 1, 2, 3 unless others are given; `ages` are days."""
    count = len(cosines)
    ids = columns.pop("ids", range(1, count + 1))
    none = np.zeros(count, np.int64)
    values: dict[str, Any] = {
        "words": none,
        "days": none,
        "stated_at": none,
        "sizes": none + 10,
        "spoken": none > 0,
        "places": none - 1,
        "lasts": none - 1,
        "sessions": none + sql.NO_SESSION,
        "ranks": none + 0.0,
        "held_by_evidence": none,
        "phrases": none > 0,
        "confidences": none + 1.0,
        "channels": none,
        "measured_at": EPOCH,
    }
    if days := columns.pop("ages", ()):
        columns["stated_at"] = [-round(age * MICROSECONDS_OF_DAY) for age in days]
    values |= {name: np.array(values) for name, values in columns.items()}
    return Signals(
        ids=np.frombuffer(b"".join(uuid.UUID(int=n).bytes for n in ids), "V16"),
        cosines=np.array(cosines, np.float64),
        weights=tuple(weights),
        **values,
    )


def scores(ranking: Ranking, signals: Signals) -> list[float]:
    """The score of each row."""
    rows = np.arange(len(signals.ids))
    return ranking.score(signals, rows).values.tolist()


def shown(ranking: Ranking, signals: Signals, limits: Thresholds) -> list[bool]:
    """Whether each row passes the gate."""
    rows = np.arange(len(signals.ids))
    return ranking.gate(signals, ranking.score(signals, rows), limits).tolist()
