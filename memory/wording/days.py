"""Days that a text names: months, weekdays, and words such as "tomorrow".

Months and weekdays come from Babel, relative phrases from the locale data of dateparser.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

from babel import Locale

from meddie.languages import DENSE_LANGUAGES, LANGUAGES
from memory.wording import lexicon
from memory.wording.numbers import SPELLING, spelled_numbers
from memory.wording.words import (
    CJK,
    STEM,
    WORD,
    folded,
    folded_pairs,
    plain,
    stem,
    tokens,
)

INFLECTED = {"pl": 4, "ru": 4, "uk": 4}
"""By language, the letters with which the name of a month or day begins at least."""
AMBIGUOUS_MONTHS = {"may", "march"}
# Words such as "may" are months if they have a capital inside a sentence, or beside a number.
_MONTHS = "|".join(AMBIGUOUS_MONTHS)
NAMED_MONTHS = re.compile(
    rf"(?<=[\w,] )(?:{_MONTHS.title()})\b|\b(?i:{_MONTHS})(?= (?:19|20)\d\d)|(?<=\d )(?i:{_MONTHS})\b"
)
YEAR = re.compile(r"(?:19|20)\d\d")
WITHOUT_ARTICLE = ("pl", "ru", "uk")  # "tydzień temu" is one week ago
LONGEST_SIGN = 2  # letters of an abbreviation
SPACED = tuple(known.code for known in LANGUAGES if not known.is_dense)
DAY_UNITS = ("day", "week", "month", "year")
MEANING = re.compile(rf"(in )?(\d+) ({'|'.join(DAY_UNITS)})( ago)?")
FORMS = ((r"\1 {} ago", "ago", -1), (r"in \1 {}", "in", 1))
NOW = "0 second ago"
DIGITS = re.compile(r"\d+")
BRACKETED = re.compile(r"\([^()]*\)")
LONGEST_PHRASE = 5
FEWEST, MOST = 2, 10  # of "a few"
SEASONS = {word: int(month) for word, month in folded_pairs(lexicon.SEASONS).items()}
FEW = folded(lexicon.FEW)
Phrase = tuple[str, ...]


class Relative(NamedTuple):
    """So many units after today, before it if negative; None for a number of the text."""

    amount: int | None
    unit: str
    sign: int


class Phrased(NamedTuple):
    """A phrase of a text, its words, and the least and greatest number in it."""

    relative: Relative
    least: int
    greatest: int
    words: Sequence[str]


def month_of(word: str) -> int | None:
    """1 to 12 for the name of a month, in any case of grammar."""
    return _place(word, "months")


def weekday_of(word: str) -> int | None:
    """0 for Monday."""
    return _place(word, "days")


def named_months(text: str) -> dict[str, int]:
    """The months by the words of a text that name them; "may" is no month in small letters."""
    capitals = {word.lower() for word in NAMED_MONTHS.findall(" ".join(text.split()))}
    found = {word: month_of(word) for word in tokens(text)}
    return {
        plain(word): number
        for word, number in found.items()
        if number and (stem(word) not in AMBIGUOUS_MONTHS or word in capitals)
    }


def _place(word: str, kind: str) -> int | None:
    names, stems = _dates(kind)
    folded_word = plain(word)
    found = names.get(folded_word)
    if found is not None or stem(folded_word) == folded_word:
        return found
    return stems.get(stem(folded_word))


@cache
def _dates(kind: str) -> tuple[dict[str, int], dict[str, int]]:
    """The place of each name, and of the longer stems of names."""
    forms = lexicon.MONTHS if kind == "months" else lexicon.WEEKDAYS
    names = {word: int(number) for word, number in folded_pairs(forms).items()}
    stems: dict[str, int] = {}
    for code in SPELLING:
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


def relative_phrases(text: str, languages: Sequence[str] = SPACED) -> Iterator[Phrased]:
    """What a text says of today; a word is part of one phrase, the longest."""
    words = _without_articles(tokens(text))
    phrases, beginnings = _phrases(tuple(languages))
    numbers = _numbers(words)
    forms = _forms(words, numbers)
    numbers = {
        n: (digit, digit) for n, w in enumerate(words) if (digit := _ones().get(w))
    } | numbers
    used: set[int] = set()
    for size in range(LONGEST_PHRASE, 0, -1):
        for start in range(len(words) - size + 1):
            places = range(start, start + size)
            begin = {form[start] for form in forms}
            if not used.isdisjoint(places) or beginnings.isdisjoint(begin):
                continue
            keys = [tuple(form[n] for n in places) for form in forms]
            if size == 1:
                keys = [(plain(words[start]),)]
            key = next((key for key in keys if key in phrases), None)
            if key is None:
                continue
            for meaning in phrases[key]:
                count = meaning.amount or 0
                told = [
                    numbers[n]
                    for n, form in zip(places, key, strict=True)
                    if form == "#"
                ]
                least, greatest = told[0] if meaning.amount is None else (count, count)
                used.update(places)
                yield Phrased(meaning, least, greatest, words[start : start + size])


def _forms(words: Sequence[str], numbers: Collection[int]) -> list[list[str]]:
    """The stems with "#" for numbers and articles, for numbers, and for none."""
    written = [_form(word) for word in words]
    counted = ["#" if n in numbers else form for n, form in enumerate(written)]
    pairs = zip(words, counted, strict=True)
    return [
        ["#" if word in _ones() else form for word, form in pairs],
        counted,
        written,
    ]


def _without_articles(words: Sequence[str]) -> list[str]:
    """ "in few days" for "in a few days"."""
    following = [*map(plain, words[1:]), ""]
    pairs = zip(words, following, strict=False)
    return [word for word, after in pairs if after not in FEW or word not in _ones()]


def _numbers(words: Sequence[str]) -> dict[int, tuple[int, int]]:
    """The least and greatest number that each word means, by its place."""
    found = {
        n: (int(w), int(w)) for n, w in enumerate(words) if w.isdecimal() and len(w) < 3
    }
    for said in spelled_numbers([plain(word) for word in words]):
        if said.after == said.first + 1 and said.number == int(said.number) < 100:
            found[said.first] = (int(said.number), int(said.number))
    return found | {
        n: (FEWEST, MOST) for n, word in enumerate(words) if plain(word) in FEW
    }


def dense_phrases(text: str) -> Iterator[Relative]:
    """What a text without spaces between its words says of today."""
    known, pattern = _dense()
    for found in pattern.findall(text):
        yield known[found]


@cache
def _dense() -> tuple[dict[str, Relative], re.Pattern[str]]:
    known = {
        plain(phrase): meaning
        for code in DENSE_LANGUAGES
        for phrase, meaning in _fixed(_data(code), {})
        if re.match(f"[{CJK}]{{2}}", phrase)
    }
    longest = sorted(known, key=len, reverse=True)
    return known, re.compile("|".join(map(re.escape, longest)))


def span_of(
    relative: Relative, least: int, greatest: int, today: date
) -> list[tuple[date, date]]:
    """Spans of days that may be meant, each with the day after its last."""
    exact = sorted(
        moved(today, relative.unit, relative.sign * n) for n in (least, greatest)
    )
    found = [(exact[0], exact[-1] + timedelta(days=1))]
    if relative.unit != "day" and (
        relative.amount is not None or relative.unit != "week"
    ):
        calendar = calendar_span(today, relative.unit, relative.sign * least)
        found.append(calendar)
    return found


def moved(today: date, unit: str, count: int) -> date:
    """The same day so many units later; the last of a shorter month."""
    if unit in ("day", "week"):
        return today + timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    last = first_of(months + 1) - timedelta(days=1)
    return first_of(months).replace(day=min(today.day, last.day))


def calendar_span(today: date, unit: str, count: int) -> tuple[date, date]:
    """The calendar day, week, month or year so many after today's, and its end."""
    if unit == "month":
        months = today.year * 12 + today.month - 1 + count
        return first_of(months), first_of(months + 1)
    if unit == "year":
        return date(today.year + count, 1, 1), date(today.year + count + 1, 1, 1)
    days = 1 if unit == "day" else 7
    first = today + timedelta(days=days * count - (today.weekday() if days > 1 else 0))
    return first, first + timedelta(days=days)


