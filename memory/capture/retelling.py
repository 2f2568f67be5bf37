"""Leave out of old texts what states a retired fact, or no more than a known one."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from memory import languages
from memory.capture.clauses import CLAUSE, SENTENCE
from memory.capture.grounding import LEAST, shared_stems, stems_of
from memory.capture.same_fact import details_of, fold, negated, past
from memory.words import tokens

PARTS = re.compile(f"({SENTENCE.pattern})")


@dataclass(frozen=True, slots=True)
class _Statement:
    stems: frozenset[str]
    heads: frozenset[str]
    details: Counter[object]
    of_relative: bool
    negated: bool
    past: bool

    def includes(self, other: "_Statement") -> bool:
        """Whether all of the other statement is in this one."""
        return (
            bool(other.stems)
            and other.heads <= self.heads  # spares most pairs the next test
            and len(shared_stems(other.stems, self.stems)) == len(other.stems)
            and other.details <= self.details
            and other.of_relative >= self.of_relative
            and (other.negated, other.past) == (self.negated, self.past)
        )


def without_retired(text: str, facts: Iterable[str]) -> str:
    """The text without the sentences that state one of the facts."""
    statements = list(map(_read, facts))

    def states_one(sentence: str) -> bool:
        parts = map(_read, {sentence, *CLAUSE.split(sentence)})
        return any(part.includes(one) for part in parts for one in statements)

    return _without(text, states_one)


def without_known(text: str, facts: Iterable[str]) -> str:
    """The text without the sentences that say no more than one of the facts."""
    statements = list(map(_read, facts))

    def says_no_more(sentence: str) -> bool:
        return any(one.includes(_read(sentence)) for one in statements)

    return _without(text, says_no_more)


def _without(text: str, drops: Callable[[str], bool]) -> str:
    """The text without these sentences; empty if no content word remains."""
    parts = [part or "" for part in PARTS.split(text)]
    pairs = zip(parts[::2], [*parts[1::2], ""], strict=True)
    kept = [(sentence, end) for sentence, end in pairs if not drops(sentence)]
    if 2 * len(kept) == len(parts) + 1:
        return text
    rest = "".join(f"{sentence}{end}" for sentence, end in kept).strip()
    return rest if stems_of(rest) else ""


@lru_cache(maxsize=4000)
def _read(text: str) -> _Statement:
    words = {languages.RELATIVE_FORMS.get(word, word) for word in tokens(fold(text))}
    stems = stems_of(text)
    return _Statement(
        stems,
        frozenset(stem[:LEAST] for stem in stems),
        details_of(text),
        not languages.RELATIVES.isdisjoint(words),
        negated(text),
        past(text),
    )
