"""What a text says was measured: weight, blood pressure, a laboratory value with its unit.

Nothing is interpreted: no value is good or bad.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from memory.subjects import USER, Subject
from memory.wording import lexicon
from memory.wording.days import first_of, moved, relative_phrases
from memory.wording.intakes import DURATIONS, TIMES
from memory.wording.lab_units import GRAMS
from memory.wording.numbers import CONCENTRATIONS, Amount, unit_of
from memory.wording.person_words import JOINS
from memory.wording.reading import reading_of
from memory.wording.text_values import (
    Day,
    PlacedValue,
    Weekday,
    placed_values,
    values_of,
    with_digits,
)
from memory.wording.words import RELATIONS, UNTELLING, WORD, folded, negated, plain

WEIGHT, PRESSURE, MMHG = "weight", "pressure", "mmHg"
WITH_DIGIT = re.compile(r"\b[^\W\d_]{1,20}\d\w*")  # "HbA1c", "B12"
CLAUSE = re.compile(r"[^\W_]+|[,;:()]")
RANGE = re.compile(r"\d\s?[-\u2013]\s?$")  # before its upper end
LEAST_GRAMS, MOST_GRAMS = 500, 400_000
UPPER, LOWER = range(60, 280), range(30, 180)  # of blood pressure in mmHg
LARGEST_CMHG = 30  # above are mmHg: "13/8" is told in France and Spain
NEAR, FARTHEST = 4, 100  # words and characters after a value
LAB_UNITS = frozenset(CONCENTRATIONS.values())


class _Words:
    """Words of the lexicon, some of which are the beginnings of others."""

    def __init__(self, listed: str) -> None:
        words = [plain(word) for word in listed.split()]
        self.begin = tuple(word[:-1] for word in words if word.endswith("*"))
        self.whole = frozenset(word for word in words if not word.endswith("*"))

    def are_in(self, words: Sequence[str]) -> bool:
        pairs = (f"{word}_{following}" for word, following in pairwise(words))
        return any(
            word in self.whole or word.startswith(self.begin)
            for word in (*words, *pairs)
        )


WEIGHING, BLOOD_PRESSURE = _Words(lexicon.WEIGHING), _Words(lexicon.BLOOD_PRESSURE)
NO_MEASURE, NO_WEIGHT = _Words(lexicon.NO_MEASURE), _Words(lexicon.NO_WEIGHT)
SUBSTANCES = {name: _Words(words) for name, words in lexicon.SUBSTANCES.items()}
AT_A_WEIGHT = folded(lexicon.AT_A_WEIGHT) | folded(lexicon.OF_ONESELF)
OVER = folded(lexicon.OVER)
DOSING = frozenset(word for word in folded(lexicon.DOSING) if not unit_of(word))


class SaidDay(NamedTuple):
    """The day of a measurement; not exact: its month."""

    day: date
    exact: bool


@dataclass(frozen=True, slots=True)
class Measure:
    """`kind` is "weight", "pressure" or a substance; `lower` is that of blood pressure."""

    kind: str
    amount: Amount
    lower: float | None = None


@lru_cache(maxsize=4000)
def measures_of(text: str, subject: Subject = USER) -> tuple[Measure, ...]:
    """In the order of their words. `subject` is whom the text is about."""
    if not any(map(str.isdigit, text)):
        return ()
    sentences = (said for said in reading_of(text).sentences if _tells(said))
    return tuple(
        found for said in sentences for found in _Sentence(said, subject).measures()
    )


def is_only_measured(text: str) -> bool:
    """Whether its amounts are those of its measures, and no word speaks of an intake."""
    single = [found for found in measures_of(text) if found.kind != PRESSURE]
    amounts = [
        value
        for value in placed_values(text)
        if _unit(value) not in {"", MMHG, *DURATIONS}
    ]
    words = WORD.findall(plain(text))
    return bool(single) and len(amounts) <= len(single) and DOSING.isdisjoint(words)


def measured_day(text: str, stated: date) -> SaidDay | None:
    """When a text says that it was measured; None if it says so of no day but a vague one."""
    found = set(_days(text, stated))
    if not found:
        return SaidDay(stated, exact=True)
    return next(iter(found)) if len(found) == 1 else None


def _tells(sentence: str) -> bool:
    read = reading_of(sentence)
    return not (read.asks or negated(sentence))


class _Sentence:
    def __init__(self, text: str, subject: Subject) -> None:
        # "HbA1c" and "B12 300" have no number but the last one.
        masked = WITH_DIGIT.sub(lambda found: "x" * len(found[0]), with_digits(text))
        self.told = with_digits(text)
        self.values = sorted(placed_values(masked), key=lambda value: value.start)
        self.called = set(WORD.findall(plain(f"{subject.name} {subject.label}")))

    def measures(self) -> Iterator[Measure]:
        begin, kind = 0, ""
        for number, placed in enumerate(self.values):
            if placed.start < begin or RANGE.search(
                self.told[max(placed.start - 4, 0) : placed.start]
            ):
                continue
            after = self.values[number + 1 : number + 2]
            found, end = self._pressure(begin, placed, after, again=kind == PRESSURE)
            if found is None:
                found, end = self._amount(begin, placed, after)
            if found:
                kind = found.kind
                yield found
            if found or _unit(placed):
                begin = end

    def _pressure(
        self,
        begin: int,
        placed: PlacedValue,
        after: Sequence[PlacedValue],
        *,
        again: bool,
    ) -> tuple[Measure | None, int]:
        """`again`: the last measure was one, too, so that it needs no name."""
        pair, last = placed.value.parts, placed
        if not pair and after and self._is_over(placed, after[0]):
            last = after[0]
            pair = (_number(placed) or 0, _number(last) or 0)
        if len(pair) != 2 or not _is_pressure(*pair):
            return None, placed.end
        before, behind = self._around(begin, placed.start, last.end)
        named = BLOOD_PRESSURE.are_in([*before, *behind]) or _unit(last) == MMHG
        if not (named or again) or _is_no_measure(before, behind):
            return None, placed.end
        upper, lower = (n * 10 if pair[0] < LARGEST_CMHG else n for n in pair)
        return Measure(PRESSURE, Amount(upper, MMHG), lower), last.end

    def _is_over(self, placed: PlacedValue, following: PlacedValue) -> bool:
        between = WORD.findall(self.told[placed.start : following.start])
        return len(between) == 2 and between[1] in OVER

    def _amount(
        self, begin: int, placed: PlacedValue, after: Sequence[PlacedValue]
    ) -> tuple[Measure | None, int]:
        unit, number, end = _unit(placed), _number(placed), placed.end
        if number is None:
            return None, end
        if unit == "stone" and after and self._is_rest(placed, after[0]):
            number, end = number + (_number(after[0]) or 0) / 14, after[0].end
        before, behind = self._around(begin, placed.start, end)
        kind = ""
        if unit in GRAMS:
            kind = self._weight(Amount(number, unit), before, behind)
        elif unit in LAB_UNITS or unit == "percent":
            kind = _substance(before) or _substance(behind)
        of_other = unit == "percent" and kind != "hba1c"
        if not kind or of_other or _is_no_measure(before, behind):
            return None, end
        return Measure(kind, Amount(number, unit)), end

    def _is_rest(self, placed: PlacedValue, following: PlacedValue) -> bool:
        """Whether pounds follow stones: "11 stone 4"."""
        near = not self.told[placed.end : following.start].strip()
        pounds = _unit(following) in {"", "pound"} and (_number(following) or 14) < 14
        return near and pounds

    def _weight(
        self, amount: Amount, before: Sequence[str], behind: Sequence[str]
    ) -> str:
        if not LEAST_GRAMS < amount.number * GRAMS[amount.unit] < MOST_GRAMS:
            return ""
        if self.is_no_weight:
            return ""
        named = WEIGHING.are_in([*before, *behind])
        return WEIGHT if named or (self.is_bare and amount.unit != "gram") else ""

    @cached_property
    def is_no_weight(self) -> bool:
        return NO_WEIGHT.are_in(WORD.findall(self.told))

    @cached_property
    def is_bare(self) -> bool:
        """Whether it says nothing but a value, of someone and of now: "I'm 74 kg today"."""
        letters = list(self.told)
        for placed in self.values:
            letters[placed.start : placed.end] = " " * (placed.end - placed.start)
        said = set(WORD.findall("".join(letters))) - RELATIONS.keys()
        return not said - UNTELLING - TIMES - AT_A_WEIGHT - self.called

    def _around(self, begin: int, start: int, end: int) -> tuple[list[str], list[str]]:
        """The words since the last measure, and the next ones of the same clause."""
        before = WORD.findall(self.told[begin:start])
        behind: list[str] = []
        for word in CLAUSE.findall(self.told[end : end + FARTHEST])[:NEAR]:
            if word in JOINS or not word[0].isalpha():
                break
            behind.append(word)
        return before, behind


def _unit(placed: PlacedValue) -> str:
    first = placed.value.readings[0]
    return first.unit if isinstance(first, Amount) else ""


def _number(placed: PlacedValue) -> float | None:
    """None for one that may be read as several amounts: "1,000"."""
    amounts = {r.number for r in placed.value.readings if isinstance(r, Amount)}
    return amounts.pop() if len(amounts) == 1 else None


def _is_pressure(upper: float, lower: float) -> bool:
    factor = 10 if upper < LARGEST_CMHG else 1
    in_range = upper * factor in UPPER and lower * factor in LOWER
    return in_range and lower < upper


def _is_no_measure(before: Sequence[str], behind: Sequence[str]) -> bool:
    return NO_MEASURE.are_in(before) or NO_MEASURE.are_in(behind)


def _substance(words: Collection[str]) -> str:
    listed = list(words)
    return next(
        (name for name, known in SUBSTANCES.items() if known.are_in(listed)), ""
    )


def _days(text: str, stated: date) -> Iterator[SaidDay | None]:
    for value in values_of(text):
        days = [said for said in value.readings if isinstance(said, Day)]
        weekdays = [said for said in value.readings if isinstance(said, Weekday)]
        if days and not value.parts:
            yield _of_day(days[0], stated)
        for weekday in weekdays:
            back = (stated.weekday() - weekday.number) % 7
            yield SaidDay(stated - timedelta(days=back), exact=True)
    for phrase in relative_phrases(text):
        _amount, unit, sign = phrase.relative
        ahead = sign > 0 and phrase.least
        if ahead or unit == "year" or phrase.least != phrase.greatest:
            yield None
        else:
            day = moved(stated, unit, -phrase.least)
            yield SaidDay(day, exact=unit in {"day", "week"})


def _of_day(day: Day, stated: date) -> SaidDay | None:
    """The last such day; None for one to come, and for a year alone."""
    if day.month is None:
        return None
    for year in (day.year,) if day.year else (stated.year, stated.year - 1):
        first = first_of(year * 12 + day.month - 1)
        found = first + timedelta(days=(day.day or 1) - 1)
        if found <= stated and found.month == first.month:
            return SaidDay(found, exact=day.day is not None)
    return None
