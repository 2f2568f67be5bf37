"""The headings under which pages and sheets show facts."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.judgement.judge import HEALTH_CLASSES, Judged, judge
from memory.wording.text_values import Day, values_of

HEADINGS = {
    "allergy": gettext_lazy("Allergies"),
    "condition": gettext_lazy("Conditions"),
    "medicine": gettext_lazy("Medicines"),
    "ahead": gettext_lazy("Appointments ahead"),
    "operation": gettext_lazy("Operations"),
    "family": gettext_lazy("Family history"),
    "other": pgettext_lazy("facts", "Other"),
}
NO_FAMILY = frozenset(
    [
        "husband",
        "wife",
        "partner",
        "girlfriend",
        "boyfriend",
        "friend",
        "boss",
        "colleague",
        "neighbour",
        "dog",
        "cat",
        "father-in-law",
        "mother-in-law",
        "brother-in-law",
        "sister-in-law",
        "stepson",
        "stepdaughter",
    ]
)
"""Relations whose illnesses are no family history."""

MAY_BE_AHEAD = frozenset({"operation", "other"})


class Told(Protocol):
    """A fact, as a page has it."""

    @property
    def text(self) -> str: ...


def heading_of(texts: Sequence[str]) -> list[str]:
    """The name of a heading for each text, by the judge. Uses the encoder."""
    return [_heading(judged) for judged in judge(texts)]


def _heading(judged: Judged) -> str:
    best = max(HEALTH_CLASSES, key=lambda name: judged.scores.get(name, 0.0))
    return best if best in judged.classes else "other"


def headings_of(facts: Sequence[Told]) -> list[str]:
    """The same with what is ahead for its own. Uses the encoder."""
    today = timezone.localdate()
    names = heading_of([fact.text for fact in facts])
    return [
        "ahead" if name in MAY_BE_AHEAD and is_ahead(fact.text, today) else name
        for fact, name in zip(facts, names, strict=True)
    ]


def is_ahead(text: str, today: date) -> bool:
    """Whether the text names a day of today or later, with its year."""
    days = (
        reading
        for value in values_of(text)
        for reading in value.readings[:1]
        if isinstance(reading, Day) and reading.year and reading.month
    )
    return any(
        (day.year, day.month, day.day or 31) >= (today.year, today.month, today.day)
        for day in days
    )
