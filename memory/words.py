"""The words of a text in any script, and what their forms have in common.

Stop words and stems are chosen here, per query: the database's `simple` configuration
has neither, so that both can change without a migration.
"""

import re

from memory.languages import STOP_WORDS, SUFFIXES

WORD = re.compile(r"[^\W_]+")
STEM = 4
"""A suffix is only cut off where this many letters remain."""
LONG = 7
"""Longer stems lose up to two letters more: ibuprofenu, ibuprofenem, ibuprofen."""


def tokens(text: str) -> list[str]:
    """Return every word and number in order, in lower case."""
    return WORD.findall(text.lower())


def content_tokens(text: str) -> list[str]:
    """Return the words that are no stop words, each once, in order."""
    return [t for t in dict.fromkeys(tokens(text)) if t not in STOP_WORDS]


def stem(token: str) -> str:
    """Return the beginning that inflections of a word share; a number stays as it is."""
    if any(character.isdigit() for character in token):
        return token
    for suffix in SUFFIXES:
        if token.endswith(suffix) and len(token) - len(suffix) >= STEM:
            token = token.removesuffix(suffix)
            break
    return token[: max(LONG - 1, len(token) - 2)]
