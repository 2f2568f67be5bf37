"""Text from outside, made storable."""

import unicodedata

LAYOUT = "\t\n\r"
JOINERS = "\u200c\u200d"
"""Format characters that change how a word reads."""


def storable(text: str) -> str:
    """The text without lone surrogates and control characters but line breaks and tabs."""
    if text.isprintable():
        return text
    return "".join(
        character
        for character in text
        if character in LAYOUT or unicodedata.category(character) not in {"Cc", "Cs"}
    )


def one_line(text: str) -> str:
    """One storable line: NFC, white space collapsed, no invisible characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = "".join(map(_visible, text))
    return " ".join(unicodedata.normalize("NFC", visible).split())


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    if character in JOINERS:
        return character
    dropped = unicodedata.category(character) in {"Cc", "Cf", "Cs"}
    return "" if dropped else character
