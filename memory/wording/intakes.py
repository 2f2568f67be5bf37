"""What a sentence says of a medicine.

Without a table of names: the name is what remains without the words of `lexicon.DOSING`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from memory.subjects import USER, Subject
from memory.wording import lexicon
from memory.wording.days import SEASONS, month_of, weekday_of
from memory.wording.numbers import spelled_numbers, unit_of
from memory.wording.text_values import PERIODS
from memory.wording.words import RELATIONS, STOP_WORDS, folded, plain
from memory.wording.words import USER as USER_WORDS

TOKEN = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+(?:-[^\W\d_]+)*\d*|[,;:()]|%")
DURATIONS = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
FORMS = folded(lexicon.DOSE_FORMS)
TIMES = folded(lexicon.TIMES) | {word for word in PERIODS if " " not in word}
EVERY, LINKS = folded(lexicon.EVERY), folded(lexicon.TIME_LINKS)
SINCE, UNTIL = folded(lexicon.SINCE), folded(lexicon.UNTIL)
NEAR_DAYS = folded(lexicon.NEAR_DAYS)
UNNAMED = (
    folded(lexicon.DOSING)
    | folded(STOP_WORDS)
    | USER_WORDS
    | frozenset(RELATIONS)
    | TIMES
    | EVERY
    | LINKS
    | SINCE
    | NEAR_DAYS
)
"""Words that are no name of a medicine."""
LONGEST_ENDING = 3  # letters in which the cases of one name differ
SHORTEST_BEGINNING = 4


@dataclass(frozen=True, slots=True)
class Intake:
    """What a sentence says of a medicine, in its words; empty for what it does not say.

    `period` is as in "since last spring".
    """

    name: str = ""
    dose: str = ""
    times: str = ""
    period: str = ""


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
        and not (
            ours.times and theirs.times and plain(ours.times) != plain(theirs.times)
        )
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


def names_end(text: str) -> bool:
    return not UNTIL.isdisjoint(TOKEN.findall(plain(text)))


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
        return Intake(*map(self._slice, (name, dose, times, self._period(dose))))

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
        digits = self.words[place].isdecimal() and place + 1 < len(self.words)
        if digits and self.words[place + 1] in TIMES:  # "75 rano"
            return range(0)
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
        if before in SINCE | NEAR_DAYS or not NEAR_DAYS.isdisjoint(words):
            return False
        every = not EVERY.isdisjoint(words)
        return any(
            word in TIMES or (every and weekday_of(word) is not None) for word in words
        )

    def _period(self, dose: range) -> range:
        """From "since" or "until" to the end of the clause, if a day is named there."""
        for place, word in enumerate(self.words):
            if word not in SINCE or place in dose or place + 1 in dose:
                continue
            after = range(place + 1, len(self.words))
            end = next((n for n in after if self.words[n] in ",;:()"), len(self.words))
            if any(map(self._is_day, range(place + 1, end))):
                return range(place, end)
        return range(0)

    def _is_day(self, place: int) -> bool:
        word = self.words[place]
        named = weekday_of(word) is not None or month_of(word) is not None
        return named or word in NEAR_DAYS or word in SEASONS or word.isdecimal()

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
        if not word[0].isalpha() or word in UNNAMED or word in self.called:
            return False
        day = weekday_of(word) is not None or month_of(word) is not None
        return not (day or place in self.numbers or self._is_unit(place))

    def _bare_dose(self, name: range, times: range) -> range:
        """A number after the name: "Euthyrox 75"."""
        place = name.stop
        fits = place in self.numbers and place not in times
        return (
            range(place, place + 1)
            if fits and self.words[place][0].isdigit()
            else range(0)
        )
