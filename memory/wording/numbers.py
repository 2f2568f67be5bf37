"""Numbers of a text with their units, from digits and words of many languages.

The words come from num2words and number_parser, units from Unicode's locale data.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from babel import Locale
from num2words import num2words  # type: ignore[import-untyped]

from meddie.languages import DENSE_LANGUAGES, LANGUAGES
from memory.wording import lexicon
from memory.wording.words import (
    CJK,
    FILLING,
    STOP_WORDS,
    WORD,
    folded,
    folded_pairs,
    plain,
    stem,
)

LOCALES = tuple(known.code for known in LANGUAGES if known.has_values)
WITH_SHORT_NAMES = ("en", "ru", "zh", "ja")  # whose short names are no words of others
SPELLING = tuple(code for code in LOCALES if code not in DENSE_LANGUAGES)
"""Languages in which a fact has a number by its words, too, not only a message."""
SPELLING_TOO = ("cs", "sk", "sv", "da", "no", "fi", "hu", "ro", "tr", "ar", "he", "ko", "vi", "id")  # fmt: skip
SPELLED, SPELLED_TOO = 200, 100  # numbers below are listed with all of their words
ORDINALS = 32  # of days and hours
LONGEST_NUMBER = 4  # words
LONGEST_UNIT = 4  # characters of one that is written without spaces
SCRIPTED = re.compile(f"[^\u0000-\u024f{CJK}]")
UNIT_KEYS = """
mass-kilogram mass-gram mass-milligram mass-microgram mass-pound mass-ounce mass-stone
mass-tonne volume-liter volume-deciliter volume-centiliter volume-milliliter
length-kilometer length-meter length-centimeter length-millimeter length-mile length-foot
length-inch length-yard duration-second duration-minute duration-hour duration-day
duration-week duration-month duration-year temperature-celsius temperature-fahrenheit
energy-kilocalorie energy-calorie concentr-percent
"""
CONCENTRATIONS = folded_pairs(lexicon.CONCENTRATIONS)
UNIT_PREFIXES = {"kilo": 1e3, "deci": 1e-1, "centi": 1e-2, "milli": 1e-3, "micro": 1e-6}
BASES = {
    "gram": ("gram", 1), "tonne": ("gram", 1e6), "pound": ("gram", 453.59237),
    "ounce": ("gram", 28.349523125), "stone": ("gram", 6350.29318),
    "liter": ("liter", 1),
    "meter": ("meter", 1), "mile": ("meter", 1609.344), "yard": ("meter", 0.9144),
    "foot": ("meter", 0.3048), "inch": ("meter", 0.0254),
    "second": ("second", 1), "minute": ("second", 60), "hour": ("second", 3600),
    "day": ("second", 86400), "week": ("second", 604800),
    "month": ("month", 1), "year": ("month", 12), "calorie": ("calorie", 1),
}  # fmt: skip
ROUNDED = 0.02  # share by which a number in pounds may differ from one in kilograms


class Amount(NamedTuple):
    """`unit` is the name of Unicode's data, empty if none follows the number."""

    number: float
    unit: str

    @property
    def in_base(self) -> "Amount":
        """The same in grams, litres, metres, seconds or months."""
        base, factor = _base(self.unit)
        return Amount(float(f"{self.number * factor:.9g}"), base)

    def is_same(self, other: "Amount") -> bool:
        """Whether both are one amount; a number without a unit may have any."""
        if "" in (self.unit, other.unit) or self.unit == other.unit:
            return self.number == other.number
        ours, theirs = self.in_base, other.in_base
        if ours.unit != theirs.unit:
            return False
        exact = _is_metric(self.unit) == _is_metric(other.unit)
        return abs(ours.number - theirs.number) <= ours.number * (not exact) * ROUNDED


def _is_metric(unit: str) -> bool:
    return unit.endswith(("gram", "tonne", "liter", "meter"))


