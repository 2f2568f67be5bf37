"""What lies around a fact: all of its scope that it may have to do with, by its letters,
its words and its meaning, in one statement. For whoever holds the scope's lock.

The short copies of vectors are gone through first; where they hold all there is of a
vector, no other is read. No index of vectors is asked: it may leave rows out.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self

from django.db import connection

from memory.models import Memory
from memory.models.embedded import DIMENSIONS, NEAR_DIMENSIONS
from memory.recall.thresholds import thresholds

NEIGHBOURS = 10
RERANKED = 200
MARGIN = 0.01
"""The short copies of vectors are rounded, so a little less likeness counts too."""
PADDING = ",0" * (DIMENSIONS - NEAR_DIMENSIONS) + "]"
"""How the literal of a vector ends that is whole in its short copy."""


class Found(NamedTuple):
    """A row and how it was found; `linked` says whether the user still has it."""

    how: str
    id: uuid.UUID
    content: str
    content_hash: str
    active: bool
    retired_reason: str
    retired_at: datetime | None
    stated_at: datetime
    confidence: float
    embedding_model: str
    updated_at: datetime
    linked: bool | None
    cosine: float | None

    def memory(self) -> Memory:
        """The row, to be written to."""
        values = [getattr(self, name) for name in FIELDS]
        return Memory.from_db(connection.alias, FIELDS, values)


COLUMNS = [field.attname for field in Memory._meta.concrete_fields]  # noqa: SLF001 -- Django documents it
FIELDS = tuple(name for name in COLUMNS if name in Found._fields)
"""As Django wants them, in the order of the model."""
FOUND = ", ".join(f"m.{name}" for name in Found._fields[1:-2])
LINKED = """EXISTS (
    SELECT FROM memory_memorylink l WHERE l.memory_id = m.id
       AND l.user_id = %(user)s AND l.space_id = %(space)s
)"""
PRIVATE = "m.user_id = %(user)s AND m.space_id = %(space)s AND m.audience = 'private'"

SAME = f"""
SELECT 'same' AS how, {FOUND}, {LINKED} AS linked, NULL::float AS cosine
  FROM memories m WHERE {PRIVATE} AND m.content_hash = %(content_hash)s
"""  # noqa: S608 -- made of constants
MENTIONING = f"""
SELECT 'mentioning', m.id, m.content{", NULL" * (len(Found._fields) - 3)} FROM memories m
 WHERE {PRIVATE} AND m.active AND m.content_tsv @@ to_tsquery('simple', %(words)s)
   AND strpos(lower(m.content), %(part)s) > 0
"""  # noqa: S608 -- made of constants
COMPARED = f"""{PRIVATE} AND m.embedding_model = %(model)s
       AND (m.active OR m.retired_reason = 'retracted')"""
NEAR = f"""
SELECT * FROM (
    SELECT 'near', {FOUND}, NULL::bool, 1 - d.distance AS cosine
      FROM memories m CROSS JOIN LATERAL (
           SELECT m.near <=> %(near)s::vector::halfvec(384) AS distance
           OFFSET 0  -- or it would be measured for each time it is named
      ) d
     WHERE {COMPARED} AND d.distance <= %(far)s
     ORDER BY d.distance, m.id LIMIT %(neighbours)s
) near
"""  # noqa: S608 -- made of constants
NEAR_IN_FULL = f"""
SELECT * FROM (
    WITH nearest AS MATERIALIZED (
        SELECT id FROM memories m WHERE {COMPARED}
         ORDER BY (m.near <=> %(near)s::vector::halfvec(384)) + 0, id  -- by no index
         LIMIT %(judged)s
    )
    SELECT 'near', {FOUND}, NULL::bool, 1 - (m.embedding <=> %(vector)s::vector) AS cosine
      FROM nearest JOIN memories m USING (id)
     ORDER BY cosine DESC, m.id LIMIT %(neighbours)s
) near
"""  # noqa: S608 -- made of constants


def least_alike(model: str) -> float:
    """The cosine up to which a row means nothing to capture."""
    levels = thresholds(model)
    return min(levels.duplicate, levels.retold)


@dataclass(frozen=True, slots=True)
class Sought:
    """What to look for, one at least: the hash of a line, beginnings of words (in a text
    that has `part`, too), the literal of a vector. What is left out is not asked for."""

    content_hash: str = ""
    beginnings: Sequence[str] = ()
    part: str = ""
    vector: str = ""
    model: str = ""

    @property
    def statement(self) -> str:
        """Wants `values` and the scope's user and space."""
        parts = (
            SAME if self.content_hash else "",
            MENTIONING if self.beginnings else "",
            (NEAR if self._narrow else NEAR_IN_FULL) if self.vector else "",
        )
        return " UNION ALL ".join(part for part in parts if part)

    @property
    def values(self) -> dict[str, Any]:
        return {
            "content_hash": self.content_hash,
            "words": " | ".join(f"'{word}':*" for word in self.beginnings),
            "part": self.part,
            "near": self._near,
            "vector": self.vector,
            "model": self.model,
            "far": 1 - least_alike(self.model) + MARGIN,
            "judged": RERANKED,
            "neighbours": NEIGHBOURS,
        }

    @property
    def _narrow(self) -> bool:
        """Whether the short copy holds the vector whole."""
        return self.vector.endswith(PADDING)

    @property
    def _near(self) -> str:
        """The literal of the short copy."""
        if self._narrow:
            return self.vector.removesuffix(PADDING) + "]"
        return ",".join(self.vector.split(",", NEAR_DIMENSIONS)[:NEAR_DIMENSIONS]) + "]"


@dataclass(frozen=True, slots=True)
class Around:
    """The row of the same text; key and content of active rows with such words; the rows
    nearest to the vector, nearest first, as far as they may be a duplicate or what was
    retracted."""

    same: Found | None
    mentioning: Sequence[tuple[uuid.UUID, str]]
    near: Sequence[tuple[Found, float]]

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> Self:
        """Sort out what the statement found."""
        by: dict[str, list[Sequence[Any]]] = {"same": [], "mentioning": [], "near": []}
        for row in rows:
            by[row[0]].append(row)
        near = [(found, found.cosine or 0) for found in map(Found._make, by["near"])]
        return cls(
            next(map(Found._make, by["same"]), None),
            [(key, content) for _, key, content, *_ in by["mentioning"]],
            sorted(near, key=lambda pair: (-pair[1], pair[0].id)),
        )
