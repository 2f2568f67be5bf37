"""What a search of the memory page finds, by meaning and by spelling."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from memory.wording.words import plain, spellings, tokens

ALIKE, SHORTEST_ALIKE = 0.8, 5  # the share of letters, and their least number


def is_said(query: str, text: str) -> bool:
    """Whether the text has the query, or for each of its words one spelled much like it.

    Names of medicines differ little between languages: penicillin, penicylina.
    """
    asked = [spellings(word) for word in tokens(query)]
    there = tokens(plain(text))
    return plain(query) in plain(text) or (
        bool(asked) and all(_is_there(words, there) for words in asked)
    )


def _is_there(spelt: Sequence[str], there: Sequence[str]) -> bool:
    return any(_are_alike(word, other) for word in spelt for other in there)


def _are_alike(one: str, other: str) -> bool:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return one == other or (
        min(len(one), len(other)) >= SHORTEST_ALIKE
        and matcher.real_quick_ratio() >= ALIKE
        and matcher.quick_ratio() >= ALIKE
        and matcher.ratio() >= ALIKE
    )
