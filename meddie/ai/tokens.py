"""How many tokens a text takes, near enough, from its bytes alone.

A real tokeniser fetches its tables from the network at first use.
"""

from math import ceil

ASCII_BYTES = 3.5
OTHER_BYTES = 2


def estimate(text: str) -> int:
    """Rather too many than too few: a prompt must fit."""
    size = len(text.encode(errors="replace"))
    ascii_size = len(text.encode("ascii", errors="ignore"))
    return ceil(ascii_size / ASCII_BYTES + (size - ascii_size) / OTHER_BYTES)


def cut(text: str, size: int) -> str:
    """The beginning of a text in at most `size` bytes of UTF-8.

    No tokeniser in use makes more than one token of a byte, so a limit in tokens, taken
    as bytes, always holds.
    """
    return text.encode(errors="replace")[:size].decode(errors="ignore")
