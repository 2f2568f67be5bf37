"""Whether a fact has other values than what was said.

What is unsure about a form lets a fact pass; only a value that is surely another refuses.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from memory.wording import lexicon
from memory.wording.days import (
    DAY_UNITS,
    SEASONS,
    dense_phrases,
    first_of,
    moved,
    relative_phrases,
    span_of,
)
from memory.wording.numbers import Amount
from memory.wording.text_values import (
    CLOCK,
    Clock,
    Day,
    Value,
    ValueReading,
    Weekday,
    values_of,
)
from memory.wording.words import CJK, DENSE, folded_pairs, plain, tokens

LONGEST_SPAN = timedelta(days=14)  # of which a fact may name one day: "next week"
NEAR_WEEKDAY, NEAR_DAY = timedelta(days=14), timedelta(days=31)
LONGEST_DURATION = 100  # of any unit
PIECE = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
PERIOD_PHRASES = [
    (period, phrase if DENSE.search(phrase) else f" {phrase} ")
    for period, phrases in lexicon.PERIODS.items()
    for phrase in plain(phrases).split("|")
]
SIDES = folded_pairs(lexicon.SIDES)
Span = tuple[date, date]


def has_other_values(fact: str, said: str, today: date | None) -> bool:
    """Whether a number, time, day or side of the fact is surely not what was said.

    `today` is the user's day when it was said; without it "tomorrow" is no day.
    """
    told = _Told(said, today)
    sides = sides_of(fact) - told.sides
    if sides and told.sides:
        return True
    periods, said_periods = periods_of(fact), periods_of(said)
    if periods and said_periods and periods.isdisjoint(said_periods):
        return True
    return not all(told.has(value) for value in values_of(fact) if value.certain)


def sides_of(text: str) -> frozenset[str]:
    words = tokens(plain(text))
    dense = [sign for sign in text if sign in SIDES] if DENSE.search(text) else []
    return frozenset(SIDES[word] for word in (*words, *dense) if word in SIDES)


def periods_of(text: str) -> frozenset[str]:
    """How often something is done: "once a week" is no "daily"."""
    words = f" {' '.join(PIECE.findall(plain(text)))} "
    found = [period for period, phrase in PERIOD_PHRASES if phrase in words]
    return frozenset(found) - ({"day"} if "two days" in found else set())


@dataclass(frozen=True)
class _Told:
    """What was said, and on which day."""

    text: str
    today: date | None

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return values_of(self.text)

    @cached_property
    def sides(self) -> frozenset[str]:
        return sides_of(self.text)

    @cached_property
    def readings(self) -> list[ValueReading]:
        """All readings, the numbers of pairs, and the two of "every second day"."""
        found = [reading for value in self.values for reading in value.readings]
        found += [Amount(2, "")] * ("two days" in periods_of(self.text))
        return [*found, *(Amount(n, "") for value in self.values for n in value.parts)]

    @cached_property
    def numbers(self) -> list[float]:
        """All numbers in order."""
        found: list[float] = []
        for value in self.values:
            bare = [r.number for r in value.readings if isinstance(r, Amount)]
            found += value.parts or bare
        return found

    @cached_property
    def days(self) -> list[Day]:
        return [reading for reading in self.readings if isinstance(reading, Day)]

    @cached_property
    def weekdays(self) -> set[int]:
        return {r.number for r in self.readings if isinstance(r, Weekday)}

    @cached_property
    def spans(self) -> list[Span]:
        """The days that words such as "tomorrow" and "two weeks ago" mean."""
        if self.today is None:
            return []
        spans = []
        for said in relative_phrases(self.text):
            spans += span_of(said.relative, said.least, said.greatest, self.today)
        for relative in dense_phrases(self.text) if DENSE.search(self.text) else ():
            count = relative.amount or 0
            spans += span_of(relative, count, count, self.today)
        return spans or list(self._durations())

    def _durations(self) -> Iterator[Span]:
        """A duration may begin or end today: "for three days"."""
        for reading in self.readings:
            if not isinstance(reading, Amount) or reading.unit not in DAY_UNITS:
                continue
            if self.today and 0 < reading.number < LONGEST_DURATION:
                for sign in (-1, 1):
                    day = moved(self.today, reading.unit, sign * int(reading.number))
                    yield day, day + timedelta(days=1)

    def has(self, value: Value) -> bool:
        if any(self._has(reading) for reading in value.readings):
            return True
        rest = iter(self.numbers)
        return bool(value.parts) and all(part in rest for part in value.parts)

    def _has(self, reading: ValueReading) -> bool:
        if isinstance(reading, Amount):
            return reading.unit != CLOCK and self._has_amount(reading)
        if isinstance(reading, Clock):
            return self._has_time(reading)
        if isinstance(reading, Weekday):
            return self._has_weekday(reading.number)
        return any(self._is_day(reading, day) for day in self.days) or self._follows(
            reading
        )

    def _has_amount(self, amount: Amount) -> bool:
        bare = not amount.unit
        for said in self.readings:
            if isinstance(said, Amount):
                if CLOCK in (amount.unit, said.unit) and not bare and said.unit:
                    continue
                if amount.is_same(said):
                    return True
            elif (
                bare
                and isinstance(said, Day)
                and amount.number in (said.day, said.year)
            ):
                return True
        return False

    def _has_time(self, time: Clock) -> bool:
        hour, minute = divmod(time.minutes, 60)
        if minute == 0 and any(
            r.number in (hour, hour - 12) and not r.unit
            for r in self.readings
            if isinstance(r, Amount)
        ):
            return True
        return time in self.readings

    def _has_weekday(self, weekday: int) -> bool:
        if self.weekdays:
            return weekday in self.weekdays
        full = [day for said in self.days for day in self._near(said)]
        known = [
            first for first, after in self.spans if after - first <= timedelta(days=1)
        ]
        vague = len(known) < len(self.spans) or len(full) < len(self.days)
        return vague or weekday in {day.weekday() for day in (*full, *known)}

    def _is_day(self, day: Day, said: Day) -> bool:
        """Whether what the fact names of a day is said of it."""
        if day.month is None:
            return (
                said.year is None and self._is_near_year(day)
            ) or day.year == said.year
        if day.month != said.month:
            return False
        if (
            day.day is not None
            and day.day != said.day
            and (said.day or not self._has_amount(Amount(day.day, "")))
        ):
            return False
        years = {said.year} if said.year else {known.year for known in self.days}
        return (
            day.year is None
            or day.year in years
            or (not said.year and self._is_near_year(day))
        )

    def _is_near_year(self, day: Day) -> bool:
        return self.today is not None and abs((day.year or 0) - self.today.year) <= 1

    def _near(self, day: Day) -> list[date]:
        """The days in the year that is named, else within a year of today."""
        if day.month is None or day.day is None:
            return []
        years = [day.year] if day.year else self._years
        return [found for year in years if (found := _date(year, day.month, day.day))]

    def _follows(self, day: Day) -> bool:
        """Whether a day, month or year is what "tomorrow" or "last year" means."""
        if self.today is None:
            return False
        if day.month is None:
            return self._has_year(day)
        if day.day is None:
            months = [
                first_of((day.year or year) * 12 + day.month - 1)
                for year in self._years
            ]
            return any(
                month <= first and after <= _next_month(month)
                for month in months
                for first, after in self.spans
            )
        return any(map(self._is_said, self._near(day)))

    @property
    def _years(self) -> list[int]:
        return [self.today.year + n for n in (-1, 0, 1)] if self.today else []

    def _is_said(self, day: date) -> bool:
        """Whether a day is that of a phrase, or of a weekday or bare number near today."""
        spans = self.spans
        if any(
            first <= day < after and after - first <= LONGEST_SPAN
            for first, after in spans
        ):
            return True
        far = abs(day - (self.today or date.max))
        if day.weekday() in self.weekdays and far <= NEAR_WEEKDAY:
            return True
        bare = {r.number for r in self.readings if isinstance(r, Amount) and not r.unit}
        return day.day in bare and far <= NEAR_DAY

    def _has_year(self, day: Day) -> bool:
        year, today = day.year or 0, self.today or date.max
        if any(
            first.year == year or (after - timedelta(days=1)).year == year
            for first, after in self.spans
        ):
            return True
        ages = [
            r.number
            for r in self.readings
            if isinstance(r, Amount) and r.unit in ("", "year")
        ]
        if abs(year - today.year) in ages:
            return True
        named = self.weekdays or not SEASONS.keys().isdisjoint(tokens(plain(self.text)))
        return bool(named) and self._is_near_year(day)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _next_month(month: date) -> date:
    return first_of(month.year * 12 + month.month)
