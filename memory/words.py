"""Words of a text in any script, without the ones that say nothing.

Kept apart from the database's `simple` configuration, which has neither stop words nor
stems: both are chosen here, per query, and can change without a migration.
"""

import re
import unicodedata

from memory.languages import STOP_WORDS, SUFFIXES

WORD = re.compile(r"[^\W_]+")

STEM = 4
"""An ending is only taken off where at least so many letters stay."""
LONG = 7
"""Longer stems lose up to two letters more: ibuprofenu, ibuprofenem, ibuprofen."""


JOINERS = "\u200c\u200d"
"""Format characters that change how a word reads; all others are dropped."""


def _kept(character: str) -> str:
    if character.isspace():
        return " "
    if character in JOINERS:
        return character
    dropped = unicodedata.category(character) in {"Cc", "Cf", "Cs"}
    return "" if dropped else character


def one_line(text: str) -> str:
    """The text without control characters and line breaks, white space collapsed."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = "".join(map(_kept, text))
    return " ".join(unicodedata.normalize("NFC", visible).split())


def tokens(text: str) -> list[str]:
    """Every word and number, lower case, in order."""
    return WORD.findall(text.lower())


def content_tokens(text: str) -> list[str]:
    """The words that say something, each once, in order."""
    return [t for t in dict.fromkeys(tokens(text)) if t not in STOP_WORDS]


def stem(token: str) -> str:
    """What inflections of a word have in common, roughly; numbers stay as they are."""
    if any(character.isdigit() for character in token):
        return token
    for ending in SUFFIXES:
        if token.endswith(ending) and len(token) - len(ending) >= STEM:
            token = token.removesuffix(ending)
            break
    return token[: max(LONG - 1, len(token) - 2)]
