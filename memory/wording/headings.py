"""Under which heading a fact belongs: a class of the judgement, or what is ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.judgement.judge import HEALTH_CLASSES, MARGINS, Judged, judge
from memory.wording import lexicon
from memory.wording.ahead import FactType, with_days
from memory.wording.measured import is_only_measured, measures_of
from memory.wording.words import plain

BLOOD_RELATIVES = frozenset(
    [
        "mother",
        "father",
        "parents",
        "brother",
        "sister",
        "sibling",
        "son",
        "daughter",
        "child",
        "children",
        "grandmother",
        "grandfather",
        "aunt",
        "uncle",
    ]
)
CLEARLY = 0.2
"""By how much the class of a sure heading is ahead of the next one, as a score."""
BLOOD_GROUP = tuple(map(plain, lexicon.BLOOD_GROUP.split("|")))


@dataclass(frozen=True, slots=True)
class Heading:
    """`sure`: neither another heading nor none would fit as well."""

    name: str
    sure: bool = True


def judged_headings(facts: Sequence[FactType], now: datetime) -> list[Heading]:
    """Those of facts about the person of a page. Uses the encoder.

    `now` has the user's time zone. What was ahead is elsewhere once it is over.
    """
    dated = {id(known.fact): known.is_over(now) for known in with_days(facts, now)}
    judged = judge([fact.text for fact in facts])
    return [
        _heading(found, is_over=dated.get(id(fact)))
        for fact, found in zip(facts, judged, strict=True)
    ]


def _heading(judged: Judged, *, is_over: bool | None) -> Heading:
    """`is_over` is None for a fact without a day to come."""
    best = best_heading(judged)
    if is_over is False and best.name not in {"medicine", "person"}:
        return Heading("ahead")
    if "appointment" in judged.classes and best.name == "operation":
        return Heading("operation" if is_over else "other", sure=False)
    return best


def best_heading(judged: Judged) -> Heading:
    """The class whose margin it exceeds most."""
    if any(name in plain(judged.text) for name in BLOOD_GROUP):
        return Heading("person")
    beyond = {n: judged.scores.get(n, -1.0) - MARGINS[n] for n in HEALTH_CLASSES}
    first, second = sorted(beyond, key=lambda name: -beyond[name])[:2]
    if first == "medicine" and is_only_measured(judged.text):
        return Heading("measured", sure=False)
    if beyond[first] < CLEARLY and measures_of(judged.text):
        return Heading("measured", sure=False)
    if beyond[first] <= 0:
        return Heading("other", sure=beyond[first] < -CLEARLY)
    return Heading(first, sure=beyond[first] - beyond[second] > CLEARLY)