@cache
def _base(unit: str) -> tuple[str, float]:
    for prefix, factor in UNIT_PREFIXES.items():
        if (rest := unit.removeprefix(prefix)) != unit and rest in BASES:
            base, own = BASES[rest]
            return base, own * factor
    return BASES.get(unit, (unit, 1))


def in_digits(text: str) -> str:
    """The text with Western digits, points and fractions, and those of Han as digits."""
    if text.isascii():
        return text
    marked = "".join(_digit(letter) for letter in text)
    return HAN.sub(lambda found: f"{_of_han(found[1]):g}", marked)


def _digit(letter: str) -> str:
    if letter.isascii() or letter.isalpha():
        return letter
    if letter.isdecimal():
        return str(int(letter))
    if letter in ARABIC_MARKS:
        return ARABIC_MARKS[letter]
    if "VULGAR FRACTION" in unicodedata.name(letter, ""):
        return f" {unicodedata.normalize('NFKC', letter)}"
    return letter


OTHER_HAN = {"半": 0.5, "两": 2, "兩": 2}
ARABIC_MARKS = {"\u066b": ".", "\u066c": ","}
HAN = re.compile(f"([零〇一二两兩三四五六七八九十百千万萬半]+)(?=[{lexicon.COUNTERS}])")


def _of_han(digits: str) -> float:
    total, number = 0.0, 0.0
    for digit in digits:
        value = OTHER_HAN.get(digit) or unicodedata.numeric(digit)
        if value >= 10:
            total, number = total + (number or 1) * value, 0
        else:
            number = number * (10 if number >= 1 <= value else 1) + value
    return total + number


def numbers_of(digits: str) -> list[float]:
    """The numbers that digits with marks between them may be, the likeliest first.

    "1,000" is a thousand or one; "0,5" and "12.50" are decimals.
    """
    marks = [mark for mark in digits if not mark.isdigit()]
    groups = re.split(r"\D", digits)
    grouped = len(groups[0]) <= 3 and groups[0] != "0"
    if not marks:
        return [float(digits)]
    last = marks[-1]
    thousands = grouped and all(len(group) == 3 for group in groups[1:])
    whole = "".join(groups)
    found = [float(whole)] if thousands and len(set(marks)) == 1 else []
    if last in ".,":
        decimal = float(f"{''.join(groups[:-1])}.{groups[-1]}")
        others = set(marks[:-1])
        if last not in others and all(len(group) in (2, 3) for group in groups[1:-1]):
            found.append(decimal)
    return found


class Spelled(NamedTuple):
    """A number in words, from one word of a text to another."""

    number: float
    first: int
    after: int
    certain: bool


def spelled_numbers(words: Sequence[str]) -> Iterator[Spelled]:
    """`words` are folded. "one hundred and twenty" is one number."""
    place = 0
    while place < len(words):
        found = _spelled_at(words, place)
        if found is None:
            place += 1
            continue
        while more := _spelled_at(words, _without_and(words, found.after)):
            joined = _joined(found.number, more.number)
            if joined is None:
                break
            certain = found.certain or more.certain
            found = Spelled(joined, found.first, more.after, certain)
        yield found
        place = found.after


def _without_and(words: Sequence[str], place: int) -> int:
    return place + (place + 1 < len(words) and words[place] in AND)


AND = folded(lexicon.AND)


def _joined(number: float, more: float) -> float | None:
    if more in (100, 1000) and 1 <= number < more:
        return number * more
    if number >= 100 and number % 100 == 0 and more < 100:
        return number + more
    if number >= 1000 and number % 1000 == 0 and more < 1000:
        return number + more
    if 13 <= number <= 20 and 10 <= more < 100:  # "nineteen seventy-one"
        return number * 100 + more
    return (
        number + more
        if 20 <= number < 100 > more > 0 == number % 10 > more - 10
        else None
    )


