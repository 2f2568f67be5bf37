"""The time that a message names: "in March 2024", "last week", "vor zwei Wochen".

Months come from Babel, relative phrases from the locale data of dateparser.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib import import_module
from typing import Any

from memory.wording import lexicon
from memory.wording.values import NUMBERS, YEAR, month_of
from memory.wording.words import STEM, STOP_WORDS, folded_pairs, plain, stem, tokens

WITHOUT_ARTICLE = ("pl", "ru", "uk")  # "tydzień temu" is one week ago
LONGEST_SIGN = 2  # letters of an abbreviation
# French is left out: its "hier" (yesterday) is German for "here".
LANGUAGES = ("en", "pl", "de", "ru", "es", "it", "pt", "nl", "uk")
AMBIGUOUS_MONTHS = {"may", "march"}
# Words such as "may" are months if they have a capital inside a sentence.
NAMED_MONTHS = re.compile(
    rf"(?<=[\w,] )(?:{'|'.join(word.title() for word in AMBIGUOUS_MONTHS)})\b"
)
# The past alone, and not "today", which mostly says when something is to be done.
UNITS = ("day", "week", "month", "year")
AGO = re.compile(rf"(\d+) ({'|'.join(UNITS)}) ago")
NUMBER = re.compile(r"\([^()]*\)")
LONGEST_PHRASE = 4
SEASONS = {word: int(month) for word, month in folded_pairs(lexicon.SEASONS).items()}
Phrase = tuple[str, ...]


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
    found = _relative(words, now.date()) or _dated(text, words, now.date())
    if found is None:
        return None
    first, after, said = found
    return NamedTime(
        Span(*(datetime.combine(day, time(), now.tzinfo) for day in (first, after))),
        frozenset(said),
    )


Found = tuple[date, date, Sequence[str]]


def _relative(words: Sequence[str], today: date) -> Found | None:
    phrases = _phrases()
    values = [_number(word) for word in words]
    forms = [
        _form(word) if value is None else "#"
        for word, value in zip(words, values, strict=True)
    ]
    for size in range(LONGEST_PHRASE, 0, -1):
        for start in range(len(words) - size + 1):
            place = slice(start, start + size)
            key = tuple(forms[place]) if size > 1 else (plain(words[start]),)
            if known := phrases.get(key):
                count, unit = known
                said = [value for value in values[place] if value is not None]
                told = [word for word in words[place] if word not in STOP_WORDS]
                amount = said[0] if count is None else count
                if amount < 100:
                    return *_calendar(today, unit, amount), told
    return None


def _calendar(today: date, unit: str, ago: int) -> tuple[date, date]:
    """The calendar day, week, month or year so many before today's, and its end."""
    if unit == "month":
        months = today.year * 12 + today.month - 1 - ago
        return _month(months), _month(months + 1)
    if unit == "year":
        return date(today.year - ago, 1, 1), date(today.year - ago + 1, 1, 1)
    days = 1 if unit == "day" else 7
    first = today - timedelta(days=days * ago + (today.weekday() if days > 1 else 0))
    return first, first + timedelta(days=days)


def _month(months: int) -> date:
    return date(months // 12, months % 12 + 1, 1)


def _dated(text: str, words: Sequence[str], today: date) -> Found | None:
    """A year, or a month or season with the year and day beside it."""
    capitals = {word.lower() for word in NAMED_MONTHS.findall(text)}
    years = [w for w in words if YEAR.fullmatch(w) and int(w) <= today.year + 1]
    for word in words:
        month, length = month_of(word), 1
        if stem(word) in AMBIGUOUS_MONTHS and word not in capitals:
            month = None
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
            months = year * 12 + month - 1
            return _month(months), _month(months + length), said
    if years:
        first = date(int(years[0]), 1, 1)
        return first, date(first.year + 1, 1, 1), years[:1]
    return None


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= day <= (_month(year * 12 + month) - timedelta(days=1)).day


@cache
def _phrases() -> dict[Phrase, tuple[int | None, str]]:
    """How much of which unit ago; None for the number of the message."""
    found: dict[Phrase, tuple[int | None, str]] = {}
    for code in LANGUAGES:
        found = {**_phrases_of(code), **found}
    return found


def _phrases_of(code: str) -> dict[Phrase, tuple[int | None, str]]:
    data = _data(code)
    found: dict[Phrase, tuple[int | None, str]] = {
        _key(phrase): (int(known[1]), known[2])
        for meaning, phrases in data["relative-type"].items()
        if (known := AGO.fullmatch(meaning)) and meaning != "0 day ago"
        for phrase in phrases
    }
    for unit in UNITS:
        for key in _counted(data, unit):
            found[key] = (None, unit)
            if code in WITHOUT_ARTICLE:
                found.setdefault(key[1:], (1, unit))
    for word, said in _simpler(data):
        count, _, rest = said.partition(" ")
        if count.isdecimal() and (same := found.get(_key(f"(1) {rest}"))):
            found.setdefault(_key(word), (int(count), same[1]))
    return found


def _counted(data: Mapping[str, Any], unit: str) -> list[Phrase]:
    """Phrases with a number, and the same with all names of the unit."""
    listed = list(data["relative-type-regex"][rf"\1 {unit} ago"])
    order = "(1) {name} {ago}" if listed[0].startswith("(") else "{ago} (1) {name}"
    names = [name for name in data[unit] if len(name) > LONGEST_SIGN]
    listed += [order.format(name=name, ago=data["ago"][0]) for name in names]
    keys = [_key(phrase) for phrase in listed]
    return [key for key in keys if "#" in key and len(key) > 2]


def _key(phrase: str) -> Phrase:
    """Stems of its words; a word alone as it is, for more than it begin with its stem."""
    words = NUMBER.sub(" 0 ", phrase.lower()).split()
    if len(words) == 1:
        return (plain(words[0]),)
    return tuple("#" if word == "0" else _form(word) for word in words)


def _form(word: str) -> str:
    return stem(plain(word))[:STEM]


def _number(word: str) -> int | None:
    if word.isdecimal():
        return int(word) if len(word) < 3 else None
    number = NUMBERS.get(plain(word), _ones().get(word))
    return None if number is None else int(number)


@cache
def _ones() -> dict[str, int]:
    """Articles and other words for a number: "a week ago"."""
    pairs = [pair for code in LANGUAGES for pair in _simpler(_data(code))]
    return {word: int(number) for word, number in pairs if number.isdecimal()}


def _simpler(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for one in data.get("simplifications", []):
        yield from ((word, said) for word, said in one.items() if word.isalpha())


def _data(code: str) -> Mapping[str, Any]:
    module = import_module(f"dateparser.data.date_translation_data.{code}")
    data: Mapping[str, Any] = module.info
    return data
