"""A line for each medicine of a person, in place of its facts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils import timezone

from conversations.fact_texts import medicine_text
from conversations.web.memory_page.entries import Entry
from memory.subjects import USER, Subject
from memory.wording.medicines import DoseFact, Medicine, medicines


@dataclass(frozen=True, slots=True)
class MedicineLine:
    """The newest of its facts, and the others that it tells of."""

    entry: Entry
    others: Sequence[Entry]
    medicine: Medicine

    @property
    def text(self) -> str:
        return medicine_text(self.medicine)


def medicine_lines(
    entries: Iterable[Entry], subject: Subject = USER
) -> list[MedicineLine]:
    """Of entries about one person with their history. Uses the encoder."""
    by_key = {entry.key: entry for entry in entries}
    facts = [fact for entry in by_key.values() for fact in _dose_facts(entry)]
    zone = timezone.get_current_timezone()
    found = []
    for medicine in medicines(facts, zone, subject):
        first, *others = [by_key[key] for key in medicine.keys if key in by_key]
        if medicine.name:
            found.append(MedicineLine(first, others, medicine))
    return found


def join_medicines(entries: Sequence[Entry], subject: Subject) -> list[Entry]:
    """The newest entry of each medicine, with its line and the others; then the rest."""
    lines = medicine_lines(entries, subject)
    for line in lines:
        line.entry.line, line.entry.others = line.text, line.others
    told = {entry.key for line in lines for entry in (line.entry, *line.others)}
    rest = [entry for entry in entries if entry.key not in told]
    return [*(line.entry for line in lines), *rest]


def _dose_facts(entry: Entry) -> Iterator[DoseFact]:
    yield DoseFact(
        entry.key,
        entry.text,
        entry.stated_at,
        entry.valid_from,
        entry.valid_until,
        may_replace=entry.may_replace,
    )
    for version in entry.before:
        yield DoseFact(
            None,
            version.text,
            version.since,
            version.since,
            version.until,
            current=False,
        )