def first_of(months: int) -> date:
    """The first day of a month, counted from the year 0."""
    return date(months // 12, months % 12 + 1, 1)


@cache
def _phrases(
    languages: Sequence[str],
) -> tuple[dict[Phrase, set[Relative]], frozenset[str]]:
    """The meanings of each phrase, and the first words of phrases."""
    found: dict[Phrase, set[Relative]] = defaultdict(set)
    for code in languages:
        data = _data(code)
        counted = dict(_counted(data))
        own = {_key(phrase): meaning for phrase, meaning in _fixed(data, counted)}
        own |= counted
        if code in WITHOUT_ARTICLE:
            for key, meaning in counted.items():
                rest = tuple(form for form in key if form != "#")
                own.setdefault(rest, meaning._replace(amount=1))
        for key, meaning in own.items():
            found[key].add(meaning)
    listed = (
        (lexicon.TODAY, 0, 1),
        (lexicon.IN_TWO_DAYS, 2, 1),
        (lexicon.TWO_DAYS_AGO, 2, -1),
    )
    for phrases, days, sign in listed:
        for phrase in phrases.split():
            found[_key(phrase.replace("_", " "))] = {Relative(days, "day", sign)}
    return dict(found), frozenset(
        key[0] if len(key) > 1 else _form(key[0]) for key in found
    )


def _fixed(
    data: Mapping[str, Any], counted: Mapping[Phrase, Relative]
) -> Iterator[tuple[str, Relative]]:
    """Phrases without a number."""
    known: dict[str, Relative] = {}
    for meaning, phrases in data["relative-type"].items():
        found = MEANING.fullmatch("0 day ago" if meaning == NOW else meaning)
        if found:
            sign = -1 if found[4] else 1
            known |= dict.fromkeys(phrases, Relative(int(found[2]), found[3], sign))
    yield from known.items()
    for word, said in _simpler(data):
        first, _, rest = said.partition(" ")
        number = DIGITS.search(said)
        if rest and first in known:  # "tonight" is "today night"
            yield word, known[first]
        elif number and (same := counted.get(_key(said.replace(number[0], "(1)")))):
            yield word, same._replace(amount=int(number[0]))


def _counted(data: Mapping[str, Any]) -> Iterator[tuple[Phrase, Relative]]:
    """Phrases with a number, and the same with all names of the unit."""
    for unit, (form, word, sign) in product(DAY_UNITS, FORMS):
        listed = list(data["relative-type-regex"].get(form.format(unit), []))
        if not listed:
            continue
        order = "(1) {0} {1}" if listed[0].startswith("(") else "{1} (1) {0}"
        names = [name for name in data[unit] if len(name) > LONGEST_SIGN]
        listed += [
            order.format(name, data[word][0]) for name in names if data.get(word)
        ]
        for phrase in listed:
            if "#" in (key := _key(phrase)) and len(key) > 2:
                yield key, Relative(None, unit, sign)


def _key(phrase: str) -> Phrase:
    """Stems of its words; a word alone as it is, for more than it begin with its stem."""
    words = WORD.findall(BRACKETED.sub(" 0 ", phrase.lower()))
    if len(words) == 1:
        return (plain(words[0]),)
    return tuple("#" if word == "0" else _form(word) for word in words)


def _form(word: str) -> str:
    return stem(plain(word))[:STEM]


@cache
def _ones() -> dict[str, int]:
    """Articles and other words for a number: "a week ago"."""
    pairs = [pair for code in SPACED for pair in _simpler(_data(code))]
    return {word: int(number) for word, number in pairs if number.isdecimal()}


def _simpler(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for listed in data.get("simplifications", []):
        yield from (
            (word, said)
            for word, said in listed.items()
            if word.replace(" ", "").isalpha()
        )


def _data(code: str) -> Mapping[str, Any]:
    module = import_module(f"dateparser.data.date_translation_data.{code}")
    data: Mapping[str, Any] = module.info
    return data
