"""JSON of clients: measured by what it would become before it is parsed (docs/security.md)."""

import codecs
import math
import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from pydantic_core import from_json

from meddie.text import REPLACEMENT

MOST_VALUES = 20_000  # keys and values: each becomes some 100 bytes
LARGEST_FIELD = 1024**2  # bytes of a field of the outermost object
UNBOUNDED_FIELD = b'"messages"'  # of chats, with pictures
WIDEST = 4  # bytes of a character, in a text that has one beyond ASCII
WINDOW = 1024**2  # bytes of one look, during which other threads wait
MOST_HALVES = 20_000  # with what is between them

QUOTE, OPENING, CLOSING = ord('"'), b"{[", b"}]"
JSON_SIGN = re.compile(rb'[\[\]{},"]')
IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
# Half of a character, as an escape or as the beginning of its bytes in UTF-8.
HALF_SURROGATE = re.compile(
    rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\xed[\xa0-\xbf][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]?(?![\x80-\xbf])"
)
NO_HALVES = re.compile(
    rb"(?:[^\\\xed\xf0]++|\\[^u]|\\u[^dD]|\\u[dD][0-7]|\xed[\x80-\x9f]"
    rb"|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\xf0[\x90-\xbf][\x80-\xbf][\x80-\xbf])*+",
    re.DOTALL,
)


class TooMuch(ValueError):
    """It has too many values, or too large ones."""


def parse_json(raw: bytes, most_values: int = MOST_VALUES) -> Any:
    """Finite numbers, and text that can be stored. Raises TooMuch, ValueError."""
    check_json(raw, most_values)
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:  # from bytes: a text of all of it may take four times its size
        found = from_json(raw, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        found = from_json(with_whole_characters(raw), allow_inf_nan=False)
    if not _is_finite(found):
        raise ValueError("not a finite number")
    return found


def check_json(raw: bytes, most_values: int = MOST_VALUES) -> None:
    """Raises TooMuch. `raw` need not be valid."""
    if len(raw) <= LARGEST_FIELD and count_values(raw) + raw.count(b'"') <= most_values:
        return
    values = size = began = 0
    key = b""
    for start, end, depth in _tokens(raw):
        mark = raw[start]
        values += mark not in CLOSING
        if mark == QUOTE:
            size += _size(raw[start:end])
            key = key or raw[start:end]
        if values > most_values or size > settings.MAX_BODY_MB * 1024**2:
            raise TooMuch
        if depth > 1 or mark == QUOTE:
            continue
        if end - began > LARGEST_FIELD and key != UNBOUNDED_FIELD:
            raise TooMuch
        goes_on = mark in CLOSING and depth == 1  # the field of the closed value
        if not goes_on:
            began, key = end, b""


def count_values(raw: bytes) -> int:
    """At least as many as there are."""
    return sum(map(raw.count, b"{[,"))


def with_whole_characters(raw: bytes) -> bytes:
    """JSON with U+FFFD for each half of an emoji, which clients that cut texts send.

    With very many of them, or of what is no UTF-8, it stays as it is, and is not valid.
    """
    whole, place, halves, steps = bytearray(), 0, 0, 0
    while place < len(raw):
        steps += 1
        if steps > MOST_HALVES:
            return raw
        found = NO_HALVES.match(raw, place, place + WINDOW)
        end = found.end() if found else place
        half = HALF_SURROGATE.match(raw, end) if end == place else None
        if half:
            halves += 1
            whole += REPLACEMENT.encode()
            place = half.end()
        else:
            end = max(end, place + 1)
            whole += raw[place:end]
            place = end
    return bytes(whole) if halves else raw


def _tokens(raw: bytes) -> Iterator[tuple[int, int, int]]:
    """The places of strings, brackets and commas, and the depth after each.

    Until a bracket closes nothing, where every parser ends.
    """
    place = depth = 0
    while place < len(raw) and depth >= 0:
        found = JSON_SIGN.search(raw, place, place + WINDOW)
        if found is None:
            place += WINDOW
            continue
        start, place = found.span()
        if raw[start] == QUOTE:
            place = _end_of_string(raw, place)
        depth += (raw[start] in OPENING) - (raw[start] in CLOSING)
        yield start, place, depth


def _end_of_string(raw: bytes, place: int) -> int:
    while raw[place : place + 1] != b'"':
        found = IN_STRING.match(raw, place, place + WINDOW)
        if found is None or found.end() == place:
            return len(raw)  # its end is missing
        place = found.end()
    return place + 1


def _size(text: bytes) -> int:
    """Bytes in memory, at most."""
    plain = text.isascii() and b"\\u" not in text
    return len(text) if plain else WIDEST * len(text)


def _is_finite(found: Any) -> bool:
    """JSON cannot say the infinity that 1e999 becomes."""
    if isinstance(found, dict):
        return all(map(_is_finite, found.values()))
    if isinstance(found, list):
        return all(map(_is_finite, found))
    return not isinstance(found, float) or math.isfinite(found)
