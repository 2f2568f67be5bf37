"""The values of a text: amounts, times and days, in all ways in which they may be read.

"1,000" is a thousand or one, "03.02.1971" is in February or March. Two texts have the
same value if they share a reading (docs/capture.md).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from babel import Locale

from memory.wording import lexicon
from memory.wording.days import YEAR, named_months, weekday_of
from memory.wording.numbers import (
    CONCENTRATIONS,
    LOCALES,
    Amount,
    in_digits,
    numbers_of,
    spelled_numbers,
    unit_of,
)
from memory.wording.words import CJK, folded, plain

NOON = 12 * 60
HALF_OF = {
    **dict.fromkeys(("am", "morning"), "am"),
    **dict.fromkeys(("pm", "noon", "afternoon", "evening"), "pm"),
}
"""The half of the day of the periods in Unicode's locale data; night is in both."""
CLOCK = "clock"  # the unit of an hour
WORDS_AND_STOPS = re.compile(r"[^\W_]+|[.,;:!?()\n/]")
DAY_NUMBER = re.compile(rf"(\d\d?)(?:st|nd|rd|th|er|{lexicon.DAY_ENDINGS})?")
BETWEEN = folded(lexicon.BETWEEN)
HALVES, QUARTERS = folded(lexicon.HALVES), folded(lexicon.QUARTERS)
NEAR_HOUR = 3  # words between an hour and its half


class Clock(NamedTuple):
    """Minutes since midnight."""

    minutes: int


