"""A text, read once: what its comparisons need of it, each found when first asked for."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memory.wording import lexicon
from memory.wording.numbers import Amount
from memory.wording.same_values import sides_of
from memory.wording.splitting import is_question, split_clauses, split_sentences
from memory.wording.text_values import Day, Value, values_of
from memory.wording.words import (
    CJK,
    RELATIONS,
    STOP_WORDS,
    USER,
    folded,
    negated,
    plain,
    stems_of,
)

# Words and numbers with their signs: HIV+ is not HIV-, <100 is not >100. Without spaces
# between words one character is a word.
TOKEN = re.compile(
    r"[<>≤≥%]|(?<!\w)[+-]\d+(?:[.,:/]\d+)*|\d+(?:[.,:/]\d+)*"
    rf"|[{CJK}]|[^\W_{CJK}]+(?:[+-](?!\w))?"
)
BEGINS_LIKE_NAME = re.compile(r"\b[^\W\d_a-z][^\W_]*")
SIGNS = folded(lexicon.SIGNS)


@dataclass(frozen=True)
class Reading:
    """`reading_of` makes it, once for each text."""

    text: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(split_sentences(self.text))

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        return tuple(c for said in self.sentences for c in split_clauses(said))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Folded, in order, with the signs of numbers."""
        return tuple(TOKEN.findall(plain(self.text)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of the content words."""
        return stems_of(self.text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words with a capital, folded."""
        names = (
            name for name in BEGINS_LIKE_NAME.findall(self.text) if name[0].isupper()
        )
        said = {word for name in names for word in TOKEN.findall(plain(name))}
        return frozenset(said - USER - STOP_WORDS)

    @cached_property
    def relations(self) -> frozenset[str]:
        """Relatives, each by one word for all of its forms."""
        return frozenset(RELATIONS[word] for word in self.words if word in RELATIONS)

    @cached_property
    def sides(self) -> frozenset[str]:
        return sides_of(self.text)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return values_of(self.text)

    @cached_property
    def negated(self) -> bool:
        return negated(self.text)

    @cached_property
    def asks(self) -> bool:
        return is_question(self.text)

    @cached_property
    def details(self) -> Counter[object]:
        """Values in their likeliest reading, signs, sides and relatives."""
        signs = (word for word in self.words if word in SIGNS or word[-1] in "<>≤≥+-")
        return Counter([*signs, *self.sides, *self.relations, *self._likeliest()])

    def _likeliest(self) -> Iterator[object]:
        for value in self.values:
            likeliest = value.readings[0]
            if value.parts:
                yield from value.parts
            elif isinstance(likeliest, Day):
                dated = zip(Day._fields, likeliest, strict=True)
                yield from (part for part in dated if part[1])
            elif not isinstance(likeliest, Amount):
                yield likeliest
            elif value.certain:
                yield likeliest.in_base


@lru_cache(maxsize=4000)
def reading_of(text: str) -> Reading:
    """The reading of a text; the texts read last are known."""
    return Reading(text)
