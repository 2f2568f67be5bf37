"""Texts of the best rows, and which of them are newer statements of one thing."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np

from memory.recall import sql
from memory.recall.shelves import Shelf
from memory.recall.signals import Rows, Signals
from memory.values import Recalled
from people.scope import Scope

# Scores of two alike statements may differ by so much.
CLOSE = 0.2
# Texts with more different words are not statements of one thing: any two days of the
# same people are alike.
STATEMENT = 40
HEADER = 4  # bytes before the numbers of a vector


class Text(NamedTuple):
    content: str
    label: str
    evidence: str
    confidence: float
    stored_at: datetime | None
    model: str
    near: bytes | None  # the short vector


def read_texts(
    scope: Scope, wanted: Sequence[tuple[Shelf, Signals, Rows]]
) -> list[dict[int, Text]]:
    """Texts by row; those that did not come with the signals in one statement.

    Rows that are not visible any more are left out.
    """
    texts = [_known(signals, rows) for _, signals, rows in wanted]
    places = {
        n: {signals.key(row): row for row in rows.tolist()}
        for n, (_, signals, rows) in enumerate(wanted)
        if len(rows) and not signals.texts
    }
    parts = [
        sql.read_part(scope, wanted[n][0], n, list(keys)) for n, keys in places.items()
    ]
    read = sql.ask(parts) if parts else []
    for (n, rows), found in zip(places.items(), read, strict=True):
        columns = (found[name] for name in ("ids", *sql.TEXT))
        for key, *values in zip(*columns, strict=True) if found["ids"] else ():
            texts[n][rows[key]] = Text(*values)
    return texts


def _known(signals: Signals, rows: Rows) -> dict[int, Text]:
    columns = signals.texts
    return {row: Text(*(c[row] for c in columns)) for row in rows.tolist() if columns}


def newer_ones(
    signals: Signals, texts: Mapping[int, Text], alike: float
) -> dict[UUID, list[UUID]]:
    """Rows with the newer ones among them whose cosine is at least `alike`."""
    rows = np.array([row for row, text in texts.items() if text.near], np.intp)
    if len(rows) < 2:
        return {}
    known = [texts[row] for row in rows.tolist()]
    numbers = b"".join(text.near[HEADER:] for text in known if text.near)
    vectors = np.frombuffer(numbers, ">f2").reshape(len(rows), -1).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    models = np.array([text.model for text in known])
    at = signals.stated_at[rows]
    newer = (vectors @ vectors.T >= alike) & (at > at[:, None])
    newer &= models == models[:, None]
    return {
        signals.key(row): [signals.key(other) for other in rows[later].tolist()]
        for row, later in zip(rows.tolist(), newer, strict=True)
    }


def newer_first(
    ranked: Sequence[Recalled], newer: Mapping[UUID, Sequence[UUID]]
) -> list[Recalled]:
    """Move statements after newer, alike ones of nearly their score.

    `newer` maps rows to newer, alike ones.
    """
    if not any(newer.values()):
        return list(ranked)
    place = {one.memory_id: float(number) for number, one in enumerate(ranked)}
    score = {
        one.memory_id: one.score
        for one in ranked
        if len(set(one.text.lower().split())) <= STATEMENT
    }
    for one in ranked:
        key = one.memory_id
        for other in newer.get(key, ()):
            if key in score and score.get(other, -9.0) >= one.score - CLOSE:
                place[other] = min(place[other], place[key] - 0.5)
    return sorted(ranked, key=lambda r: (place[r.memory_id], -r.stated_at.timestamp()))