class Day(NamedTuple):
    """A day, or what is said of one: the month, the year."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


class Weekday(NamedTuple):
    """0 is Monday."""

    number: int


ValueReading = Amount | Clock | Day | Weekday


class Value(NamedTuple):
    """Its readings, the likeliest first.

    `parts` are the numbers of a pair such as 120/80. What is not `certain` may also be
    another word.
    """

    readings: tuple[ValueReading, ...]
    parts: tuple[float, ...] = ()
    certain: bool = True


class PlacedValue(NamedTuple):
    """A value with its unit, from `start` to `end` of the text as `with_digits` has it."""

    value: Value
    start: int
    end: int


def values_of(text: str) -> tuple[Value, ...]:
    return tuple(placed.value for placed in placed_values(text))


def with_digits(text: str) -> str:
    """The folded text in which values are read."""
    return plain(in_digits(text))


@lru_cache(maxsize=4000)
def placed_values(text: str) -> tuple[PlacedValue, ...]:
    rest = with_digits(text)
    values = []
    if any(map(str.isdigit, rest)):
        for shape, read in SHAPES:
            rest, found = _read(shape, read, rest)
            values += found
    months = named_months(text)
    rest, found = _dates_with_names(rest, months) if months else (rest, [])
    values += found
    if any(map(str.isdigit, rest)):
        rest, found = _read(NUMBER, _number, rest)
        values += found
    return (*values, *_in_words(rest, months))


Read = Callable[[re.Match[str]], Value | None]
Taken = tuple[str, list[PlacedValue]]


def _read(shape: re.Pattern[str], read: Read, text: str) -> Taken:
    """The text with "#" for what has the shape, and its values."""
    values = []

    def take(found: re.Match[str]) -> str:
        value = read(found)
        if value is None or not value.readings:
            return found[0]
        values.append(PlacedValue(value, *found.span()))
        return "#" * len(found[0])

    return shape.sub(take, text), values


def _year_first(found: re.Match[str]) -> Value | None:
    year, month, day = (int(part) if part else None for part in found.groups())
    return Value(tuple(_days(year, (month, day)))) if month else None


def _day_first(found: re.Match[str]) -> Value | None:
    first, _, second, year = found.groups()
    years = [int(year)] if len(year) == 4 else [1900 + int(year), 2000 + int(year)]
    pairs = [(int(second), int(first)), (int(first), int(second))]
    return Value(tuple(day for y in years for pair in pairs for day in _days(y, pair)))


def _without_year(found: re.Match[str]) -> Value | None:
    first, second = found.groups()
    pairs = ((int(second), int(first)), (int(first), int(second)))
    days = [day for pair in pairs for day in _days(None, pair)]
    return Value((*days, Amount(float(f"{first}.{second}"), "")))


def _month_first(found: re.Match[str]) -> Value | None:
    return Value(tuple(_days(None, (int(found[1]), int(found[2])))))


def _days(year: int | None, pair: tuple[int, int | None]) -> Iterator[Day]:
    month, day = pair
    if 1 <= month <= 12 and (day is None or 1 <= day <= 31):
        yield Day(year, month, day)


def _clock(found: re.Match[str]) -> Value | None:
    """A time with a word such as "pm" or "Uhr", or with a colon."""
    parts = found.groupdict()
    hour, minute = int(parts["hour"]), int(parts.get("minute") or 0)
    if parts.get("half"):
        minute = 30
    if hour > 24 or minute > 59:
        return None
    period = parts.get("period") or parts.get("before") or ""
    times = _times(hour, minute, period, zero=parts["hour"].startswith("0"))
    counted: list[ValueReading] = [Amount(hour, CLOCK)]
    if parts.get("hours") and not parts.get("minute"):
        counted.append(Amount(hour, unit_of(parts["hours"])))
    return Value((*times, *counted))


def _times(hour: int, minute: int, period: str, *, zero: bool) -> list[Clock]:
    """Both halves of the day if neither is named, that of the hour first."""
    halves = PERIODS.get(period, set())
    if period in ("am", "a.m.", "a.m", "pm", "p.m.", "p.m"):
        halves = {period[0] + "m"}
    same = Clock((hour % 24) * 60 + minute)
    if len(halves) == 1 and hour <= 12:
        return [Clock((hour % 12) * 60 + minute + ("pm" in halves) * NOON)]
    open_ended = not zero and 1 <= hour <= 12
    return [same, Clock((same.minutes + NOON) % (2 * NOON))] if open_ended else [same]


def _fraction(found: re.Match[str]) -> Value | None:
    whole, above, below = found[1] or "", int(found[2]), int(found[3])
    unit = unit_of(found[4])
    days = [
        day for pair in ((below, above), (above, below)) for day in _days(None, pair)
    ]
    ratio = [Amount(int(whole or 0) + above / below, unit)] if below else []
    if whole or "\u2044" in found[0]:
        return Value(tuple(ratio))
    likely = above < below <= 10
    pair = (float(above), float(below))
    return Value((*ratio, *days), parts=() if likely else pair)


def _number(found: re.Match[str]) -> Value | None:
    sign, digits, unit = found[1], found[2], unit_of(found[3])
    numbers = numbers_of(re.sub(r"[\s'’]", ",", digits))
    factor = -1 if sign == "-" else 1
    amounts: list[ValueReading] = [Amount(factor * number, unit) for number in numbers]
    parts = tuple(float(part) for part in re.findall(r"\d+", digits))
    if " " in digits or not numbers:
        return Value(tuple(amounts) or (Amount(parts[0], unit),), parts=parts)
    if YEAR.fullmatch(digits) and not unit:
        amounts.append(Day(int(digits)))
    if time := re.fullmatch(r"(\d\d?)\.([0-5]\d)", digits):
        amounts += _times(int(time[1]) % 24, int(time[2]), "", zero=time[1][0] == "0")
    return Value(tuple(amounts))


def _period_names() -> dict[str, set[str]]:
    """The half of the day by its names: "in the afternoon", "rano", "下午"."""
    found: dict[str, set[str]] = {"am": {"am"}, "pm": {"pm"}}
    for code in (*LOCALES, "ko", "cs", "sv"):
        for names in Locale.parse(code).day_periods["format"].values():
            for key, name in names.items():
                half = HALF_OF.get(key.rstrip("12"))
                if half and len(name) > 1:
                    found.setdefault(plain(name).replace("’", "'"), set()).add(half)
    return found


PERIODS = _period_names()
_SPACED = "|".join(
    re.escape(n)
    for n in sorted(PERIODS, key=len, reverse=True)
    if not re.match(f"[{CJK}]", n)
)
_DENSE = "|".join(
    n for n in sorted(PERIODS, key=len, reverse=True) if re.match(f"[{CJK}]", n)
)
_HOUR, _MINUTE = r"(?<![\d.,:/-])(?P<hour>\d\d?)", r"(?P<minute>[0-5]\d)"
YEAR_FIRST = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s?[-/.年년]\s?(\d\d?)(?:\s?[-/.月월]\s?(\d\d?))?(?:\s?[月월日일号])?(?!\d)"
)
_CONCENTRATIONS = "|".join(sorted(map(re.escape, CONCENTRATIONS), reverse=True))
NUMBER = re.compile(
    r"(?<![\d.,:/])((?:(?<!\w)[+-])?)(\d+(?:[.,'’]\d+)*(?:[ \u00a0\u202f]\d{3}(?!\d))*)[\s-]?\s?"
    rf"(%|(?:{_CONCENTRATIONS})(?!\w)|[^\W\d_]*)"
)
SHAPES: tuple[tuple[re.Pattern[str], Read], ...] = (
    (YEAR_FIRST, _year_first),
    (re.compile(r"(?<!\d)(\d\d?)\s?[月월]\s?(\d\d?)\s?[日일号]?"), _month_first),
    (
        re.compile(r"(?<![\d.,])(\d\d?)\s?([./-])\s?(\d\d?)\s?\2\s?(\d{4}|\d\d)(?!\d)"),
        _day_first,
    ),
    (re.compile(r"(?<![\d.,])(\d\d?)\.\s?(\d\d?)\.(?!\d)"), _without_year),
    (
        re.compile(
            rf"(?P<before>{_DENSE})?\s?{_HOUR}\s?(?:[点點시]|時(?!間)|时|(?<=\w):)(?!간)"
            rf"\s?(?:{_MINUTE}\s?[分분]?|(?P<half>半|반))?(?!\d)"
        ),
        lambda found: (
            None if ":" in found[0] and not found["before"] else _clock(found)
        ),
    ),
    (
        re.compile(
            rf"{_HOUR}(?:[:.]{_MINUTE}(?::\d\d)?)?\s?(?P<period>(?:{_SPACED}|[ap]\.m\.?)(?!\w))"
        ),
        _clock,
    ),
    (re.compile(rf"{_HOUR}\s?(?:uhr|h|ч)\s?{_MINUTE}(?!\d)"), _clock),
    (re.compile(rf"{_HOUR}(?:[.:]{_MINUTE})?\s?(?P<hours>uhr|h|ч)(?!\w)"), _clock),
    (re.compile(rf"{_HOUR}:{_MINUTE}(?::\d\d)?(?!\d)"), _clock),
    (
        re.compile(
            r"(?<![\d./])(?:(\d+)\s+)?(\d+)\s?[/\u2044]\s?(\d+)(?![\d/])\s?([^\W\d_]*)"
        ),
        _fraction,
    ),
)


def _dates_with_names(text: str, months: dict[str, int]) -> Taken:
    """Months with the day and year beside them."""
    places = list(WORDS_AND_STOPS.finditer(text))
    values, taken = [], set()
    for n, place in enumerate(places):
        if place[0] not in months:
            continue
        day, used = _beside(places, n, -1, DAY_NUMBER)
        if day is None:
            day, used = _beside(places, n, 1, DAY_NUMBER)
        after = max((n, *used))
        year, more = _beside(places, after, 1, YEAR)
        taken |= {n, *used, *more}
        day_said = Value((Day(year, months[place[0]], day),))
        values.append(PlacedValue(day_said, *place.span()))
    letters = list(text)
    for n in taken:
        letters[slice(*places[n].span())] = "#" * len(places[n][0])
    return "".join(letters), values


def _beside(
    places: Sequence[re.Match[str]], n: int, step: int, shape: re.Pattern[str]
) -> tuple[int | None, list[int]]:
    """The number of this shape before or after a word, and its place."""
    for _ in range(NEAR_HOUR):
        n += step
        if not 0 <= n < len(places):
            break
        if found := shape.fullmatch(places[n][0]):
            number = int(found[found.lastindex or 0])
            fits = shape is YEAR or 1 <= number <= 31
            return (number, [n]) if fits else (None, [])
        if places[n][0] not in BETWEEN:
            break
    return None, []


def _in_words(text: str, months: dict[str, int]) -> Iterator[PlacedValue]:
    """Numbers, halves, times and weekdays in words."""
    places = list(WORDS_AND_STOPS.finditer(text))
    words = [place[0] for place in places]
    for place in places:
        word = place[0]
        if (weekday := weekday_of(word)) is not None and word not in months:
            yield PlacedValue(Value((Weekday(weekday),)), *place.span())
    hours = {n: int(word) for n, word in enumerate(words) if word.isdecimal()}
    for said in spelled_numbers(words):
        unit = unit_of("".join(words[said.after : said.after + 1]))
        hours[said.first] = int(said.number)
        value = Value((Amount(said.number, unit),), certain=said.certain)
        last = places[said.after if unit else said.after - 1]
        yield PlacedValue(value, places[said.first].start(), last.end())
    for n, place in enumerate(places):
        if place[0] in HALVES or place[0] in QUARTERS:
            for value in _part(words, n, hours):
                yield PlacedValue(value, *place.span())


def _part(words: Sequence[str], place: int, hours: dict[int, int]) -> Iterator[Value]:
    """A half or quarter, also of the hour or after the number beside it."""
    half = words[place] in HALVES
    part = 0.5 if half else 0.25
    units = [
        unit for word in words[place + 1 : place + NEAR_HOUR] if (unit := unit_of(word))
    ]
    near = [hour for n, hour in hours.items() if abs(n - place) <= NEAR_HOUR]
    minutes = [
        hour * 60 + shift
        for hour in near
        for shift in ((30, -30) if half else (15, -15, -45))
    ]
    times = [
        Clock(m % (2 * NOON)) for minute in minutes for m in (minute, minute + NOON)
    ]
    yield Value((Amount(part, "".join(units[:1])), *times), certain=half)
    for hour in near:
        yield Value((Amount(hour + part, ""),), certain=False)
