"""Medicines of sequences of facts that were written before the rule; half kept apart."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from memory.wording.medicines import DoseFact, medicines

HERE = Path(__file__).parent
BEGIN = datetime(2026, 11, 1, 12, tzinfo=UTC)


def sequences(name):
    """Facts (`-` replaced, `+` current, `?` asked about the one before) and their lines."""
    for block in (HERE / f"{name}.txt").read_text().strip().split("\n\n"):
        lines = [line.split(" ", 1) for line in block.splitlines()]
        facts = []
        for number, (mark, *text) in enumerate(lines):
            if mark != "=":
                facts.append(_fact(number, mark, text[0], facts))
        wanted = [text[0] for mark, *text in lines if mark == "=" and text]
        yield block, facts, [_cells(line) for line in wanted]


def _fact(number, mark, text, facts):
    at = BEGIN + timedelta(days=number)
    return DoseFact(
        uuid4(),
        text.partition(": ")[2] or text,
        at,
        until=at + timedelta(days=1) if mark == "-" else None,
        current=mark != "-",
        may_replace=facts[-1].key if mark == "?" else None,
    )


def _cells(line):
    cells = [cell.strip() for cell in line.split("|")]
    return tuple([*cells, "", ""][:5])


def read(facts):
    return [
        (
            found.name,
            found.dose,
            found.times,
            ", ".join(former.dose for former in found.before),
            ", ".join(found.unsettled),
        )
        for found in medicines(facts, UTC)
    ]


@pytest.mark.parametrize(
    ("name", "least"), [("medicines", 20), ("medicines_apart", 17)]
)
def test_a_medicine_is_one_line(name, least):
    rows = [(block, read(facts), wanted) for block, facts, wanted in sequences(name)]
    misses = [(block, found) for block, found, wanted in rows if found != wanted]
    assert len(rows) - len(misses) >= least, misses
