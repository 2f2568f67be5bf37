"""What is ahead, on sentences that were written before the rule; half kept apart."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.wording.ahead import ahead

HERE = Path(__file__).parent
STATED = datetime(2026, 11, 28, 12, tzinfo=UTC)  # a Saturday


@dataclass(frozen=True)
class Fact:
    text: str
    stated_at: datetime = STATED


def days(*texts, now=STATED):
    return [found.day.isoformat() for found in ahead(map(Fact, texts), now)]


@pytest.mark.parametrize(("name", "least"), [("ahead", 42), ("ahead_apart", 26)])
def test_day_to_come_of_an_appointment_is_read(name, least):
    lines = (HERE / f"{name}.txt").read_text().splitlines()
    pairs = [line.split(" ", 1) for line in lines]
    misses = [
        (day, text, days(text))
        for day, text in pairs
        if days(text) != ([] if day == "-" else [day])
    ]
    assert len(pairs) - len(misses) >= least, misses
