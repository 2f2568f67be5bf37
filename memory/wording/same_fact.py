"""Compare sentences by their words: a veto over vectors and resolvers.

Two similar rows cost less than a lost fact (decision 21).
"""

import hashlib
from collections.abc import Sequence

from meddie.text import one_line
from memory.subjects import Subject
from memory.wording.reading import Reading, reading_of
from memory.wording.text_values import Value
from memory.wording.words import (
    FILLING,
    NEGATIONS,
    RELATIONS,
    STOP_WORDS,
    USER,
    shared_stems,
    stem,
    stems_of,
)

DENIAL = "not"


def content_hash(text: str) -> str:
    """SHA-256 of one line in lower case (S0-27)."""
    return hashlib.sha256(one_line(text).lower().encode()).hexdigest()


def are_apart(one: Subject | None, other: Subject | None) -> bool:
    """Whether two facts are about others; None: not read for it, so words decide."""
    if one is None or other is None:
        return False
    return not (one.is_same(other) and other.is_same(one))


def differ(one: Reading, other: Reading) -> bool:
    """Whether a detail, name or negation differs, or each has own words."""
    ours, theirs = _roots(one), _roots(other)
    return (
        one.details != other.details
        or one.negated != other.negated
        or bool(ours - theirs and theirs - ours)
        or _names_differ(one, other)
        or _names_differ(other, one)
    )


def names_another(one: Reading, other: Reading) -> bool:
    """Whether a detail differs, or a name inside the one is not in the other."""
    names = stems_of(" ".join(reading_of(one.text.partition(" ")[2]).names))
    shared = shared_stems(names, other.stems)
    return len(shared) < len(names) or one.details != other.details


def same_words(one: Reading, other: Reading) -> bool:
    """Whether both have the same words in order, or with the last word first."""
    ours, theirs = _in_order(one), _in_order(other)
    turned = "".join(f" {word} " for word in theirs * 2)
    same = len(ours) == len(theirs) and "".join(f" {w} " for w in ours) in turned
    return same and not differ(one, other)


def extends(fuller: Reading, thinner: Reading) -> bool:
    """Whether the fuller sentence states all of the thinner one."""
    return _roots(thinner) <= _roots(fuller) and may_include(fuller, thinner)


def may_include(fuller: Reading, thinner: Reading) -> bool:
    """Whether no detail, name or negation of the thinner one is lost.

    What the words mean is the resolver's judgement.
    """
    return (
        thinner.details <= fuller.details
        and thinner.names <= set(fuller.words)
        and thinner.negated == fuller.negated
        and thinner.relations == fuller.relations
    )


def may_replace(new: Reading, old: Reading) -> bool:
    """Whether both are of the same relatives and the same side."""
    return (new.relations, new.sides) == (old.relations, old.sides)


def may_correct(new: Reading, old: Reading) -> bool:
    """Whether "I'm actually 46" may be about the old one: a word or a kind of value shared.

    What the new one does not name, a relative or a side, may be as in the old one.
    """
    kinds = [set(map(_kind, reading.values)) for reading in (new, old)]
    related = shared_stems(new.stems, old.stems) or kinds[0] & kinds[1]
    named = new.relations <= old.relations and new.sides <= old.sides
    return bool(related) and named and new.text != old.text


def has_other_numbers(new: Reading, old: Reading) -> bool:
    """Whether the new one has all words of the old one, and other numbers."""
    ours, theirs = ({w for w in r.stems if not w[0].isdigit()} for r in (new, old))
    return len(theirs) > 1 and theirs <= ours and new.details != old.details


def _kind(value: Value) -> tuple[type, str]:
    likeliest = value.readings[0]
    return type(likeliest), getattr(likeliest, "unit", "")


def _in_order(reading: Reading) -> list[str]:
    """The roots of the words, with one word for every negation."""
    said = reading_of(NEGATIONS.sub(f" {DENIAL} ", reading.text))
    return [_root(word) for word in _without(FILLING, said.words)]


def _roots(reading: Reading) -> set[str]:
    return set(map(_root, _without(STOP_WORDS | FILLING, reading.words)))


def _root(word: str) -> str:
    return RELATIONS.get(word) or stem(word)


def _without(dropped: frozenset[str], words: Sequence[str]) -> list[str]:
    """Keep a letter at the end: in "hepatitis A" it is no article."""
    kept = [word for word in words[:-1] if word not in dropped]
    return kept + [w for w in words[-1:] if len(w) == 1 or w not in dropped]


def _names_differ(one: Reading, other: Reading) -> bool:
    ours, theirs = set(one.words), set(other.words)
    own = theirs - ours - STOP_WORDS - USER
    return bool(own and one.names - theirs)
