"""The headings under which pages and sheets show facts."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.judgement.judge import judge
from memory.subjects import NAMED
from memory.wording import headings
from memory.wording.ahead import DatedText

HEADINGS = {
    "person": gettext_lazy("Person"),
    "allergy": gettext_lazy("Allergies"),
    "condition": gettext_lazy("Conditions"),
    "medicine": gettext_lazy("Medicines"),
    "ahead": gettext_lazy("Appointments ahead"),
    "operation": gettext_lazy("Operations"),
    "measured": gettext_lazy("Measurements"),
    "family": gettext_lazy("Family history"),
    "other": pgettext_lazy("facts", "Other"),
}
NO_FAMILY = NAMED - headings.BLOOD_RELATIVES
"""Relations whose illnesses are no family history."""


def heading_of(texts: Sequence[str]) -> list[str]:
    """The name of a heading for each text, by the judge. Uses the encoder."""
    return [headings.best_heading(judged).name for judged in judge(texts)]


def headings_of(facts: Sequence[DatedText]) -> list[str]:
    """The same with what is ahead for its own. Uses the encoder."""
    return [
        found.name for found in headings.judged_headings(facts, timezone.localtime())
    ]
