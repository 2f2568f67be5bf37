"""The months, years and days that a message names, to be held against the day on which
something was said. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from memory.languages import MONTHS

Unit = Literal["year", "month", "day"]

NOT_ALWAYS_MONTHS = re.compile(r"(?<=[\w,] )(?:May|March)\b")
"""May and march are also other words, unless written large inside a sentence."""


@dataclass(frozen=True, slots=True)
class DatePart:
    """A piece of a date."""

    unit: Unit
    number: int


def _month(token: str) -> int | None:
    for number, pattern in enumerate(MONTHS, 1):
        if pattern.fullmatch(token):
            return number
    return None


def date_parts(text: str, tokens: list[str]) -> dict[str, DatePart]:
    """Which of the message's tokens are pieces of a date. A number is a day only where
    a month is named."""
    sure = {word.lower() for word in NOT_ALWAYS_MONTHS.findall(text)}
    parts: dict[str, DatePart] = {}
    for token in tokens:
        month = _month(token)
        if month and (token not in {"may", "march"} or token in sure):
            parts[token] = DatePart("month", month)
        elif token.isdecimal() and len(token) == 4 and token[:2] in {"19", "20"}:
            parts[token] = DatePart("year", int(token))
    if any(part.unit == "month" for part in parts.values()):
        for token in tokens:
            if token.isdecimal() and len(token) < 3 and 1 <= int(token) <= 31:
                parts[token] = DatePart("day", int(token))
    return parts
