"""Under which heading a fact belongs, on the page of a person and on a sheet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory.judgement.judge import HEALTH_CLASSES, MARGINS, Judged, judge
from memory.subjects import Subject
from memory.wording import lexicon
from memory.wording.ahead import FactType, with_days
from memory.wording.words import plain

HEADINGS = {
    "person": _("Person"),
    "allergy": _("Allergies"),
    "condition": _("Conditions"),
    "medicine": _("Medicines"),
    "ahead": _("Ahead"),
    "operation": _("Operations"),
    "family": _("Family history"),
    "other": pgettext_lazy("facts", "Other"),
}
"""Labels, in the order in which they are shown."""
BLOOD_RELATIVES = frozenset(
    "mother father parents brother sister sibling son daughter child children "
    "grandmother grandfather aunt uncle".split()
)
CLEARLY = 0.2
"""By how much the class of a sure heading is ahead of the next one, as a score."""
BLOOD_GROUP = tuple(map(plain, lexicon.BLOOD_GROUP.split("|")))


@dataclass(frozen=True, slots=True)
class Heading:
    """`sure`: neither another heading nor none would fit as well."""

    name: str
    sure: bool = True

    @property
    def label(self) -> str:
        return str(HEADINGS[self.name])


def headings_of(facts: Sequence[FactType], now: datetime) -> list[Heading]:
    """Those of facts about the person of a page. Uses the encoder.

    `now` has the user's time zone. What was ahead is elsewhere once it is over.
    """
    dated = {id(known.fact): known.is_over(now) for known in with_days(facts, now)}
    judged = judge([fact.text for fact in facts])
    return [
        _heading(found, dated.get(id(fact)))
        for fact, found in zip(facts, judged, strict=True)
    ]


def family_history(facts: Iterable[tuple[Subject, FactType]]) -> Iterator[FactType]:
    """The conditions of the user's blood relatives. Uses the encoder."""
    of_family = [
        fact for about, fact in facts if about.relation in BLOOD_RELATIVES
    ]
    judged = judge([fact.text for fact in of_family])
    for fact, found in zip(of_family, judged, strict=True):
        if best_heading(found) == Heading("condition"):
            yield fact


def _heading(judged: Judged, is_over: bool | None) -> Heading:
    """`is_over` is None for a fact without a day to come."""
    if any(name in plain(judged.text) for name in BLOOD_GROUP):
        return Heading("person")
    best = best_heading(judged)
    if is_over is False and best.name != "medicine":
        return Heading("ahead")
    if "appointment" in judged.classes and best.name == "operation":
        return Heading("operation" if is_over else "other", sure=False)
    return best


def best_heading(judged: Judged) -> Heading:
    """The class that it exceeds the margin of most."""
    beyond = {n: judged.scores.get(n, -1.0) - MARGINS[n] for n in HEALTH_CLASSES}
    first, second = sorted(beyond, key=lambda name: -beyond[name])[:2]
    if beyond[first] <= 0:
        return Heading("other", sure=beyond[first] < -CLEARLY)
    return Heading(first, sure=beyond[first] - beyond[second] > CLEARLY)
