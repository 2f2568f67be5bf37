"""Lines over time of what a user told of measured values of a person, also before."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from conversations.fact_texts import is_midnight
from conversations.web.facts.about import Subjects
from conversations.web.memory_page.entries import reachable_messages, shown_said
from memory.models import Memory, MemoryUpdate
from memory.reasons import Reason
from memory.wording.lab_units import converted
from memory.wording.measured import (
    PRESSURE,
    WEIGHT,
    Measure,
    SaidDay,
    measured_day,
    measures_of,
)
from people.models import User
from people.scope import Scope

LEAST_POINTS = 3
MOST_FACTS = 2000  # the newest, in which values are looked for
WIDTH, HEIGHT, MARGIN = 320, 80, 6  # of the picture
NAMES = {
    WEIGHT: gettext_lazy("Weight"),
    PRESSURE: gettext_lazy("Blood pressure"),
    "glucose": gettext_lazy("Blood sugar"),
    "hba1c": "HbA1c",
    "ldl": gettext_lazy("LDL cholesterol"),
    "hdl": gettext_lazy("HDL cholesterol"),
    "cholesterol": gettext_lazy("Cholesterol"),
    "triglycerides": gettext_lazy("Triglycerides"),
    "ferritin": gettext_lazy("Ferritin"),
    "iron": pgettext_lazy("laboratory", "Iron"),
    "hemoglobin": gettext_lazy("Haemoglobin"),
    "tsh": "TSH",
    "ft4": "fT4",
    "ft3": "fT3",
    "vitamin_d": gettext_lazy("Vitamin D"),
    "vitamin_b12": gettext_lazy("Vitamin B12"),
    "creatinine": gettext_lazy("Creatinine"),
    "gfr": "eGFR",
    "urea": gettext_lazy("Urea"),
    "uric_acid": gettext_lazy("Uric acid"),
    "crp": "CRP",
    "potassium": gettext_lazy("Potassium"),
    "sodium": gettext_lazy("Sodium"),
    "calcium": gettext_lazy("Calcium"),
    "magnesium": gettext_lazy("Magnesium"),
    "bilirubin": gettext_lazy("Bilirubin"),
    "alt": "ALT",
    "ast": "AST",
    "ggt": "GGT",
    "psa": "PSA",
}
UNITS = {"kilogram": "kg", "gram": "g", "pound": "lb", "stone": "st", "percent": "%"}


@dataclass(frozen=True, slots=True)
class Point:
    """`numbers` are those of the measure in the line's unit, `text` has its words."""

    day: SaidDay
    at: datetime
    measure: Measure
    text: str
    message_id: UUID | None
    conversation: str
    numbers: tuple[float, ...] = ()
    unit: str = ""

    @property
    def shown_day(self) -> str:
        return date_format(self.day.day, "DATE_FORMAT" if self.day.exact else "E Y")

    @property
    def value(self) -> str:
        if self.unit == "stone":
            stones, pounds = divmod(round(self.numbers[0] * 14), 14)
            return f"{stones} st {pounds} lb"
        numbers = "/".join(number_format(_shortest(n)) for n in self.numbers)
        return f"{numbers}\N{NO-BREAK SPACE}{UNITS.get(self.unit, self.unit)}"


