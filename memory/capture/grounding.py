"""Whether a text states a fact (S3-38, S3-39), or has a word of it."""

import re
from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from typing import Self

from memory import languages
from memory.capture.same_fact import EMPTY, fold, negated, root
from memory.words import WORD, plain, tokens

OVERLAP = 0.45
STEM, LEAST = 5, 3  # letters
SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
CLAUSE = re.compile(r"[,;:\u2013\u2014]")
# Han, kana and hangul are written without spaces, or join particles to words.
CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
PIECE = re.compile(rf"[{CJK}]+|\d+|[^\W\d_{CJK}]+")
# Particles and endings of Japanese.
HIRAGANA = re.compile("[\u3040-\u309f]+")
SELF = languages.FIRST_PERSON | languages.USER
UNTELLING = frozenset(
    map(plain, languages.STOP_WORDS | languages.USER | languages.UNITS | EMPTY)
)
# Words between "not" and what is denied. A pronoun begins a statement: "No I am".
LINKING = EMPTY | {
    word
    for word in languages.FIRST_PERSON
    if word.endswith(languages.FIRST_PERSON_ENDINGS)
}
OTHERS = languages.THIRD_PERSON | languages.RELATIVES


def grounded(fact: str, text: str) -> bool:
    """Whether the text has the stem of a content word, or a number, of the fact."""
    return bool(shared_stems(stems_of(fact), stems_of(text)))


def has_value(value: str, text: str) -> bool:
    """Like `grounded`; a value of common words ("she/her") has to be there as a whole."""
    words = set(tokens(plain(value)))
    said = set(tokens(plain(text)))
    return grounded(value, text) or (bool(words) and words <= said)


def states_value(value: str, message: str) -> bool:
    """Whether a sentence that neither asks nor wants forgetting has the value."""
    return any(has_value(value, sentence) for sentence in _told(message))


def denied(fact: str, message: str) -> bool:
    """Whether all that the message says of the fact is "not": "I'm not diabetic"."""
    ours, words = stems_of(fact), _roots(fact)
    sentences = SENTENCE.findall(languages.REMINDER.sub("", message))
    parts = (part for sentence in sentences for part in CLAUSE.split(sentence))
    told = [part for part in parts if shared_stems(ours, stems_of(part))]
    return not negated(fact) and bool(told) and all(_denies(p, words) for p in told)


def _denies(part: str, words: Set[str]) -> bool:
    """Whether all the words are there, and a "not" before one of them."""
    text = part.lower()
    return words <= _roots(text) and any(
        not words.isdisjoint(_roots(next_word(text, no.end())))
        for no in languages.NEGATIONS.finditer(text)
    )


def next_word(text: str, start: int) -> str:
    words = (match[0] for match in WORD.finditer(text, start))
    return next((word for word in words if word not in LINKING), "")


def _roots(text: str) -> set[str]:
    """Whole words: "keine Laktose" does not deny "laktoseintolerant"."""
    return {root(word) for word in PIECE.findall(plain(text)) if word not in UNTELLING}


def says_more(fact: str, known: str, message: str) -> bool:
    """Whether the user tells of something in the fact that the known one lacks."""
    ours = stems_of(fact)
    more = ours.difference(shared_stems(ours, stems_of(known)))
    return any(shared_stems(more, stems_of(sentence)) for sentence in _told(message))


def shared_stems(ours: Set[str], theirs: Set[str]) -> list[str]:
    """Our stems that are also theirs, or a shorter or longer form of one."""
    near = _beginnings(theirs)
    return [
        one for one in ours if one in near or not theirs.isdisjoint(_beginnings({one}))
    ]


def stems_of(text: str) -> frozenset[str]:
    return frozenset(
        stem for piece in PIECE.findall(plain(text)) for stem in _of(piece)
    )


def _beginnings(stems: Collection[str]) -> set[str]:
    """The stems, and what shorter forms of their words begin with."""
    words = (stem for stem in stems if not stem.isdigit())
    return {word[:end] for word in words for end in range(LEAST, len(word))}.union(
        stems
    )


def _of(piece: str) -> Iterator[str]:
    """Five letters of a word's root; pairs of characters where there are no spaces."""
    if not re.match(f"[{CJK}]", piece):
        if piece not in UNTELLING:
            yield root(piece)[:STEM]
        return
    for start in range(max(len(piece) - 1, 1)):
        pair = piece[start : start + 2]
        if not HIRAGANA.fullmatch(pair):
            yield pair


def stated_again(fact: str, message: str) -> bool:
    """Whether the user states the fact: not in a question, a denial or about others."""
    wanted = _Fact.of(fact)
    return any(_states(wanted, sentence) for sentence in _told(message))


def _told(message: str) -> list[str]:
    """The sentences that neither ask nor want something forgotten."""
    sentences = SENTENCE.findall(languages.REMINDER.sub("", message))
    return [
        one
        for one in sentences
        if "?" not in one and not languages.FORGETTING.search(one)
    ]


@dataclass(frozen=True, slots=True)
class _Fact:
    letters: str
    stems: frozenset[str]
    people: frozenset[str]
    negated: bool
    supposed: bool

    @classmethod
    def of(cls, text: str) -> Self:
        words = _words(text)
        return cls(
            "".join(words),
            stems_of(" ".join(words)),
            frozenset(words) & (languages.RELATIVES | languages.USER),
            negated(text),
            languages.SUPPOSED.search(text) is not None,
        )

    def is_in(self, words: list[str]) -> bool:
        """Whether a text has the fact's letters, or enough of its words."""
        if self.letters and self.letters in "".join(words):
            return True
        shared = len(shared_stems(self.stems, stems_of(" ".join(words))))
        least = max(OVERLAP * len(self.stems), min(2, len(self.stems)))
        return bool(self.stems) and shared >= least


def _states(fact: _Fact, sentence: str) -> bool:
    if languages.TAKEN_BACK.search(sentence):
        return False
    if fact.supposed != (languages.SUPPOSED.search(sentence) is not None):
        return False
    # "Not to penicillin, I am allergic to ibuprofen" denies only one of them.
    parts = [sentence, *CLAUSE.split(sentence)]
    return any(
        fact.negated == negated(part)
        and fact.is_in(words := _words(part))
        and _is_about_the_same(fact, words)
        for part in parts
    )


def _is_about_the_same(fact: _Fact, words: list[str]) -> bool:
    """Whether the person named last before the statement is that of the fact."""
    if relatives := fact.people & languages.RELATIVES:
        return not relatives.isdisjoint(words)
    if not fact.people:
        return languages.RELATIVES.isdisjoint(words)
    told = (
        n for n, word in enumerate(words) if shared_stems(fact.stems, stems_of(word))
    )
    first = next(told, 0)
    before = [word for word in words[:first] if word in SELF or word in OTHERS]
    if before:
        return before[-1] in SELF
    return _speaks_of_oneself(words)


def _speaks_of_oneself(words: list[str]) -> bool:
    """Polish and Russian verbs may say "I" by their ending alone."""
    said = any(
        word in SELF or word.endswith(languages.FIRST_PERSON_ENDINGS) for word in words
    )
    return said and OTHERS.isdisjoint(words)


def _words(text: str) -> list[str]:
    return [_as_listed(word) for word in tokens(fold(text))]


def _as_listed(word: str) -> str:
    return languages.RELATIVE_FORMS.get(word, word)
