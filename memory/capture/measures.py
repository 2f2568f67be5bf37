"""Whether the numbers of a fact are those of a text."""

import re

from memory import languages
from memory.capture.grounding import CJK
from memory.capture.same_fact import fold
from memory.words import tokens

LONGEST_SHORT_UNIT = 3  # letters, as in "mcg"
SAME = 3  # letters with which two forms of a longer unit begin
YEAR = re.compile(r"(?:19|20)\d\d")
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
MEASURE = re.compile(rf"({NUMBER.pattern})[ \u00a0]?([{CJK}]|[^\W\d_{CJK}]*)")


def has_numbers(fact: str, said: str) -> bool:
    """Whether the text has the fact's numbers with their units, or has words for them."""
    measures = _measures(said)
    by_words = not languages.NUMBERS.isdisjoint(tokens(fold(said)))
    needed = _numbers(fact, said)
    return all(
        any(number == n and _same_unit(unit, u) for n, u in measures)
        or (by_words and number not in dict(measures))
        for number, unit in _measures(fact)
        if number in needed
    )


def _measures(text: str) -> list[tuple[str, str]]:
    """Numbers, and the word after each if it can be a unit."""
    return [
        (found[1], found[2] if _may_be_unit(found[2]) else "")
        for found in MEASURE.finditer(fold(text))
    ]


def _may_be_unit(word: str) -> bool:
    short = len(word) <= LONGEST_SHORT_UNIT and word not in languages.STOP_WORDS
    return short or word in languages.UNITS


def _same_unit(one: str, other: str) -> bool:
    """ "mg" and "milligrams", not "mg" and "mcg" nor milligrams and micrograms."""
    if not one or not other or one == other:
        return True
    short, long = sorted((one, other), key=len)
    same = 1 if len(short) <= LONGEST_SHORT_UNIT else SAME
    return short[:same] == long[:same] and len(long) > LONGEST_SHORT_UNIT


def _numbers(fact: str, said: str) -> set[str]:
    """Its numbers but for those of a date that the model resolved."""
    words = tokens(fold(fact))
    dated = dated_words(words)
    return {n for n in NUMBER.findall(fact) if n not in dated and not YEAR.fullmatch(n)}


def dated_words(words: list[str]) -> set[str]:
    """Months, and the numbers beside them."""
    found: set[str] = set()
    for number, word in enumerate(words):
        if any(month.fullmatch(word) for month in languages.MONTHS):
            found.update(words[max(number - 1, 0) : number + 2])
    return found