def _spelled_at(words: Sequence[str], place: int) -> Spelled | None:
    known, beginnings = _spellings()
    longest = (
        LONGEST_NUMBER if words[place : place + 1] and words[place] in beginnings else 1
    )
    for size in range(min(longest, len(words) - place), 0, -1):
        key = " ".join(words[place : place + size])
        found = known.get(key) or (_stemmed().get(stem(key)) if size == 1 else None)
        if found is not None:
            return Spelled(found[0], place, place + size, found[1])
    return None


Meaning = tuple[float, bool]


@cache
def _stemmed() -> dict[str, Meaning]:
    # English numbers have no endings, and "ten" would be "tens" and "tennis".
    known, _ = _spellings()
    return {
        stem(word): (number, False)
        for word, (number, _) in known.items()
        if number < ORDINALS and len(word) > 4 and " " not in word
    }


@cache
def _spellings() -> tuple[dict[str, Meaning], frozenset[str]]:
    """Numbers by their words, and the first words of those of several."""
    found: dict[str, Meaning] = {}
    others = FILLING | folded(STOP_WORDS)
    homonyms = folded(lexicon.HOMONYMS)
    for number, text, code in _listed():
        words = WORD.findall(plain(text))
        alone = words[0] if len(words) == 1 else ""
        short = 0 < len(alone) < 3 and not SCRIPTED.search(alone)
        if words and not short and (code == "en" or alone not in others):
            certain = code in SPELLING and number > 1 and alone not in homonyms
            found.setdefault(" ".join(words), (number, certain))
    counts = folded_pairs(lexicon.COUNTS)
    found |= {word: (float(number), False) for word, number in counts.items()}
    return found, frozenset(key.partition(" ")[0] for key in found if " " in key)


def _listed() -> Iterator[tuple[float, str, str]]:
    """Numbers, their words and the language, cardinal numbers first."""
    for code in (*SPELLING, *SPELLING_TOO):
        below = SPELLED if code in SPELLING else SPELLED_TOO
        for number in (*range(1, below), *range(below, 1001, 100)):
            yield number, num2words(number, lang=code), code
        for word, number in _forms(code).items():
            yield number, word, code
    for code in (*SPELLING, *SPELLING_TOO):
        for number in range(2, ORDINALS):
            try:
                yield number, num2words(number, lang=code, to="ordinal"), ""
            except NotImplementedError:
                break


def _forms(code: str) -> dict[str, float]:
    """The numbers of one word in their cases, except twenty for "two" and its like."""
    code = {"no": "nb"}.get(code, code)
    data: dict[str, Any] = import_module(f"number_parser.data.{code}").info
    kinds = ("UNIT_NUMBERS", "DIRECT_NUMBERS", "TENS", "HUNDREDS", "BIG_POWERS_OF_TEN")
    found: dict[str, float] = {}
    for kind in kinds:
        found |= {word: number for word, number in data[kind].items() if number < 1e7}
    return found


def unit_of(word: str) -> str:
    units = _units()
    if word[:1] and re.match(f"[{CJK}]", word):
        ends = range(LONGEST_UNIT, 0, -1)
        return next((units[word[:end]] for end in ends if word[:end] in units), "")
    return units.get(word, "")


@cache
def _units() -> dict[str, str]:
    """The key of a unit by each of its names."""
    found: dict[str, str] = {}
    for code in LOCALES:
        patterns = Locale.parse(code)._data["unit_patterns"]  # noqa: SLF001 -- Babel has no list of units
        for key in UNIT_KEYS.split():
            widths = ("long", "short") if code in WITH_SHORT_NAMES else ("long",)
            lengths = [patterns[key].get(width, {}) for width in widths]
            for name in _names(lengths):
                found.setdefault(plain(name), key.partition("-")[2])
    return found | folded_pairs(lexicon.UNITS) | CONCENTRATIONS | {"%": "percent"}


def _names(lengths: Iterable[Any]) -> set[str]:
    texts = [
        text for length in lengths for text in length.values() if isinstance(text, str)
    ]
    words = {text.replace("{0}", "").strip(" .\u00a0\u202f") for text in texts}
    return {word for word in words if WORD.fullmatch(word) and word not in STOP_WORDS}
