"""What lies around a fact: all of its scope that it may have to do with, by its letters,
its words and its meaning, found in one pass over the scope. For whoever holds its lock.

Meaning goes by the short copies of vectors; where they hold all there is of a vector, no
other is read. No index of vectors is asked: it may leave rows out.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self

from memory.models.embedded import DIMENSIONS, NEAR_DIMENSIONS
from memory.recall.thresholds import thresholds
from memory.visibility import linked_sql, owned_sql

NEIGHBOURS = 10
RERANKED = 200
MARGIN = 0.01
"""The short copies of vectors are rounded, so a little less likeness counts too."""
PADDING = ",0" * (DIMENSIONS - NEAR_DIMENSIONS) + "]"
"""How the literal of a vector ends that is whole in its short copy."""


class Neighbour(NamedTuple):
    """A row, and how it was found: it says the `same`, it `mentions` what was sought, or
    it has a cosine. `linked` tells of the same row whether the user still has it."""

    id: uuid.UUID
    content: str
    active: bool
    retired_at: datetime | None
    same: bool
    mentions: bool
    linked: bool | None
    cosine: float | None


LOOK = """
SELECT * FROM (
    SELECT id, content, active, retired_at, same, mentions, CASE WHEN same THEN {linked} END AS linked, {cosine} AS cosine
      FROM (
        SELECT r.*, row_number() OVER (ORDER BY distance, id) AS rank FROM (
            SELECT m.id, m.content, m.active, m.retired_at, m.embedding,
                   m.content_hash = %(content_hash)s AS same,
                   coalesce(m.active AND m.content_tsv @@ %(words)s::tsquery, false)
                   AS mentions,
                   CASE WHEN m.embedding_model = %(model)s
                         AND (m.active OR m.retired_reason = 'retracted')
                        THEN m.near <=> %(near)s::vector::halfvec(384) END AS distance
              FROM memories m
             WHERE {owned}
            OFFSET 0  -- or the distance would be measured for each time it is named
        ) r WHERE same OR mentions OR {reach}
    ) r OFFSET 0
) r WHERE same OR mentions OR cosine >= %(least)s
"""
WHOLE = LOOK.format(
    owned=owned_sql("m"),
    linked=linked_sql("r"),
    reach="distance <= 1 - %(least)s",
    cosine="CASE WHEN rank <= %(neighbours)s THEN 1 - distance END",
)
IN_FULL = LOOK.format(
    owned=owned_sql("m"),
    linked=linked_sql("r"),
    reach="distance IS NOT NULL",
    cosine="CASE WHEN rank <= %(judged)s THEN 1 - (embedding <=> %(vector)s::vector) END",
)
"""The short copies say which rows are worth to be measured again."""


def least_alike(model: str) -> float:
    """The cosine up to which a row means nothing to capture."""
    levels = thresholds(model)
    return min(levels.duplicate, levels.retold)


@dataclass(frozen=True, slots=True)
class Probe:
    """What to look for: the hash of a line, words as a tsquery, the literal of a vector.
    What is left out finds nothing."""

    content_hash: str = ""
    words: str = ""
    vector: str = ""
    model: str = ""

    @property
    def statement(self) -> str:
        """Wants `values` and the scope's user and space."""
        return WHOLE if self._narrow else IN_FULL

    @property
    def values(self) -> dict[str, Any]:
        return {
            "content_hash": self.content_hash,
            "words": self.words or None,
            "near": self._near,
            "vector": self.vector,
            "model": self.model,
            "least": least_alike(self.model) - MARGIN,
            "judged": RERANKED,
            "neighbours": NEIGHBOURS,
        }

    @property
    def _narrow(self) -> bool:
        """Whether the short copy holds all there is of the vector."""
        return not self.vector or self.vector.endswith(PADDING)

    @property
    def _near(self) -> str | None:
        """The literal of the short copy."""
        if not self.vector:
            return None
        if self._narrow:
            return self.vector.removesuffix(PADDING) + "]"
        return ",".join(self.vector.split(",", NEAR_DIMENSIONS)[:NEAR_DIMENSIONS]) + "]"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The row of the same text; active rows with such words; the rows nearest to the
    vector, nearest first, as far as they may be a duplicate or what was retracted."""

    same: Neighbour | None
    mentioning: Sequence[Neighbour]
    near: Sequence[tuple[Neighbour, float]]

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> Self:
        """Sort out what the statement found."""
        found = [Neighbour._make(row) for row in rows]
        near = [(row, row.cosine) for row in found if row.cosine is not None]
        near.sort(key=lambda pair: (-pair[1], pair[0].id))
        return cls(
            next((row for row in found if row.same), None),
            [row for row in found if row.mentions],
            near[:NEIGHBOURS],
        )
