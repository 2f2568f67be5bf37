"""Measured signals of a shelf: arrays with one value per row."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.utils import timezone

from memory.recall import sql
from memory.recall.query import TERM_LIMIT, Query
from memory.recall.shelves import Counted, Shelf
from people.scope import Scope

STALE_LIMIT = 8
# PostgreSQL counts microseconds from here.
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1) // timedelta(microseconds=1)
WORD_BITS = (1 << TERM_LIMIT) - 1

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.void]
# Positions of rows in the arrays.
Rows = npt.NDArray[np.intp]


class Incomplete(Exception):
    """A column lacks a value for some row."""


def _empty(kind: type[np.generic]) -> Callable[[], npt.NDArray[Any]]:
    return partial(np.empty, 0, kind)


@dataclass(frozen=True, slots=True)
class Signals:
    """One value per row; columns that a ranking does not need are empty."""

    ids: Ids
    # Whether the vector is one of the query's model.
    fresh: Flags
    # NaN where vectors cannot be compared.
    cosines: Numbers
    # Bit n: the row holds the query's n-th word, or was stated at the time it names.
    words: Integers
    days: Integers
    stated_at: Integers
    # Of the query's words: the rarer, the heavier.
    weights: tuple[float, ...]
    # Rows on which the usual length of a text is measured.
    sample: Rows
    # Wide vectors were compared by their short copies.
    shortened: bool = False
    ranks: Numbers = field(default_factory=_empty(np.float64))
    sizes: Integers = field(default_factory=_empty(np.int64))
    spoken: Flags = field(default_factory=_empty(np.bool_))
    sessions: Integers = field(default_factory=_empty(np.int64))
    places: Integers = field(default_factory=_empty(np.int64))
    lasts: Integers = field(default_factory=_empty(np.int64))
    # Bit n: the evidence holds the query's n-th word.
    evidence: Integers = field(default_factory=_empty(np.int64))
    # Whether the whole query is a part of the text or the evidence.
    phrases: Flags = field(default_factory=_empty(np.bool_))
    confidences: Numbers = field(default_factory=_empty(np.float64))
    # 2: the query's channel, 1: none, 0: another.
    channels: Integers = field(default_factory=_empty(np.int64))
    measured_at: datetime = field(default_factory=timezone.now)

    @property
    def compared(self) -> Flags:
        return ~np.isnan(self.cosines)

    @property
    def stale_ids(self) -> tuple[UUID, ...]:
        """A few rows without a vector of the query's model."""
        return tuple(map(self.key, np.flatnonzero(~self.fresh)[:STALE_LIMIT]))

    def key(self, row: int) -> UUID:
        return UUID(bytes=self.ids[row].tobytes())

    def rows_of(self, keys: Collection[UUID]) -> Rows:
        """The rows with these ids, as far as they are here."""
        wanted = {key.bytes for key in keys}
        found = [key in wanted for key in self.ids.tolist()] if wanted else []
        return np.flatnonzero(found)

    def date(self, row: int) -> datetime:
        return EPOCH + timedelta(microseconds=int(self.stated_at[row]))

    @property
    def ages(self) -> Numbers:
        """Days since each row was stated; 0 for the future."""
        now = (self.measured_at - EPOCH) // timedelta(microseconds=1)
        passed = now - self.stated_at
        days: Numbers = np.maximum(passed, 0) / DAY
        return days

    def cosine(self, row: int) -> float | None:
        cosine = float(self.cosines[row])
        return None if np.isnan(cosine) else cosine

    def lowest(
        self,
        rows: Rows,
        count: int,
        values: Numbers,
        then: npt.NDArray[Any] | None = None,
    ) -> Rows:
        """Rows with the lowest values in order, then by `then`, then by id; NaN last."""
        if count < 1:
            return rows[:0]
        if len(rows) > count:
            last = np.partition(values[rows], count - 1)[count - 1]
            rows = rows[~(values[rows] > last)]
        high, low = self.ids[rows].view(">u8").reshape(-1, 2).T
        second = (values if then is None else then)[rows]
        return rows[np.lexsort((low, high, second, values[rows]))[:count]]

    def apart(self, rows: Rows) -> Rows:
        """Without those that overlap an earlier one of their session."""
        kept: list[int] = []
        for row in rows.tolist():
            others = np.array(kept, np.intp)
            overlap = self.sessions[others] == self.sessions[row]
            overlap &= self.places[others] <= self.lasts[row]
            overlap &= self.places[row] <= self.lasts[others]
            kept += [] if overlap.any() else [row]
        return np.array(kept, np.intp)


def measure(
    scope: Scope, query: Query, shelf: Shelf, columns: Sequence[str]
) -> Signals:
    """Measure all visible rows of a shelf in one statement. Raises Incomplete."""
    terms = sql.rarest_terms(scope, query.terms, shelf)
    names = (*sql.BASIC, *columns)
    sent = sql.measured_columns(scope, query, terms, shelf, names)
    arrays: dict[str, Any] = {name: _array(value, name) for name, value in sent.items()}
    if len({len(array) for array in arrays.values()}) > 1:
        raise Incomplete(shelf.table)
    held = arrays.pop("held")
    weights, sample = _statistics(shelf.counted, arrays["ids"], held, len(terms))
    rows = len(held)
    return Signals(
        cosines=1 - arrays.pop("distances"),
        words=held & WORD_BITS,
        days=held >> TERM_LIMIT,
        weights=weights,
        sample=sample,
        shortened=sql.vector_width(query) == "wide" and rows > sql.FULL_SCAN,
        **arrays,
    )


def remeasure(
    scope: Scope, query: Query, shelf: Shelf, signals: Signals, rows: Rows
) -> Signals:
    """The same signals, with these rows compared by their full vectors (decision 6)."""
    keys = {signals.key(row): row for row in rows[signals.fresh[rows]].tolist()}
    cosines = signals.cosines.copy()
    for key, distance in sql.full_distances(scope, query, shelf, list(keys)).items():
        cosines[keys[key]] = 1 - distance
    return replace(signals, cosines=cosines)


def _array(value: bytes, name: str) -> npt.NDArray[Any]:
    array = np.frombuffer(value, sql.COLUMNS[name].kind)
    native = {"i": np.int64, "f": np.float64}.get(array.dtype.kind)
    return array if native is None else array.astype(native)


def _statistics(
    counted: Counted | None, ids: Ids, held: Integers, terms: int
) -> tuple[tuple[float, ...], Rows]:
    rows = len(ids)
    if counted:
        known = [key in counted.sample for key in ids.tolist()]
        return counted.weights, np.flatnonzero(known)
    either = held | held >> TERM_LIMIT
    holding = [int((either >> bit & 1).sum()) for bit in range(terms)]
    weights = tuple(float(np.log1p(rows / (1 + count))) for count in holding)
    return weights, np.arange(rows)
