"""Medicines as lines, read from facts about one person and stored nowhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from uuid import UUID

from memory.judgement.judge import judge
from memory.subjects import USER, Subject
from memory.wording.ahead import days_to_come
from memory.wording.headings import best_heading
from memory.wording.intakes import Intake, intake_of, names_end, same_medicine
from memory.wording.words import plain


@dataclass(frozen=True, slots=True)
class DoseFact:
    """A fact about one person. `may_replace` is the fact about which the user is asked.

    A replaced one needs no key.
    """

    key: UUID | None
    text: str
    stated_at: datetime
    since: datetime | None = None
    until: datetime | None = None
    current: bool = True
    may_replace: UUID | None = None

    @property
    def begins_at(self) -> datetime:
        return self.since or self.stated_at


@dataclass(frozen=True, slots=True)
class FormerDose:
    dose: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Medicine:
    """`before` are the doses that it replaced, the newest first.

    `unsettled` are older doses of which the user has not said whether they still hold.
    `keys` are those of its current facts, the newest first. `period` has in words what
    `since` and `until` have as moments.
    """

    name: str
    dose: str = ""
    times: str = ""
    period: str = ""
    since: datetime | None = None
    until: datetime | None = None
    before: tuple[FormerDose, ...] = ()
    unsettled: tuple[str, ...] = ()
    keys: tuple[UUID | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldDose:
    fact: DoseFact
    intake: Intake


def medicines(
    facts: Sequence[DoseFact], zone: tzinfo | None, subject: Subject = USER
) -> list[Medicine]:
    """The medicines of one person, the newest first. Uses the encoder."""
    judged = judge([fact.text for fact in facts])
    left = [
        ToldDose(fact, intake_of(fact.text, subject))
        for fact, found in zip(facts, judged, strict=True)
        if best_heading(found).name == "medicine"
    ]
    left.sort(key=lambda told: (told.fact.current, told.fact.begins_at), reverse=True)
    found = []
    while left and left[0].fact.current:
        newest = left[0]
        group = [told for told in left if _is_of(told, newest)]
        medicine, used = _medicine(group, zone)
        found.append(medicine)
        left = [told for told in left if told not in used]
    return found


def names_dose(text: str, subject: Subject) -> bool:
    return bool(intake_of(text, subject).dose)


def other_dose(former: str, text: str, subject: Subject) -> str:
    """The dose of a former text if it is another one of the same medicine, else empty."""
    was, said = intake_of(former, subject), intake_of(text, subject)
    is_other = plain(was.dose) != plain(said.dose)
    return was.dose if is_other and same_medicine(was.name, said.name) else ""


def _is_of(other: ToldDose, newest: ToldDose) -> bool:
    """Whether both speak of one medicine; one without a name of what it may replace."""
    linked = other.fact.key is not None and other.fact.key == newest.fact.may_replace
    same = same_medicine(other.intake.name, newest.intake.name)
    return other == newest or linked or same


def _medicine(
    group: Sequence[ToldDose], zone: tzinfo | None
) -> tuple[Medicine, list[ToldDose]]:
    """The medicine of the newest current fact, and the facts that are told with it."""
    newest, *others = [told for told in group if told.fact.current]
    said, asked = newest.intake, newest.fact.may_replace
    doubted, same, further = [], [newest], False
    for told in others:
        if asked and told.fact.key == asked:
            doubted.append(told)
            asked = told.fact.may_replace
        elif _says_no_other(told.intake, said):
            same.append(told)
            said = _filled(said, told.intake)
        else:
            further = True
    # One that was corrected by hand has no end: it was never true.
    replaced = [told for told in group if not told.fact.current]
    former = [told for told in replaced if told.fact.until]
    if further:  # each of several doses has what ended where it began
        begun = newest.fact.begins_at
        former = [told for told in former if told.fact.until == begun]
    names = (told.intake.name for told in group)
    medicine = Medicine(
        said.name or next(filter(None, names), ""),
        said.dose,
        said.times,
        said.period,
        newest.fact.begins_at,
        newest.fact.until or _stated_end(newest.fact, zone),
        tuple(_former_doses(former, said.dose)),
        tuple(told.intake.dose or told.fact.text for told in doubted),
        tuple(told.fact.key for told in [*same, *doubted]),
    )
    return medicine, [*same, *doubted, *(former if further else replaced)]


def _says_no_other(intake: Intake, said: Intake) -> bool:
    """Whether it has no dose and time but those that are said."""
    pairs = ((intake.dose, said.dose), (intake.times, said.times))
    return all(
        not (ours and theirs) or plain(ours) == plain(theirs) for ours, theirs in pairs
    )


def _filled(said: Intake, other: Intake) -> Intake:
    dose, times = said.dose or other.dose, said.times or other.times
    return Intake(said.name, dose, times, said.period or other.period)


def _former_doses(former: Sequence[ToldDose], dose: str) -> Iterator[FormerDose]:
    known = {plain(dose)}
    for told in former:
        if told.intake.dose and plain(told.intake.dose) not in known:
            known.add(plain(told.intake.dose))
            yield FormerDose(told.intake.dose, told.fact.until)


def _stated_end(fact: DoseFact, zone: tzinfo | None) -> datetime | None:
    """The moment after the last day of "until Friday"."""
    if not names_end(fact.text):
        return None
    span = days_to_come(fact.text, fact.stated_at.astimezone(zone).date())
    if span is None:
        return None
    return datetime.combine(span.last + timedelta(days=1), time(), zone)
