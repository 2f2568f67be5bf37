"""A fact may write the values of its message in another form, and no other values."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from memory.wording.evidence import Quote, refusal_of

ROWS = Path(__file__).with_name("values.txt")
APART = "# kept apart"
STATED_AT = datetime(2026, 11, 27, 10, tzinfo=ZoneInfo("Europe/Warsaw"))


def read_rows():
    """Messages and facts, whether both have the same values, and whether seen."""
    seen = True
    for line in ROWS.read_text().splitlines():
        seen = seen and line != APART
        if not line.startswith("#"):
            _, message, fact, same = line.split("|")
            yield message, fact, same == "same", seen


def refused(message, fact):
    return refusal_of(fact, message, Quote(message), stated_at=STATED_AT)


def figures(rows):
    """True pairs kept, and false pairs refused."""
    rows = list(rows)
    kept = [not refused(m, f) for m, f, same, _ in rows if same]
    stopped = [bool(refused(m, f)) for m, f, same, _ in rows if not same]
    return f"{sum(kept)} of {len(kept)} kept, {sum(stopped)} of {len(stopped)} refused"
