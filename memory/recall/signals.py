"""What a search knows of each row it went through, and how it comes out of the database.

Everything is an array with one value a row, so that ranking thousands of rows takes less
than sending a statement. What is then kept of them is read by its id.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db import connection

from memory.recall import asking, sql
from memory.recall.query import TERM_LIMIT, Query, Term
from memory.recall.scoring import Flags, Numbers
from memory.recall.shelves import Shelf
from memory.recall.silence import Background
from people.scope import Scope

STALE = 8
MILLENNIUM = datetime(2000, 1, 1, tzinfo=UTC)
"""PostgreSQL counts microseconds from here."""
NAMED_BY_WORDS = (1 << TERM_LIMIT) - 1

Whole = npt.NDArray[np.int64]
Rows = npt.NDArray[np.intp]
"""Which rows, by where they stand in the arrays."""
Ids = npt.NDArray[np.void]


class Incomplete(Exception):
    """A shelf whose rows lack a value: one after it would be taken for another row's."""


def _none(kind: type[np.generic]) -> Callable[[], npt.NDArray[Any]]:
    return partial(np.empty, 0, kind)


@dataclass(frozen=True, slots=True)
class Measured:
    """A value for every row of a shelf; what was not asked for is empty.

    `cosines` are NaN where vectors cannot be compared, as with one of nothing but zeros.
    `fresh` rows have a vector of the query's model. Bit n of `words` is set where a row
    holds the n-th word of the query, of `days` where it was said on the day that this
    word names.
    """

    ids: Ids
    fresh: Flags
    cosines: Numbers
    words: Whole
    days: Whole
    stated_at: Whole
    ranks: Numbers = field(default_factory=_none(np.float64))
    sizes: Whole = field(default_factory=_none(np.int64))
    spoken: Flags = field(default_factory=_none(np.bool_))
    sessions: Whole = field(default_factory=_none(np.int64))
    places: Whole = field(default_factory=_none(np.int64))

    @property
    def compared(self) -> Flags:
        """Whether a row has a cosine."""
        return ~np.isnan(self.cosines)

    @property
    def stale_ids(self) -> tuple[UUID, ...]:
        """A few rows that want a new vector."""
        return tuple(map(self.key, np.flatnonzero(~self.fresh)[:STALE]))

    def key(self, row: int) -> UUID:
        """Which one it is in the database."""
        return UUID(bytes=self.ids[row].tobytes())

    def said(self, row: int) -> datetime:
        """When it was stated."""
        return MILLENNIUM + timedelta(microseconds=int(self.stated_at[row]))

    def cosine(self, row: int) -> float | None:
        """How alike it is to the query."""
        cosine = float(self.cosines[row])
        return None if np.isnan(cosine) else cosine

    def has(self, bit: int) -> Flags:
        """Which rows hold a word, or were said on its day."""
        found: Flags = (self.words | self.days) >> bit & 1 == 1
        return found

    def lowest(
        self,
        among: Rows,
        count: int,
        values: Numbers,
        then: npt.NDArray[Any] | None = None,
    ) -> Rows:
        """So many of these rows with the lowest values, of equal ones those where the
        other values are lower, then the ids; lowest first, NaN last."""
        if count < 1:
            return among[:0]
        of_these = values[among]
        if len(among) > count:
            last = np.partition(of_these, count - 1)[count - 1]
            among = among[~(of_these > last)]
        high, low = self.ids[among].view(">u8").reshape(-1, 2).T
        second = (values if then is None else then)[among]
        return among[np.lexsort((low, high, second, values[among]))[:count]]


def measure(
    scope: Scope,
    query: Query,
    terms: Sequence[Term],
    shelf: Shelf,
    columns: Sequence[str],
) -> Measured:
    """All rows of the shelf that the scope may see."""
    width = asking.width(query)
    statement = sql.measure(shelf, terms, width, columns)
    with connection.cursor() as cursor:
        cursor.execute(statement, asking.values(scope, query, terms, shelf))
        sent = cursor.fetchone()
    values = {
        name: np.frombuffer(column or b"", sql.COLUMNS[name].kind)
        for name, column in zip(columns, sent, strict=True)
    }
    if len({len(column) for column in values.values()}) > 1:
        raise Incomplete(f"{shelf.table}: a column has no value for some row")
    held = values.pop("held").astype(np.int64)
    return Measured(
        cosines=1 - values.pop("distances").astype(np.float64),
        words=held & NAMED_BY_WORDS,
        days=held >> TERM_LIMIT,
        **{name: _native(column) for name, column in values.items()},
    )


def _native(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """In this machine's order of bytes, whole numbers all of one size."""
    kinds = {"i": np.int64, "f": np.float64}
    return (
        values.astype(kinds[values.dtype.kind])
        if values.dtype.kind in kinds
        else values
    )


@dataclass(frozen=True, slots=True)
class Usual:
    """What the rarity of words and the likeness of rows are measured on: `rows` of them;
    and the weights of the query's words."""

    rows: Rows
    weights: tuple[float, ...]


def usual(measured: Measured, terms: Sequence[Term], shelf: Shelf) -> Usual:
    """All that was gone through; or, where that is candidates alone, what was counted and
    sampled before."""
    if shelf.counted:
        sample = [key in shelf.counted.sample for key in measured.ids.tolist()]
        return Usual(np.flatnonzero(sample), shelf.counted.weights)
    every = len(measured.ids)
    there = [int(measured.has(bit).sum()) for bit in range(len(terms))]
    weights = tuple(float(np.log1p(every / (1 + holding))) for holding in there)
    return Usual(np.arange(every), weights)


def background(measured: Measured, terms: Sequence[Term], rows: Rows) -> Background:
    """What is true of the whole shelf and this query."""
    cosines = measured.cosines[rows]
    compared = cosines[~np.isnan(cosines)]
    unheard = any(
        term.name and not measured.has(bit).any() for bit, term in enumerate(terms)
    )
    return Background(len(compared), float(compared.sum()), unheard)


def measured_again(
    scope: Scope, query: Query, shelf: Shelf, measured: Measured, rows: Rows
) -> Numbers:
    """All cosines, those of these rows by their whole vectors."""
    wanted = {measured.key(row): row for row in rows[measured.fresh[rows]].tolist()}
    values = asking.values(scope, query, (), shelf) | {"ids": list(wanted)}
    cosines = measured.cosines.copy()
    with connection.cursor() as cursor:
        cursor.execute(sql.exact(shelf), values)
        for key, distance in cursor.fetchall():
            cosines[wanted[key]] = 1 - distance
    return cosines


def read(
    scope: Scope, shelf: Shelf, keys: Sequence[UUID], *, alike: float | None = None
) -> dict[UUID, tuple[str, list[UUID]]]:
    """The texts of rows, and the newer ones among them that are alike from a cosine on. A
    row that is gone meanwhile is left out."""
    if not keys:
        return {}
    values = asking.owner(scope, shelf) | {"ids": list(keys)}
    if alike is not None:
        values["apart"] = 1 - alike
    with connection.cursor() as cursor:
        cursor.execute(sql.texts(shelf, newer=alike is not None), values)
        return {key: (text, newer) for key, text, newer in cursor.fetchall()}
