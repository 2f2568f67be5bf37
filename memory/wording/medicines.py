"""Medicines as lines: name, dose, when, since and until, and the doses before.

They are read from the words of facts about one person. There is no table of names: what
remains of a sentence without the words of `lexicon.DOSING` is the name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import takewhile
from typing import Any
from uuid import UUID

from memory.judgement.judge import judge
from memory.subjects import USER, Subject
from memory.wording import lexicon
from memory.wording.ahead import days_to_come
from memory.wording.days import month_of, weekday_of
from memory.wording.headings import best_heading
from memory.wording.numbers import spelled_numbers, unit_of
from memory.wording.text_values import PERIODS
from memory.wording.words import (
    RELATIONS,
    STOP_WORDS,
    USER as USER_WORDS,
    folded,
    plain,
)

TOKEN = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+(?:-[^\W\d_]+)*\d*|[,;:()]|%")
DURATIONS = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
FORMS = folded(lexicon.DOSE_FORMS)
TIMES = folded(lexicon.TIMES) | {word for word in PERIODS if " " not in word}
EVERY, LINKS = folded(lexicon.EVERY), folded(lexicon.TIME_LINKS)
SINCE, UNTIL = folded(lexicon.SINCE), folded(lexicon.UNTIL)
DOSING = folded(lexicon.DOSING)
UNTOLD = folded(STOP_WORDS) | USER_WORDS | frozenset(RELATIONS)
LONGEST_ENDING = 3  # letters in which the cases of one name differ
SHORTEST_BEGINNING = 4


@dataclass(frozen=True, slots=True)
class DoseFact:
    """A fact about one person. `may_replace` is the fact about which the user is asked.

    `since` and `until` are as stated, or as follow from what replaced it.
    """

    key: UUID
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
class Intake:
    """What a sentence says of a medicine, in its words; empty for what it does not say."""

    name: str = ""
    dose: str = ""
    times: str = ""


@dataclass(frozen=True, slots=True)
class FormerDose:
    dose: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Medicine:
    """`before` are the doses that it replaced, the newest first.

    `unsettled` are older doses of which the user has not said whether they still hold.
    `keys` are those of its current facts, the newest first.
    """

    name: str
    dose: str = ""
    times: str = ""
    since: datetime | None = None
    until: datetime | None = None
    before: tuple[FormerDose, ...] = ()
    unsettled: tuple[str, ...] = ()
    keys: tuple[UUID, ...] = ()


def medicines(
    facts: Sequence[DoseFact], zone: tzinfo | None, subject: Subject = USER
) -> list[Medicine]:
    """The medicines of one person, the newest first. Uses the encoder."""
    judged = judge([fact.text for fact in facts])
    told = [
        (fact, intake_of(fact.text, subject))
        for fact, found in zip(facts, judged, strict=True)
        if best_heading(found).name == "medicine"
    ]
    told.sort(key=lambda pair: pair[0].begins_at, reverse=True)
    left = {fact.key: (fact, intake) for fact, intake in told}
    found = []
    for fact, intake in told:
        if fact.key not in left or not fact.current:
            continue
        group = [pair for pair in left.values() if _is_of(pair, (fact, intake))]
        medicine, used = _medicine(group, zone)
        found.append(medicine)
        left = {key: pair for key, pair in left.items() if key not in used}
    return found


Told = tuple[DoseFact, Intake]


def _is_of(other: Told, newest: Told) -> bool:
    """Whether both speak of one medicine; one without a name of what it may replace."""
    linked = other[0].key == newest[0].may_replace
    return other[0] == newest[0] or linked or same_medicine(other[1].name, newest[1].name)


def _medicine(group: Sequence[Told], zone: tzinfo | None) -> tuple[Medicine, set[UUID]]:
    """The medicine of the newest current fact, and the facts that are told with it."""
    current = [pair for pair in group if pair[0].current]
    (newest, said), *others = current
    doubted, further, same = [], [], [newest]
    following = newest.may_replace
    for fact, intake in others:
        if fact.key == following:
            doubted.append((fact, intake))
            following = fact.may_replace
        elif _says_no_other(intake, said):
            same.append(fact)
            said = Intake(said.name, said.dose or intake.dose, said.times or intake.times)
        else:
            further.append(fact)
    former = [] if further else [pair for pair in group if not pair[0].current]
    if further:  # several at once: each has the former ones that end before it
        former = [p for p in group if not p[0].current and p[0].until == newest.begins_at]
    oldest = min(same, key=lambda fact: fact.begins_at)
    names = [said.name, *(intake.name for _, intake in group)]
    medicine = Medicine(
        next(filter(None, names), ""),
        said.dose,
        said.times,
        oldest.begins_at,
        newest.until or _stated_end(newest, zone),
        tuple(_former_doses(former, said.dose)),
        tuple(intake.dose or fact.text for fact, intake in doubted),
        tuple(fact.key for fact in [*same, *(fact for fact, _ in doubted)]),
    )
    return medicine, {*medicine.keys, *(fact.key for fact, _ in former)}


def _says_no_other(intake: Intake, said: Intake) -> bool:
    """Whether it has no dose and time but those that are said."""
    pairs = ((intake.dose, said.dose), (intake.times, said.times))
    return all(not one or not other or plain(one) == plain(other) for one, other in pairs)


def _former_doses(former: Sequence[Told], dose: str) -> Iterator[FormerDose]:
    known = {plain(dose)}
    for fact, intake in former:
        if intake.dose and plain(intake.dose) not in known:
            known.add(plain(intake.dose))
            yield FormerDose(intake.dose, fact.until)


def _stated_end(fact: DoseFact, zone: tzinfo | None) -> datetime | None:
    """The moment after the last day of "until Friday"."""
    if UNTIL.isdisjoint(plain(fact.text).replace("'", " ").split()):
        return None
    span = days_to_come(fact.text, fact.stated_at.astimezone(zone).date())
    if span is None:
        return None
    return datetime.combine(span.last + timedelta(days=1), time(), zone)


def same_medicine(one: str, other: str) -> bool:
    """Whether two names may be cases of one, or one is the shorter name of the other."""
    ours, theirs = plain(one).split(), plain(other).split()
    if not (ours and theirs):
        return False
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours
    return all(any(_same_word(our, their) for their in theirs) for our in ours)


def changes_dose(new: str, old: str) -> bool:
    """Whether both texts give a dose of one medicine, and another one."""
    ours, theirs = intake_of(new), intake_of(old)
    doses = plain(ours.dose), plain(theirs.dose)
    return (
        all(doses)
        and doses[0] != doses[1]
        and same_medicine(ours.name, theirs.name)
        and not (ours.times and theirs.times and plain(ours.times) != plain(theirs.times))
    )


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    pairs = zip(one, other, strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    ending = max(len(one), len(other)) - shared
    return shared >= SHORTEST_BEGINNING and ending <= LONGEST_ENDING


@lru_cache(maxsize=4000)
def intake_of(text: str, subject: Subject = USER) -> Intake:
    """What a text about a medicine says of it."""
    return _Sentence(text, subject).intake


class _Sentence:
    """The words of a text, and which of them are numbers, units and times."""

    def __init__(self, text: str, subject: Subject) -> None:
        self.text = text
        self.found = list(TOKEN.finditer(text))
        self.words = [plain(found[0]) for found in self.found]
        self.called = set(plain(subject.name).split())
        self.numbers = {
            place
            for spelled in spelled_numbers(self.words)
            for place in range(spelled.first, spelled.after)
        } | {place for place, word in enumerate(self.words) if word[0].isdigit()}

    @property
    def intake(self) -> Intake:
        dose = self._dose()
        times = self._times(dose)
        name = self._name(dose, times)
        if not dose and name:
            dose = self._bare_dose(name, times)
        return Intake(*map(self._slice, (name, dose, times)))

    def _slice(self, places: range) -> str:
        if not places:
            return ""
        begin, end = self.found[places[0]].start(), self.found[places[-1]].end()
        return self.text[begin:end]

    def _dose(self) -> range:
        """The last number with a unit of a dose, or with a form such as "tablets"."""
        found = range(0)
        for place in sorted(self.numbers):
            after = place + 1
            if after < len(self.words) and self._is_unit(after):
                first = place
                while first - 1 in self.numbers:
                    first -= 1
                found = found or range(first, after + 1)
                if unit_of(self.words[after]):
                    return range(first, after + 1)
        return found

    def _is_unit(self, place: int) -> bool:
        unit = unit_of(self.words[place])
        return (unit and unit not in DURATIONS) or self.words[place] in FORMS

    def _times(self, dose: range) -> range:
        """The first words of a time that is repeated, not of a day that is named."""
        place = 0
        while place < len(self.words):
            run = self._run(place, dose)
            if run and self._is_time(run):
                return run
            place = max(place + 1, run.stop if run else 0)
        return range(0)

    def _run(self, place: int, dose: range) -> range:
        end = place
        while end < len(self.words) and end not in dose and self._may_be_time(end):
            end += 1
        return range(place, end)

    def _may_be_time(self, place: int) -> bool:
        word = self.words[place]
        known = word in TIMES or word in LINKS or word in EVERY or place in self.numbers
        return known or weekday_of(word) is not None

    def _is_time(self, run: range) -> bool:
        words = [self.words[place] for place in run]
        before = self.words[run.start - 1] if run.start else ""
        if before in SINCE or not SINCE.isdisjoint(words):
            return False
        every = not EVERY.isdisjoint(words)
        return any(
            word in TIMES or (every and weekday_of(word) is not None) for word in words
        )

    def _name(self, dose: range, times: range) -> range:
        """The words that say nothing else; those next to the dose, else the first."""
        runs: list[range] = []
        for place in range(len(self.words)):
            if place in dose or place in times or not self._may_be_name(place):
                continue
            if runs and runs[-1].stop == place:
                runs[-1] = range(runs[-1].start, place + 1)
            elif len(self.words[place]) > 1:
                runs.append(range(place, place + 1))
        if not runs:
            return range(0)
        if not dose:
            return runs[0]

        def distance(run: range) -> int:
            return max(dose.start - run.stop, run.start - dose.stop)

        return min(runs, key=distance)

    def _may_be_name(self, place: int) -> bool:
        word = self.words[place]
        if len(word) == 1:  # "vitamin D"
            return self.found[place][0].isupper() and place > 0
        known = word in UNTOLD or word in DOSING or word in self.called
        time_ = word in TIMES or word in SINCE or word in EVERY or word in LINKS
        day = weekday_of(word) is not None or month_of(word) is not None
        return not (
            known or time_ or day or place in self.numbers or self._is_unit(place)
        ) and word[0].isalpha()

    def _bare_dose(self, name: range, times: range) -> range:
        """A number after the name: "Euthyrox 75"."""
        place: Any = name.stop
        fits = place in self.numbers and place not in times
        return range(place, place + 1) if fits and self.words[place][0].isdigit() else range(0)
