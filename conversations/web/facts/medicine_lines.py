"""A line for each medicine of a person, in place of its facts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from conversations.fact_texts import is_midnight, shown_period
from conversations.web.memory_page.entries import Entry
from memory.subjects import USER, Subject
from memory.wording.medicines import DoseFact, FormerDose, Medicine, medicines


@dataclass(frozen=True, slots=True)
class MedicineLine:
    """The newest of its facts, and the others that it tells of."""

    entry: Entry
    others: Sequence[Entry]
    medicine: Medicine

    @property
    def text(self) -> str:
        """Like "Levothyroxine 88 µg, every morning; before: 75 µg until 28 November 2026"."""
        medicine = self.medicine
        name = medicine.name[:1].upper() + medicine.name[1:]
        changed = medicine.before or medicine.unsettled
        since = medicine.since if changed or is_midnight(medicine.since) else None
        period = medicine.period or shown_period(since, medicine.until)
        parts = [f"{name} {medicine.dose}".strip(), medicine.times, period]
        told = ", ".join(filter(None, parts))
        if medicine.unsettled:
            doses = ", ".join(medicine.unsettled)
            told += "; " + _("not settled, perhaps still: %(doses)s") % {"doses": doses}
        if medicine.before:
            doses = ", ".join(map(_former, medicine.before))
            told += "; " + _("before: %(doses)s") % {"doses": doses}
        return told


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


def _former(former: FormerDose) -> str:
    if former.until is None:
        return former.dose
    texts = {"dose": former.dose, "day": _day(former.until)}
    return _("%(dose)s until %(day)s") % texts


def _day(moment: datetime) -> str:
    return date_format(localtime(moment), "j E Y")
