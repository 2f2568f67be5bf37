"""One line, composed, collapsed: the form in which a fact is stored and compared."""

import hashlib
import unicodedata

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


def content_hash(text: str) -> str:
    """What makes two facts the same: SHA-256 of the one line in lower case (S0-27)."""
    return hashlib.sha256(one_line(text).lower().encode()).hexdigest()
