"""The time that a message names: "in March 2024", "last week", "vor zwei Wochen".

Months come from Babel, relative phrases from the locale data of dateparser.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from meddie.languages import LANGUAGES
from memory.wording.days import (
    SEASONS,
    YEAR,
    calendar_span,
    first_of,
    named_months,
    relative_phrases,
)
from memory.wording.words import STOP_WORDS, plain, tokens

PAST = tuple(known.code for known in LANGUAGES if known.has_past)


@dataclass(frozen=True, slots=True)
class Span:
    """Whole days in the time zone of `since`; `until` is the day after the last."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A span, and the words of the message that name it."""

    span: Span
    words: frozenset[str]


def named_time(text: str, now: datetime) -> NamedTime | None:
    """What a message names of the past, for someone to whom it is `now`.

    A month or season without a year is the last that has begun.
    """
    words = tokens(text)
    found = _relative(text, now.date()) or _dated(text, words, now.date())
    if found is None:
        return None
    first, after, said = found
    return NamedTime(
        Span(*(datetime.combine(day, time(), now.tzinfo) for day in (first, after))),
        frozenset(said),
    )


Found = tuple[date, date, Sequence[str]]


def _relative(text: str, today: date) -> Found | None:
    for said in relative_phrases(text, PAST):
        count, unit, sign = said.relative
        ahead = sign > 0 and count != 0
        if not ahead and (unit, count) != ("day", 0):
            told = [word for word in said.words if word not in STOP_WORDS]
            return *calendar_span(today, unit, -said.least), told
    return None


def _dated(text: str, words: Sequence[str], today: date) -> Found | None:
    """A year, or a month or season with the year and day beside it."""
    months = named_months(text)
    years = [w for w in words if YEAR.fullmatch(w) and int(w) <= today.year + 1]
    for word in words:
        month, length = months.get(plain(word)), 1
        if month is None and plain(word) in SEASONS:
            month, length = SEASONS[plain(word)], 3
        if month is not None:
            last = today.year - (month > today.month)
            year = int(years[0]) if years else last
            said = [word, *years[:1]]
            days = [w for w in words if w.isdecimal() and len(w) < 3]
            if length == 1 and len(days) == 1 and _is_day(year, month, int(days[0])):
                first = date(year, month, int(days[0]))
                return first, first + timedelta(days=1), [*said, *days]
            place = year * 12 + month - 1
            return first_of(place), first_of(place + length), said
    if years:
        first = date(int(years[0]), 1, 1)
        return first, date(first.year + 1, 1, 1), years[:1]
    return None


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= day <= (first_of(year * 12 + month) - timedelta(days=1)).day
