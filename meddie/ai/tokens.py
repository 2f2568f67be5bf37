"""Estimate tokens: a real tokeniser downloads tables."""

from math import ceil

ASCII_BYTES = 3.5
OTHER_BYTES = 2


def estimate(text: str) -> int:
    size = len(text.encode(errors="replace"))
    ascii_size = len(text.encode("ascii", errors="ignore"))
    return ceil(ascii_size / ASCII_BYTES + (size - ascii_size) / OTHER_BYTES)


def cut(text: str, size: int) -> str:
    """Cut to `size` bytes of UTF-8, at most as many tokens."""
    return text.encode(errors="replace")[:size].decode(errors="ignore")
