"""Months, years and days that a message names."""

import re
from dataclasses import dataclass
from typing import Literal

from memory.measures import month_of

Unit = Literal["year", "month", "day"]

AMBIGUOUS_MONTHS = {"may", "march"}
# Words such as "may" are months if they have a capital inside a sentence.
NAMED_MONTHS = re.compile(
    rf"(?<=[\w,] )(?:{'|'.join(word.title() for word in AMBIGUOUS_MONTHS)})\b"
)


@dataclass(frozen=True, slots=True)
class DatePart:
    """A year, a month of any year, or a day of any month."""

    unit: Unit
    number: int


def date_parts(text: str, tokens: list[str]) -> dict[str, DatePart]:
    """Tokens that name parts of a date; days only beside a month."""
    named = {word.lower() for word in NAMED_MONTHS.findall(text)}
    parts: dict[str, DatePart] = {}
    for token in tokens:
        month = month_of(token)
        if month and (token not in AMBIGUOUS_MONTHS or token in named):
            parts[token] = DatePart("month", month)
        elif token.isdecimal() and len(token) == 4 and token[:2] in {"19", "20"}:
            parts[token] = DatePart("year", int(token))
    if any(part.unit == "month" for part in parts.values()):
        for token in tokens:
            if token.isdecimal() and len(token) < 3 and 1 <= int(token) <= 31:
                parts[token] = DatePart("day", int(token))
    return parts
