"""Days to come that facts name.

A day such as "on Thursday" counts in what is judged an appointment or the like.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import count
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from memory.judgement.judge import judge
from memory.wording.days import calendar_span, first_of, moved, relative_phrases
from memory.wording.same_values import periods_of
from memory.wording.text_values import DAY_NUMBER, Clock, Day, Weekday, values_of
from memory.wording.words import tokens

NEXT_DAY = timedelta(days=1)
HAS_ENDING = re.compile(r"\d+\D+")  # "7th", no hour


class DatedText(Protocol):
    """A fact, as a row or a value."""

    @property
    def text(self) -> str: ...
    @property
    def stated_at(self) -> datetime: ...


FactType = TypeVar("FactType", bound=DatedText)


class DaySpan(NamedTuple):
    """Days from first to last. `sure`: they come after the day of the statement."""

    first: date
    last: date
    sure: bool


@dataclass(frozen=True, slots=True)
class Ahead(Generic[FactType]):
    fact: FactType
    day: date
    last: date
    at: time | None = None

    def is_over(self, now: datetime) -> bool:
        if self.at and self.last == now.date():
            return self.at < now.time()
        return self.last < now.date()


def ahead(facts: Iterable[FactType], now: datetime) -> list[Ahead[FactType]]:
    """Facts with a day that is not over, in order. `now` has the user's time zone."""
    found = [known for known in with_days(facts, now) if not known.is_over(now)]
    return sorted(found, key=lambda known: (known.day, known.at or time.max))


def with_days(facts: Iterable[FactType], now: datetime) -> list[Ahead[FactType]]:
    """The same with those that are over since. Uses the encoder."""
    spans = {}
    told = list(facts)
    for fact in told:
        stated = fact.stated_at.astimezone(now.tzinfo).date()
        if span := days_to_come(fact.text, stated):
            spans[fact.text, stated] = span
    unsure = [text for (text, _), span in spans.items() if not span.sure]
    judged = {found.text: found.classes for found in judge(unsure)}
    dated = []
    for fact in told:
        key = (fact.text, fact.stated_at.astimezone(now.tzinfo).date())
        span = spans.get(key)
        if span and (span.sure or "appointment" in judged[fact.text]):
            at = _time_of(fact.text)
            dated.append(Ahead(fact, span.first, span.last, at))
    return dated


def on_day_of(
    question: str, facts: Iterable[FactType], now: datetime
) -> list[Ahead[FactType]]:
    """Facts of the one day after today that a question names, by their time."""
    asked = days_to_come(question, now.date())
    if asked is None or not now.date() < asked.first == asked.last:
        return []
    found = []
    for fact in facts:
        span = days_to_come(fact.text, fact.stated_at.astimezone(now.tzinfo).date())
        if span and span.first <= asked.first <= span.last:
            found.append(Ahead(fact, *span[:2], _time_of(fact.text)))
    return sorted(found, key=lambda known: (known.day, known.at or time.max))


def days_to_come(text: str, stated: date) -> DaySpan | None:
    spans = [span for span in _spans(text, stated) if span.last >= stated]
    if not spans:
        return None
    later = [span for span in spans if span.first > stated] or spans
    last = max(span.last for span in later)
    return DaySpan(min(span.first for span in later), last, later[0].sure)


def _spans(text: str, stated: date) -> list[DaySpan]:
    readings: Sequence[Any] = [value.readings[0] for value in values_of(text)]
    weekdays = [known.number for known in readings if isinstance(known, Weekday)]
    found = [
        span
        for day in readings
        if isinstance(day, Day)
        for span in _of_day(day, stated)
    ]
    found += _of_phrases(text, weekdays, stated)
    return found or list(_of_weekdays(text, weekdays, stated))


def _of_day(day: Day, stated: date) -> Iterator[DaySpan]:
    """A day or a month, in the next year where none is named."""
    if day.month is None:
        return
    for year in (day.year,) if day.year else (stated.year, stated.year + 1):
        month = first_of(year * 12 + day.month - 1)
        after = first_of(year * 12 + day.month)
        first, last = month, after - NEXT_DAY
        if day.day:
            first = last = month + timedelta(days=day.day - 1)
        if last >= stated and first < after:
            yield DaySpan(first, last, sure=bool(day.year) and first > stated)
            return


def _of_phrases(text: str, weekdays: Sequence[int], stated: date) -> Iterator[DaySpan]:
    for phrase in relative_phrases(text):
        amount, unit, sign = phrase.relative
        if sign < 0 and phrase.least:
            continue
        if unit == "day" or amount is None:
            day = moved(stated, unit, phrase.least)
            yield DaySpan(day, day, sure=day > stated)
            continue
        first, after = calendar_span(stated, unit, phrase.least)
        if unit == "week" and weekdays:
            for weekday in weekdays:
                day = first + timedelta(days=weekday)
                yield DaySpan(day, day, sure=day > stated)
        else:
            yield DaySpan(first, after - NEXT_DAY, sure=first > stated)


def _of_weekdays(text: str, weekdays: Sequence[int], stated: date) -> Iterator[DaySpan]:
    """The next such day, with the number that is said of it: "Monday the 7th"."""
    said = (DAY_NUMBER.fullmatch(w) for w in tokens(text) if HAS_ENDING.fullmatch(w))
    numbers = {int(found[1]) for found in said if found and 0 < int(found[1]) <= 31}
    if periods_of(text) or not (weekdays or numbers):
        return
    for further in count(1):
        day = stated + timedelta(days=further)
        fits = not numbers or day.day in numbers
        if fits and (not weekdays or day.weekday() in weekdays):
            yield DaySpan(day, day, sure=False)
            return
        if further > 12 * 31:
            numbers = set()  # there is no such day


def _time_of(text: str) -> time | None:
    for value in values_of(text):
        clocks = [known for known in value.readings if isinstance(known, Clock)]
        if len(clocks) == 1:
            hour, minute = divmod(clocks[0].minutes, 60)
            return time(hour % 24, minute)
    return None
