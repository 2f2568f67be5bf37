"""Compare sentences by their words: a veto over vectors and resolvers."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from memory import languages
from memory.languages import without_spaces as dense
from memory.words import tokens

# Words and numbers with their signs: HIV+ is not HIV-, <100 is not >100. Without spaces
# between words a unit or one character is a word.
TOKEN = re.compile(
    r"[<>≤≥%]|(?<!\w)[+-]\d+(?:[.,:/]\d+)*|\d+(?:[.,:/]\d+)*"
    rf"|{'|'.join(sorted(dense.UNITS.split(), reverse=True))}|[{dense.LETTERS}]"
    rf"|[^\W_{dense.LETTERS}]+(?:[+-](?!\w))?"
)
OWNER = re.compile(
    rf"(?P<user>{dense.USER})?(?:(?:[{dense.POSSESSIVE}].{{0,2}}?)?(?P<other>{dense.OTHERS}))?"
)
NUMBER = re.compile(r"[+-]?\d")
NAME = re.compile(r"\b[^\W\d_a-z][^\W_]*")
DENSE_NEGATION = re.compile(dense.NEGATIONS)
DENSE_PAST = re.compile(dense.PAST)
LETTERS = str.maketrans("\u2212\u2013ё", "--\u0435")
SHORTEST_ROOT = 3
EMPTY = languages.FILLING | languages.AUXILIARIES
TELLING = languages.SIDES | languages.OPPOSITES | languages.RELATIVES
LONGEST_ENDING = max(map(len, languages.ENDINGS))
DATES = {"month": languages.MONTHS, "weekday": languages.WEEKDAYS}
LISTED = TELLING | languages.NUMBERS | languages.TIMES


def fold(text: str) -> str:
    """Lower case, with one letter for yo and ye, and one minus sign."""
    return text.lower().translate(LETTERS)


def root(word: str) -> str:
    """ "ibuprofenu" and "ibuprofen" have one root."""
    for length in range(min(LONGEST_ENDING, len(word) - SHORTEST_ROOT), 0, -1):
        if word[-length:] in languages.ENDINGS:
            return word[:-length]
    return word


def negated(text: str) -> bool:
    found = languages.NEGATIONS.search(text) or DENSE_NEGATION.search(text)
    return found is not None


def past(text: str) -> bool:
    if not languages.PAST.isdisjoint(tokens(text)) or DENSE_PAST.search(text):
        return True
    # Having stopped is a present state.
    return bool(languages.PAST_FORMS.search(languages.NEGATIONS.sub("", text)))


def differ(one: str, other: str) -> bool:
    """Whether a detail, name, tense or negation differs, or each has own words."""
    ours, theirs = _roots(one), _roots(other)
    return (
        details_of(one) != details_of(other)
        or (negated(one), past(one)) != (negated(other), past(other))
        or bool(ours - theirs and theirs - ours)
        or _names_differ(one, other)
        or _names_differ(other, one)
    )


def same_words(one: str, other: str) -> bool:
    """Whether both have the same words in order, or with the last word first."""
    ours, theirs = _in_order(one), _in_order(other)
    turned = "".join(f" {word} " for word in theirs * 2)
    same = len(ours) == len(theirs) and "".join(f" {w} " for w in ours) in turned
    return same and not differ(one, other)


def extends(fuller: str, thinner: str) -> bool:
    """Whether the fuller sentence states all of the thinner one."""
    return _roots(thinner) <= _roots(fuller) and may_include(fuller, thinner)


def may_include(fuller: str, thinner: str) -> bool:
    """Whether no detail, name, tense, negation or subject of the thinner one is lost.

    What the words mean is the resolver's judgement.
    """
    return (
        details_of(thinner) <= details_of(fuller)
        and _names(thinner) <= set(_words(fuller))
        and (negated(thinner), past(thinner)) == (negated(fuller), past(fuller))
        and subject(thinner) == subject(fuller)
    )


def may_replace(new: str, old: str) -> bool:
    """Whether both have one subject and side. The past stays true."""
    sides = [languages.SIDES & set(_words(text)) for text in (new, old)]
    lasting = (past(old) or past_of(old, new)) and not past(new)
    return subject(new) == subject(old) and sides[0] == sides[1] and not lasting


def past_of(text: str, other: str) -> bool:
    """Whether a verb of the other sentence is here with an ending of the past."""
    verbs = {
        word.removesuffix(ending)
        for word in _words(text)
        for ending in languages.PAST_ENDINGS
        if word.endswith(ending)
    }
    return bool(verbs) and not verbs.isdisjoint(map(root, _words(other)))


def subject(text: str) -> frozenset[str]:
    """The relative or the user at the start, else the first word."""
    owner = OWNER.match(text)
    if owner and owner[0]:
        return frozenset([owner["other"] or "user"])
    words = (word for word in _words(text) if word not in languages.FILLING)
    first = [word for word in words if len(word) > 1][:2]  # user's: no possessive s
    if relatives := languages.RELATIVES.intersection(first):
        return relatives
    return frozenset(["user"] if languages.USER.intersection(first) else first[:1])


def _words(text: str) -> list[str]:
    forms = languages.RELATIVE_FORMS
    return [forms.get(word, word) for word in TOKEN.findall(fold(text))]


def _in_order(text: str) -> list[str]:
    for form, plain in languages.NOT:
        text = form.sub(plain, text)
    return [root(word) for word in _without(EMPTY, _words(text))]


def _roots(text: str) -> set[str]:
    return set(map(root, _without(languages.STOP_WORDS | EMPTY, _words(text))))


def _without(dropped: frozenset[str], words: list[str]) -> list[str]:
    """Keep a letter at the end: in "hepatitis A" it is no article."""
    kept = [word for word in words[:-1] if word not in dropped]
    return kept + [w for w in words[-1:] if len(w) == 1 or w not in dropped]


def _names(text: str) -> set[str]:
    names = (name for name in NAME.findall(text) if name[0].isupper())
    said = {word for name in names for word in _words(name)}
    return said - languages.USER - languages.STOP_WORDS


def _names_differ(one: str, other: str) -> bool:
    ours, theirs = set(_words(one)), set(_words(other))
    own = theirs - ours - languages.STOP_WORDS - languages.USER
    return bool(own and _names(one) - theirs)


def details_of(text: str) -> Counter[object]:
    """Numbers with units, signs, dates and listed words."""
    words = _words(text)
    numbers = (
        (word, following if following in languages.UNITS else "")
        for word, following in pairwise([*words, ""])
        if NUMBER.match(word)
    )
    signed = (word for word in words if word[-1] in "<>≤≥%+-")
    dates = (date for word in words for date in _dates(word))
    return Counter([*numbers, *signed, *dates, *LISTED.intersection(words)])


@lru_cache(maxsize=1000)
def _dates(word: str) -> list[tuple[str, int]]:
    return [
        (kind, number)
        for kind, patterns in DATES.items()
        for number, pattern in enumerate(patterns)
        if pattern.fullmatch(word)
    ]
