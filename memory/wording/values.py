"""Numbers with their units, months and weekdays of a text, in the words of many languages.

Units, months and weekdays come from Unicode's locale data.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from babel import Locale

from memory.wording import lexicon
from memory.wording.words import (
    CJK,
    STOP_WORDS,
    WORD,
    folded_pairs,
    plain,
    stem,
    tokens,
)

LOCALES = ("en", "pl", "ru", "de", "es", "fr", "it", "pt", "nl", "uk", "zh", "ja")
SHORT = ("en", "ru", "zh", "ja")  # whose short names are no words of others
INFLECTED = {"pl": 4, "ru": 4, "uk": 4}
"""By language, the letters with which the name of a month or day begins at least."""
UNITS = """
mass-kilogram mass-gram mass-milligram mass-microgram mass-pound mass-ounce mass-stone
mass-tonne volume-liter volume-deciliter volume-centiliter volume-milliliter
length-kilometer length-meter length-centimeter length-millimeter length-mile length-foot
length-inch length-yard duration-second duration-minute duration-hour duration-day
duration-week duration-month duration-year temperature-celsius temperature-fahrenheit
energy-kilocalorie energy-calorie
"""
MEASURE = re.compile(
    r"(?<![\d.,:/])((?:(?<!\w)[+-])?\d+(?:[.,:/]\d+)*)\s*(%|[^\W\d_]*)"
)
LONGEST_UNIT = 4  # characters of one that is written without spaces
YEAR = re.compile(r"(?:19|20)\d\d")
NUMBERS, COUNTS = (
    {word: float(number) for word, number in folded_pairs(listed).items()}
    for listed in (lexicon.NUMBERS, lexicon.COUNTS)
)


class Measure(NamedTuple):
    """`unit` is the key of Unicode's data, empty if none follows the number."""

    number: str
    unit: str


def measures_of(text: str) -> list[Measure]:
    found = MEASURE.findall(plain(text))
    return [Measure(normalised(number), unit_of(word)) for number, word in found]


def normalised(number: str) -> str:
    """With a decimal point, without the zeros after it."""
    whole, comma, rest = number.replace(",", ".").partition(".")
    rest = rest.rstrip("0") if rest.isdigit() and len(rest) != 3 else rest
    return f"{whole}.{rest}" if comma and rest else whole


def unit_of(word: str) -> str:
    units = _units()
    if word[:1] and re.match(f"[{CJK}]", word):
        ends = range(LONGEST_UNIT, 0, -1)
        return next((units[word[:end]] for end in ends if word[:end] in units), "")
    return units.get(word, "")


def month_of(word: str) -> int | None:
    """1 to 12 for the name of a month, in any case of grammar."""
    return _place(word, "months")


def weekday_of(word: str) -> int | None:
    """0 for Monday."""
    return _place(word, "days")


def _place(word: str, kind: str) -> int | None:
    names, stems = _dates(kind)
    one = plain(word)
    found = names.get(one)
    return found if found is not None or stem(one) == one else stems.get(stem(one))


def dates_of(text: str) -> set[tuple[str, int]]:
    """The months and weekdays that a text names."""
    found = set()
    for word in tokens(text):
        for kind, number in (("month", month_of(word)), ("weekday", weekday_of(word))):
            if number is not None:
                found.add((kind, number))
    return found


def numbers_in_words(text: str, *, all_meanings: bool = True) -> set[float]:
    """Numbers written as words, also joined: "twenty five"."""
    known = NUMBERS | COUNTS if all_meanings else NUMBERS
    values = [_value(word, known) for word in tokens(plain(text))]
    joined = {
        tens + ones
        for tens, ones in pairwise(values)
        if 20 <= tens < 100 and 0 < ones < 10
    }
    return {value for value in values if value} | joined


def _value(word: str, known: Mapping[str, float]) -> float:
    return known.get(word) or _stemmed_numbers().get(stem(word), 0)


@cache
def _stemmed_numbers() -> dict[str, float]:
    # English numbers have no endings, and "ten" would be "tens" and "tennis".
    return {stem(word): value for word, value in NUMBERS.items() if len(word) > 4}


@cache
def _units() -> dict[str, str]:
    """The key of a unit by each of its names."""
    found: dict[str, str] = {}
    for code in LOCALES:
        patterns = Locale.parse(code)._data["unit_patterns"]  # noqa: SLF001 -- Babel has no list of units
        for key in UNITS.split():
            widths = ("long", "short") if code in SHORT else ("long",)
            lengths = [patterns[key].get(width, {}) for width in widths]
            for name in _names(lengths):
                found.setdefault(plain(name), key.partition("-")[2])
    return found | folded_pairs(lexicon.UNITS) | {"%": "percent"}


def _names(lengths: Iterable[Any]) -> set[str]:
    texts = [text for one in lengths for text in one.values() if isinstance(text, str)]
    words = {text.replace("{0}", "").strip(" .\u00a0\u202f") for text in texts}
    return {word for word in words if WORD.fullmatch(word) and word not in STOP_WORDS}


@cache
def _dates(kind: str) -> tuple[dict[str, int], dict[str, int]]:
    """The place of each name, and of the longer stems of names."""
    forms = lexicon.MONTHS if kind == "months" else ""
    names = {word: int(number) for word, number in folded_pairs(forms).items()}
    stems: dict[str, int] = {}
    for code in LOCALES[:-2]:
        contexts = getattr(Locale.parse(code), kind)
        short = ["abbreviated"] if code == "en" and kind == "months" else []
        for width in ("wide", *short):
            for context in ("format", "stand-alone"):
                for number, name in contexts[context][width].items():
                    word = plain(name).rstrip(".")
                    names.setdefault(word, number)
                    if len(stem(word)) >= INFLECTED.get(code, 5):
                        stems.setdefault(stem(word), number)
    return names, stems
