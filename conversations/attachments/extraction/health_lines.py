"""Lines of a health record, and whose it is.

Allergies, medicines, conditions, results and immunisations; nothing else of it is kept.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import Any

from conversations.attachments.extraction import Unreadable

ALLERGY, MEDICINE, CONDITION = "allergy", "medicine", "condition"
RESULT, IMMUNISATION = "result", "immunisation"
MOST_LINES = 500  # those that are no results, then the newest
LONGEST_VALUE = 200  # characters
# SNOMED's kinds of concepts, which no person says.
CONCEPT_KIND = re.compile(
    r" \((disorder|finding|situation|substance|product|procedure|organism|"
    r"physical object|medicinal product|clinical drug)\)$"
)
# UCUM's units, as people write them.
UNITS = {
    "mm[Hg]": "mmHg",
    "Cel": "°C",
    "[degF]": "°F",
    "[lb_av]": "lb",
    "[in_i]": "in",
    "1": "",
    "{score}": "",
}
UPPER, LOWER = "8480-6", "8462-4"  # LOINC's codes of blood pressure
NONE_KNOWN = {"716186003", "409137002", "428607008", "428197003", "160244002"}


@dataclass(frozen=True, slots=True)
class HealthLine:
    """`day` and `until` are as told, as in "2024-03"; `note` is a reaction or a dose.

    `code` is that of LOINC and `moment` the time of a result, by which pairs are found.
    """

    kind: str
    name: str
    value: str = ""
    unit: str = ""
    day: str = ""
    until: str = ""
    over: bool = False
    note: str = ""
    code: str = ""
    moment: str = ""


@dataclass(slots=True)
class Record:
    """`person` is whose record it is, `left` counts what is not read, by its kind."""

    known: bool = False
    person: str = ""
    born: str = ""
    lines: list[HealthLine] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)

    def told(self) -> dict[str, Any]:
        """Each line once, no more than are kept."""
        each = dict.fromkeys(_with_pressure(self.lines))
        lines = sorted(each, key=attrgetter("day"), reverse=True)
        lines.sort(key=lambda line: line.kind == RESULT)
        left = self.left + Counter(older=max(len(lines) - MOST_LINES, 0))
        told = [asdict(line) for line in lines[:MOST_LINES]]
        return {"known": self.known, "person": self.person, "born": self.born} | {
            "lines": told,
            "left": left,
        }

    def add(self, line: HealthLine | None) -> None:
        if line is None or not line.name:
            self.left["other"] += 1
            return
        texts = (line.name, line.value, line.note)
        name, value, note = (" ".join(text.split())[:LONGEST_VALUE] for text in texts)
        unit = UNITS.get(line.unit, line.unit)[:LONGEST_VALUE]
        line = replace(line, name=name, value=value, unit=unit, note=note)
        self.lines.append(line)

    def is_of(self, person: str, born: str) -> None:
        """Raises Unreadable where there are several people."""
        named = (person[:LONGEST_VALUE], born[:LONGEST_VALUE])
        if self.person and person and (self.person, self.born) != named:
            raise Unreadable("several_people")
        self.person = (person or self.person)[:LONGEST_VALUE]
        self.known, self.born = True, born[:LONGEST_VALUE]


def _with_pressure(lines: list[HealthLine]) -> Iterator[HealthLine]:
    """Both values of a blood pressure in one line."""
    upper, lower = (
        {line.moment: line for line in lines if line.code == code and line.moment}
        for code in (UPPER, LOWER)
    )
    both = upper.keys() & lower.keys()
    for line in lines:
        if line.moment not in both or line.code not in {UPPER, LOWER}:
            yield replace(line, code="", moment="")
        elif line is upper[line.moment]:
            value = f"{line.value}/{lower[line.moment].value}"
            yield HealthLine(RESULT, "Blood pressure", value, "mmHg", line.day)
