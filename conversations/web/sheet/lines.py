"""The lines that may go on a sheet: facts and lines of notes, each with day and source.

A sheet is kept as the keys of its lines and is read again each time, so that a forgotten
fact leaves it and a corrected one reads as corrected. A line of notes has a digest of
its words as its key: changed by hand it is another line, which was not ticked.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from uuid import UUID

from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from conversations.web.facts.about import OF_USER, Subjects
from conversations.web.facts.headings import HEADINGS
from conversations.web.facts.medicine_lines import medicine_lines
from conversations.web.memory_page.entries import Entry, add_history
from conversations.web.memory_page.fact_page import own_entries
from memory.judgement.judge import judge
from memory.models import Memory, MemoryUpdate, ProfileFact
from memory.subjects import USER
from memory.wording.headings import (
    BLOOD_RELATIVES,
    Heading,
    best_heading,
    judged_headings,
)
from memory.wording.subject_labels import in_third_person, names
from people.models import Person, Space, User
from people.person_text import markdown_lines
from people.scope import Scope, retraction_scope

HEADINGS_OF_NOTES = {
    "medications": "medicine",
    "supplements": "medicine",
    "health_notes": "",
}
OTHER = Heading("other", sure=False)
MOST_LINES = 500  # to choose from
MOST_CHANGES = 50  # the newest, in which the days of lines are looked up
MOST_CORRECTIONS = 20  # corrections of one fact that are followed


@dataclass(frozen=True, slots=True)
class SheetLine:
    """`heading` is None where the judge decides."""

    key: str
    text: str
    day: datetime
    source: str
    heading: Heading | None = None

    @property
    def told(self) -> str:
        """Its day and source."""
        return f"{date_format(localtime(self.day), 'DATE_FORMAT')}, {self.source}"


@dataclass(frozen=True, slots=True)
class SheetGroup:
    name: str
    lines: list[SheetLine] = field(default_factory=list)

    @property
    def heading(self) -> str:
        return str(HEADINGS[self.name])


def read_lines(user: User, space: Space, person: Person | None) -> dict[str, SheetLine]:
    """All that a member may put on a sheet about a person, by key."""
    notes = [*_details(person), *_notes(person)] if person else []
    return {line.key: line for line in (*notes, *_facts(user, space, person))}


def group_lines(lines: Iterable[SheetLine]) -> list[SheetGroup]:
    """The first MOST_LINES under their headings. Uses the encoder."""
    lines = list(islice(lines, MOST_LINES))
    groups = {name: SheetGroup(name) for name in HEADINGS}
    judged = judge([line.text for line in lines])
    for line, found in zip(lines, judged, strict=True):
        heading = line.heading or best_heading(found)
        groups[heading.name].lines.append(replace(line, heading=heading))
    return [group for group in groups.values() if group.lines]


def chosen_lines(
    user: User, space: Space, person: Person | None, items: Mapping[str, str]
) -> list[SheetGroup]:
    """Ticked lines as they read now. `items` are keys and the names of headings."""
    lines = read_lines(user, space, person)
    scope = retraction_scope(user.pk, space.pk)
    now = _corrected(scope, {key for key in items if key not in lines})
    ticked = {now.get(key, key): name for key, name in items.items()}
    groups = {name: SheetGroup(name) for name in HEADINGS}
    for key, line in lines.items():  # in whose order they were offered
        if (name := ticked.get(key)) in groups:
            groups[name].lines.append(line)
    return [group for group in groups.values() if group.lines]


def _details(person: Person) -> Iterator[SheetLine]:
    born = person.date_of_birth
    details = {
        _("Name"): person.name,
        _("Date of birth"): date_format(born, "DATE_FORMAT") if born else "",
        _("Sex"): person.get_sex_display() if person.sex else "",
        _("Height"): f"{floatformat(person.height_cm)} cm" if person.height_cm else "",
        _("Weight"): f"{floatformat(person.weight_kg)} kg" if person.weight_kg else "",
    }
    names = ("name", "date_of_birth", "sex", "height_cm", "weight_kg")
    for name, (label, value) in zip(names, details.items(), strict=True):
        if value:
            text, at = f"{label}: {value}", person.updated_at
            yield SheetLine(name, text, at, _("from the notes"), Heading("person"))


def _notes(person: Person) -> Iterator[SheetLine]:
    changes = person.profile_updates.select_related("author").order_by("-created_at")
    added = {
        (change.field, line): change
        for change in reversed(changes[:MOST_CHANGES])
        for line in change.lines_added()
    }
    for notes, heading in HEADINGS_OF_NOTES.items():
        for text, written, former in markdown_lines(getattr(person, notes)):
            change = added.get((notes, written))
            day = change.created_at if change else person.updated_at
            author = change.author if change else None
            source = _("from the notes")
            if author:
                source = _("noted by %(name)s") % {"name": author.get_short_name()}
            key = f"{notes}-{sha256(text.encode()).hexdigest()[:16]}"
            name = "other" if former else heading
            yield SheetLine(key, text, day, source, Heading(name) if name else None)


def _facts(user: User, space: Space, person: Person | None) -> Iterator[SheetLine]:
    """The user's own about the person where members are shown their memory. The user's
    have the conditions of blood relatives. Those that concern safety first, then the
    newest; the headings of the first are judged. Uses the encoder.
    """
    if not space.memory_page:
        return
    scope = retraction_scope(user.pk, space.pk)
    subjects = Subjects.in_scope(scope)
    whose = OF_USER
    if person and person.user_id != user.pk:
        whose = str(person.pk)
    entries = [*own_entries(user, scope)]
    entries.sort(key=lambda entry: (entry.safety, entry.stated_at), reverse=True)
    own = [entry for entry in entries if subjects.of(entry.about).key == whose]
    judged = judged_headings(own[:MOST_LINES], timezone.localtime())
    headings = dict(zip((entry.key for entry in own), judged, strict=False))
    yield from _with_medicines(user, scope, own, headings)
    if whose == OF_USER:
        yield from _of_family(entries)


def _with_medicines(
    user: User, scope: Scope, own: Sequence[Entry], headings: Mapping[UUID, Heading]
) -> Iterator[SheetLine]:
    """A line for each fact, but one for all facts of a medicine."""
    of_medicines = [e for e in own if headings.get(e.key, OTHER).name == "medicine"]
    add_history(user, scope, of_medicines)
    lines = medicine_lines(of_medicines, own[0].about if own else USER)
    by_key = {line.entry.key: line for line in lines}
    told = {entry.key for line in lines for entry in line.others}
    for entry in own:
        if line := by_key.get(entry.key):
            yield replace(_of_fact(entry, headings[entry.key]), text=line.text)
        elif entry.key not in told:
            yield _of_fact(entry, headings.get(entry.key, OTHER))


def _of_family(entries: Sequence[Entry]) -> Iterator[SheetLine]:
    relatives = [e for e in entries if e.about.relation in BLOOD_RELATIVES]
    judged = judge([entry.text for entry in relatives[:MOST_LINES]])
    for entry, found in zip(relatives, judged, strict=False):
        if best_heading(found).name == "condition":
            line = _of_fact(entry, Heading("family", sure=False))
            named = names(entry.text, entry.about)
            yield line if named else replace(line, text=entry.stored)


def _of_fact(entry: Entry, heading: Heading) -> SheetLine:
    source = _("said to Meddie") if entry.message_id else _("remembered")
    if entry.by_hand:
        source = _("written by hand")
    text = entry.text if entry.profile_key else in_third_person(entry.text)
    return SheetLine(str(entry.key), text, entry.stated_at, source, heading)


def _corrected(scope: Scope, missing: Collection[str]) -> dict[str, str]:
    """By the key of a fact that was replaced that of what is true now."""
    now = {UUID(key): key for key in missing if _is_uuid(key)}
    found = dict(_of_profile(scope, now))
    updates = MemoryUpdate.objects.filter(
        user=scope.user_id, old__retired_reason=Memory.RetiredReason.SUPERSEDED
    ).exclude(new=None)
    for _step in range(MOST_CORRECTIONS):
        pairs = updates.filter(old__in=now).order_by("created_at")
        now = {new: now[old] for old, new in pairs.values_list("old_id", "new_id")}
        if not now:
            break
        found |= {ticked: str(new) for new, ticked in now.items()}
    return found


def _of_profile(scope: Scope, keys: Mapping[UUID, str]) -> Iterator[tuple[str, str]]:
    own = ProfileFact.objects.owned_by(scope)
    active = {(fact.category, fact.key): fact.pk for fact in own.active()}
    for former in own.superseded().filter(pk__in=keys):
        if new := active.get((former.category, former.key)):
            yield keys[former.pk], str(new)


def _is_uuid(key: str) -> bool:
    try:
        return str(UUID(key)) == key
    except ValueError:
        return False
