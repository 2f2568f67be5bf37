"""Texts of the best rows, and the order of statements of one thing."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np

from memory.recall import sql
from memory.recall.shelves import Shelf
from memory.recall.signals import Integers, Numbers, Rows, Signals
from memory.visibility import scope_values
from people.scope import Scope

# Scores of two alike statements may differ by so much.
CLOSE = 0.2
# Texts with more different words are not statements of one thing: any two days of the
# same people are alike.
STATEMENT = 40
VECTOR_HEADER = 4  # bytes before the numbers of a vector


class Text(NamedTuple):
    content: str
    label: str
    evidence: str
    confidence: float
    stored_at: datetime | None
    subject: str | None
    person: UUID | None
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
    parts = [sql.read_part(wanted[n][0], n, list(keys)) for n, keys in places.items()]
    read = sql.ask(parts, scope_values(scope)) if parts else []
    for (n, rows), found in zip(places.items(), read, strict=True):
        columns = (found[name] for name in ("ids", *sql.TEXT))
        for key, *values in zip(*columns, strict=True) if found["ids"] else ():
            texts[n][rows[key]] = Text(*values)
    return texts


def _known(signals: Signals, rows: Rows) -> dict[int, Text]:
    columns = signals.texts
    return {row: Text(*(c[row] for c in columns)) for row in rows.tolist() if columns}


def newer_first(
    texts: Sequence[Text], scores: Numbers, at: Integers, alike: float
) -> list[int]:
    """Positions of ranked texts: a newer one before an older one that is alike.

    Their cosine is at least `alike`, and their scores are close.
    """
    places = [float(place) for place in range(len(texts))]
    short = [
        place
        for place, text in enumerate(texts)
        if text.near and len(set(text.content.lower().split())) <= STATEMENT
    ]
    numbers = b"".join((texts[place].near or b"")[VECTOR_HEADER:] for place in short)
    vectors = np.frombuffer(numbers, ">f2").astype(np.float32)
    vectors = vectors.reshape(len(short), -1) if short else vectors.reshape(0, 1)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    for row, other in np.argwhere(vectors @ vectors.T >= alike).tolist():
        older, newer = short[row], short[other]
        if (
            at[newer] > at[older]
            and texts[newer].model == texts[older].model
            and scores[newer] >= scores[older] - CLOSE
        ):
            places[newer] = min(places[newer], places[older] - 0.5)
    return sorted(range(len(texts)), key=lambda place: (places[place], -at[place]))