class Dot(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class MeasureLine:
    """Points of one kind in one unit, the oldest first."""

    kind: str
    points: Sequence[Point]

    width, height = WIDTH, HEIGHT

    @property
    def name(self) -> str:
        return str(NAMES[self.kind])

    @property
    def newest(self) -> Point:
        return self.points[-1]

    @property
    def highest(self) -> str:
        return self._extreme(max)

    @property
    def lowest(self) -> str:
        return self._extreme(min)

    @property
    def told(self) -> str:
        """The picture in words."""
        count = len(self.points)
        text = ngettext("%(count)d value", "%(count)d values", count) % {"count": count}
        period = _("%(since)s to %(until)s") % {
            "since": self.points[0].shown_day,
            "until": self.newest.shown_day,
        }
        return f"{text}, {period}: {self.points[0].value}, …, {self.newest.value}"

    @cached_property
    def curves(self) -> list[list[Dot]]:
        """The dots of each number; blood pressure has two."""
        days = [point.day.day.toordinal() for point in self.points]
        numbers = [number for point in self.points for number in point.numbers]
        across = _Scale(min(days), max(days), MARGIN, WIDTH - MARGIN)
        up = _Scale(min(numbers), max(numbers), HEIGHT - MARGIN, MARGIN)
        return [
            [
                Dot(across.place(day), up.place(number))
                for day, number in zip(days, curve, strict=True)
            ]
            for curve in zip(*(point.numbers for point in self.points), strict=True)
        ]

    def _extreme(self, chosen: Any) -> str:
        numbers = [number for point in self.points for number in point.numbers]
        return replace(self.newest, numbers=(chosen(numbers),)).value


class _Scale(NamedTuple):
    least: float
    most: float
    begin: float
    end: float

    def place(self, number: float) -> float:
        """In the middle where all are the same."""
        span = self.most - self.least
        share = (number - self.least) / span if span else 0.5
        return round(self.begin + share * (self.end - self.begin), 1)


def measure_lines(
    user: User, scope: Scope, about: str, subjects: Subjects
) -> list[MeasureLine]:
    """Of the user's own facts about an About's key, in the order of `NAMES`."""
    points: dict[str, list[Point]] = defaultdict(list)
    for point in _points(user, scope, about, subjects):
        points[point.measure.kind].append(point)
    lines = (MeasureLine(kind, _in_one_unit(points[kind])) for kind in NAMES)
    return [line for line in lines if len(line.points) >= LEAST_POINTS]


def _points(
    user: User, scope: Scope, about: str, subjects: Subjects
) -> Iterator[Point]:
    told = [
        (row, measure)
        for row in _told(scope)
        if subjects.of(row.about).key == about
        for measure in measures_of(row.content, row.about)
    ]
    made = {row.pk: list(_statements(row)) for row, _measure in told}
    keys = {key for statements in made.values() for _at, key in statements}
    titles = reachable_messages(user, keys)
    for row, measure in told:
        text = shown_said(row.content, row.about)
        for at, key in made[row.pk]:
            if day := _day(row, at):
                title = titles.get(key) if key else None
                link = None if title is None else key
                yield Point(day, at, measure, text, link, title or "")


def _told(scope: Scope) -> Any:
    """Facts, and what they replaced that was true before; nothing forgotten or mistaken."""
    never_true = MemoryUpdate.FULLER | {Reason.EDITED}
    replaced = MemoryUpdate.objects.filter(old=OuterRef("pk"), new__isnull=False)
    former = Q(Exists(replaced.exclude(reason__in=never_true)))
    former &= Q(retired_reason=Memory.RetiredReason.SUPERSEDED)
    rows = Memory.objects.owned_by(scope).exclude(content="")
    rows = rows.filter(Q(active=True) | former).defer(*Memory.VECTORS)
    return rows.prefetch_related("statements").order_by("-stated_at")[:MOST_FACTS]


def _statements(row: Memory) -> Iterator[tuple[datetime, UUID | None]]:
    made: list[Any] = list(row.statements.all())
    if not made:
        yield row.stated_at, row.source_message_id
    for statement in made:
        if not statement.withdrawn:
            yield statement.stated_at, statement.message_id


def _day(row: Memory, stated_at: datetime) -> SaidDay | None:
    """That of its words, else of the fact, else on which it was stated."""
    stated = localtime(stated_at).date()
    said = measured_day(row.content, stated)
    begin = row.valid_from if is_midnight(row.valid_from) else None
    if begin and said == SaidDay(stated, exact=True):
        return SaidDay(begin.date(), exact=begin.day > 1)
    return said


def _in_one_unit(points: Iterable[Point]) -> list[Point]:
    """In that of the newest; the same value of a day once."""
    ordered = sorted(points, key=lambda point: (point.day.day, point.at))
    if not ordered:
        return []
    unit = ordered[-1].measure.amount.unit
    found: dict[Any, Point] = {}
    for point in ordered:
        numbers = _numbers(point.measure, unit)
        if numbers:
            known = replace(point, numbers=numbers, unit=unit)
            found.setdefault((point.day, numbers), known)
    return list(found.values())


def _numbers(measure: Measure, unit: str) -> tuple[float, ...]:
    number = converted(measure.amount, unit, measure.kind)
    if number is None:
        return ()
    return (number,) if measure.lower is None else (number, measure.lower)


def _shortest(number: float) -> float | int:
    return int(number) if number == int(number) else number
