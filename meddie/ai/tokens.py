"""Estimate the tokens of a text from its bytes.

A real tokeniser downloads its tables at its first use.
"""

from math import ceil

ASCII_BYTES = 3.5
OTHER_BYTES = 2


def estimate(text: str) -> int:
    """Tokens, rather too many: a prompt must fit."""
    size = len(text.encode(errors="replace"))
    ascii_size = len(text.encode("ascii", errors="ignore"))
    return ceil(ascii_size / ASCII_BYTES + (size - ascii_size) / OTHER_BYTES)


def cut(text: str, size: int) -> str:
    """The start of a text in at most `size` bytes of UTF-8, and so of tokens: a token has
    at least one byte."""
    return text.encode(errors="replace")[:size].decode(errors="ignore")
