"""Compare sentences by their words: a veto over vectors and resolvers.

Two similar rows cost less than a lost fact (decision 21).
"""

import hashlib
import re
from collections import Counter

from meddie.text import one_line
from memory.wording import lexicon
from memory.wording.numbers import Amount
from memory.wording.same_values import SIDES
from memory.wording.values import Day, Value, values_of
from memory.wording.words import (
    CJK,
    FILLING,
    NEGATIONS,
    RELATIONS,
    STOP_WORDS,
    USER,
    folded,
    negated,
    plain,
    shared_stems,
    stem,
    stems_of,
)

# Words and numbers with their signs: HIV+ is not HIV-, <100 is not >100. Without spaces
# between words one character is a word.
TOKEN = re.compile(
    r"[<>≤≥%]|(?<!\w)[+-]\d+(?:[.,:/]\d+)*|\d+(?:[.,:/]\d+)*"
    rf"|[{CJK}]|[^\W_{CJK}]+(?:[+-](?!\w))?"
)
NAME = re.compile(r"\b[^\W\d_a-z][^\W_]*")
LISTED = SIDES.keys() | folded(lexicon.SIGNS)
DENIAL = "not"


def content_hash(text: str) -> str:
    """SHA-256 of one line in lower case (S0-27)."""
    return hashlib.sha256(one_line(text).lower().encode()).hexdigest()


def differ(one: str, other: str) -> bool:
    """Whether a detail, name or negation differs, or each has own words."""
    ours, theirs = _roots(one), _roots(other)
    return (
        details_of(one) != details_of(other)
        or negated(one) != negated(other)
        or bool(ours - theirs and theirs - ours)
        or _names_differ(one, other)
        or _names_differ(other, one)
    )


def names_another(one: str, other: str) -> bool:
    """Whether a detail differs, or a name inside the one is not in the other."""
    names = stems_of(" ".join(_names(one.partition(" ")[2])))
    shared = shared_stems(names, stems_of(other))
    return len(shared) < len(names) or details_of(one) != details_of(other)


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
    """Whether no detail, name or negation of the thinner one is lost.

    What the words mean is the resolver's judgement.
    """
    return (
        details_of(thinner) <= details_of(fuller)
        and _names(thinner) <= set(_words(fuller))
        and negated(thinner) == negated(fuller)
        and relations_of(thinner) == relations_of(fuller)
    )


def may_replace(new: str, old: str) -> bool:
    """Whether both are of the same relatives and the same side."""
    sides = [SIDES.keys() & set(_words(text)) for text in (new, old)]
    return relations_of(new) == relations_of(old) and sides[0] == sides[1]


def may_correct(new: str, old: str) -> bool:
    """Whether "I'm actually 46" may be about the old one: a word or a kind of value shared.

    What the new one does not name, a relative or a side, may be as in the old one.
    """
    kinds = [{_kind(value) for value in values_of(text)} for text in (new, old)]
    sides = [SIDES.keys() & set(_words(text)) for text in (new, old)]
    related = shared_stems(stems_of(new), stems_of(old)) or kinds[0] & kinds[1]
    named = relations_of(new) <= relations_of(old) and sides[0] <= sides[1]
    return bool(related) and named and new != old


def _kind(value: Value) -> tuple[type, str]:
    likeliest = value.readings[0]
    return type(likeliest), getattr(likeliest, "unit", "")


def has_other_numbers(new: str, old: str) -> bool:
    """Whether the new one has all words of the old one, and other numbers."""
    ours, theirs = (
        {w for w in stems_of(text) if not w[0].isdigit()} for text in (new, old)
    )
    return len(theirs) > 1 and theirs <= ours and details_of(new) != details_of(old)


def details_of(text: str) -> Counter[object]:
    """Amounts, times, days, signs, sides and relatives, each in its likeliest reading."""
    words = _words(text)
    signed = (word for word in words if word[-1] in "<>≤≥+-")
    listed = (word for word in words if word in LISTED)
    found: list[object] = [*signed, *listed, *relations_of(text)]
    for value in values_of(text):
        reading = value.readings[0]
        if value.parts:
            found += value.parts
        elif isinstance(reading, Day):
            found += [
                part for part in zip(Day._fields, reading, strict=True) if part[1]
            ]
        elif isinstance(reading, Amount) and value.certain:
            found.append(reading.in_base)
        elif not isinstance(reading, Amount):
            found.append(reading)
    return Counter(found)


def relations_of(text: str) -> frozenset[str]:
    return frozenset(RELATIONS[word] for word in _words(text) if word in RELATIONS)


def _words(text: str) -> list[str]:
    return TOKEN.findall(plain(text))


def _in_order(text: str) -> list[str]:
    """The roots of the words, with one word for every negation."""
    said = NEGATIONS.sub(f" {DENIAL} ", text)
    return [_root(word) for word in _without(FILLING, _words(said))]


def _roots(text: str) -> set[str]:
    return set(map(_root, _without(STOP_WORDS | FILLING, _words(text))))


def _root(word: str) -> str:
    return RELATIONS.get(word) or stem(word)


def _without(dropped: frozenset[str], words: list[str]) -> list[str]:
    """Keep a letter at the end: in "hepatitis A" it is no article."""
    kept = [word for word in words[:-1] if word not in dropped]
    return kept + [w for w in words[-1:] if len(w) == 1 or w not in dropped]


def _names(text: str) -> set[str]:
    names = (name for name in NAME.findall(text) if name[0].isupper())
    said = {word for name in names for word in _words(name)}
    return said - USER - STOP_WORDS


def _names_differ(one: str, other: str) -> bool:
    ours, theirs = set(_words(one)), set(_words(other))
    own = theirs - ours - STOP_WORDS - USER
    return bool(own and _names(one) - theirs)
