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
from memory.recall.shelves import Shelf
from people.scope import Scope

STALE_LIMIT = 8
# PostgreSQL counts microseconds from here.
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
MICROSECONDS_OF_DAY = timedelta(days=1) // timedelta(microseconds=1)

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
    # NaN for rows without a vector of the query's model.
    cosines: Numbers
    # Bit n: the row holds the query's n-th word, or was stated at the time it names.
    words: Integers
    days: Integers
    stated_at: Integers
    # Of the query's words: the rarer, the heavier.
    weights: tuple[float, ...]
    # Different words of a text of usual length; None: those of these rows count.
    usual: float | None = None
    # Wide vectors were compared by their short copies.
    shortened: bool = False
    # The scope is searched by an index; there are no rows.
    large: bool = False
    # Columns of `Text`; empty if the rows are not few.
    texts: Sequence[Sequence[Any]] = ()
    # Community memories.
    shared: Flags = field(default_factory=_empty(np.bool_))
    ranks: Numbers = field(default_factory=_empty(np.float64))
    sizes: Integers = field(default_factory=_empty(np.int64))
    spoken: Flags = field(default_factory=_empty(np.bool_))
    sessions: Integers = field(default_factory=_empty(np.int64))
    places: Integers = field(default_factory=_empty(np.int64))
    lasts: Integers = field(default_factory=_empty(np.int64))
    # Bit n: the evidence holds the query's n-th word.
    held_by_evidence: Integers = field(default_factory=_empty(np.int64))
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
        return tuple(map(self.key, np.flatnonzero(~self.compared)[:STALE_LIMIT]))

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
        days: Numbers = np.maximum(passed, 0) / MICROSECONDS_OF_DAY
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

    def newest(self, count: int) -> Rows:
        """The rows stated last but community memories, the last first."""
        rows = np.flatnonzero(~self.shared)
        high, low = self.ids[rows].view(">u8").reshape(-1, 2).T
        return rows[np.lexsort((low, high, self.stated_at[rows]))[::-1][:count]]


def measure_shelves(
    scope: Scope,
    query: Query,
    asked: Sequence[tuple[Shelf, Sequence[str]]],
    *more: sql.Part,
) -> tuple[list[Signals], list[dict[str, Any]]]:
    """Measure all visible rows of shelves, and ask `more`, in one statement.

    Each shelf comes with the further columns that are wanted. Raises Incomplete.
    """
    parts = [
        sql.measured_part(query, shelf, (*sql.BASIC, *columns))
        for shelf, columns in asked
    ]
    found = sql.ask([*parts, *more], sql.query_values(scope, query))
    measured = [
        _signals(query, shelf, row)
        for (shelf, _), row in zip(asked, found, strict=False)
    ]
    return measured, found[len(asked) :]


def measure(
    scope: Scope, query: Query, shelf: Shelf, columns: Sequence[str]
) -> Signals:
    ((signals,), _) = measure_shelves(scope, query, [(shelf, columns)])
    return signals


def remeasure(
    scope: Scope, query: Query, shelf: Shelf, signals: Signals, rows: Rows
) -> Signals:
    """The same signals, with these rows compared by their full vectors (decision 6)."""
    keys = {signals.key(row): row for row in rows[signals.compared[rows]].tolist()}
    parts = [sql.exact_part(shelf, list(keys))]
    (found,) = sql.ask(parts, sql.query_values(scope, query))
    cosines = signals.cosines.copy()
    for key, distance in zip(found["ids"] or (), found["distances"] or (), strict=True):
        cosines[keys[key]] = 1 - distance
    return replace(signals, cosines=cosines)


def _signals(query: Query, shelf: Shelf, row: dict[str, Any]) -> Signals:
    texts = [row.pop(name) for name in sql.TEXT]
    many, large = row.pop("many"), row.pop("large")
    arrays: dict[str, Any] = {name: _array(value, name) for name, value in row.items()}
    if len({len(array) for array in arrays.values()}) > 1:
        raise Incomplete(shelf.table)
    held = arrays.pop("held")
    days = _days(query, arrays["stated_at"])
    weights = shelf.counted.weights if shelf.counted else _rarity(query, held | days)
    by_rarity = sorted(range(len(weights)), key=lambda n: -weights[n])
    kept = sorted(by_rarity[:TERM_LIMIT])
    if "held_by_evidence" in arrays:
        arrays["held_by_evidence"] = _packed(arrays["held_by_evidence"], kept)
    return Signals(
        cosines=1 - arrays.pop("distances"),
        words=_packed(held, kept),
        days=_packed(days, kept),
        weights=tuple(weights[n] for n in kept),
        usual=shelf.counted.usual if shelf.counted else None,
        shortened=many and sql.compares_wide(query),
        large=large,
        texts=texts if texts[0] else (),
        **arrays,
    )


def _array(value: bytes | None, name: str) -> npt.NDArray[Any]:
    array = np.frombuffer(value or b"", sql.COLUMNS[name].kind)
    native = {"i": np.int64, "f": np.float64}.get(array.dtype.kind)
    return array if native is None else array.astype(native)


def _days(query: Query, stated_at: Integers) -> Integers:
    """Bit n: the row was stated at the time that term n names."""
    if query.span is None:
        return np.zeros_like(stated_at)
    since, until = (
        (at - EPOCH) // timedelta(microseconds=1)
        for at in (query.span.since, query.span.until)
    )
    dated = sum(1 << n for n, term in enumerate(query.terms) if term.dated)
    return np.where((stated_at >= since) & (stated_at < until), dated, 0)


def _rarity(query: Query, held: Integers) -> Sequence[float]:
    counts = [np.count_nonzero(held >> n & 1) for n in range(len(query.terms))]
    return [float(np.log1p(len(held) / (1 + count))) for count in counts]


def _packed(bits: Integers, kept: Sequence[int]) -> Integers:
    """Only these bits, without gaps."""
    if not kept or kept[-1] < len(kept):
        return bits
    packed = np.zeros_like(bits)
    for place, n in enumerate(kept):
        packed |= (bits >> n & 1) << place
    return packed
