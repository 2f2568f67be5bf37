"""Measured values of sentences that were written before the rule; half kept apart."""

from pathlib import Path

import pytest

from memory.wording.measures import measures_of

HERE = Path(__file__).parent
NAMES = {"kilogram": "kg", "pound": "lb", "stone": "st", "percent": "%"}


def sentences(name):
    for line in (HERE / f"{name}.txt").read_text().splitlines():
        if not line.startswith("#"):
            text, _bar, wanted = line.partition(" |")
            yield text, [part.strip() for part in wanted.split(";") if part.strip()]


def told(measure):
    number, unit = measure.amount
    value = f"{number:.6g}" + (f"/{measure.lower:g}" if measure.lower else "")
    return f"{measure.kind} {value} {NAMES.get(unit, unit)}"


@pytest.mark.parametrize(("name", "least"), [("measures", 61), ("measures_apart", 50)])
def test_measured_values_of_sentences_are_read(name, least):
    rows = [
        (text, wanted, list(map(told, measures_of(text))))
        for text, wanted in sentences(name)
    ]
    misses = [row for row in rows if row[1] != row[2]]
    assert len(rows) - len(misses) >= least, misses
    # What is told of no measurement never becomes one.
    assert not [row for row in misses if not row[1]]
