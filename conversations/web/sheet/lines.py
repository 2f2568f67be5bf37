"""The lines that may go on a sheet: facts and lines of notes, each with day and source.

A sheet is kept as the keys of its lines and is read again each time, so that a forgotten
fact leaves it and a corrected one reads as corrected. A line of notes has a digest of
its words as its key: changed by hand it is another line, which was not ticked.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import islice
from uuid import UUID

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.web.facts.about import OF_USER, Subjects
from conversations.web.facts.headings import HEADINGS, NO_FAMILY, heading_of
from conversations.web.memory_page.entries import Entry
from conversations.web.memory_page.fact_page import own_entries
from memory.models import Memory, MemoryUpdate, ProfileFact
from people.models import Person, Space, User
from people.person_text import markdown_lines
from people.scope import Scope, retraction_scope

SHEET_HEADINGS = {"person": gettext_lazy("Person")} | HEADINGS
HEADINGS_OF_NOTES = {
    "medications": "medicine",
    "supplements": "medicine",
    "health_notes": "",
}
MOST_LINES = 500  # to choose from
MOST_CHANGES = 50  # the newest, in which the days of lines are looked up
MOST_CORRECTIONS = 20  # corrections of one fact that are followed


@dataclass(frozen=True, slots=True)
class SheetLine:
    """`heading` is empty where the judge decides; `stored` is the text that it reads."""

    key: str
    text: str
    stored: str
    day: datetime
    source: str
    heading: str = ""

    @property
    def told(self) -> str:
        """Its day and source."""
        return f"{date_format(localtime(self.day), 'j E Y')}, {self.source}"


@dataclass(frozen=True, slots=True)
class SheetGroup:
    name: str
    lines: list[SheetLine] = field(default_factory=list)

    @property
    def heading(self) -> str:
        return str(SHEET_HEADINGS[self.name])


def read_lines(user: User, space: Space, person: Person | None) -> dict[str, SheetLine]:
    """All that a member may put on a sheet about a person, by key."""
    notes = [*_details(person), *_notes(person)] if person else []
    return {line.key: line for line in (*notes, *_facts(user, space, person))}


def group_lines(lines: Iterable[SheetLine]) -> list[SheetGroup]:
    """The first MOST_LINES under their headings. Uses the encoder."""
    lines = list(islice(lines, MOST_LINES))
    groups = {name: SheetGroup(name) for name in SHEET_HEADINGS}
    judged = heading_of([line.stored for line in lines])
    for line, heading in zip(lines, judged, strict=True):
        groups[_heading(line, heading)].lines.append(line)
    return [group for group in groups.values() if group.lines]


def _heading(line: SheetLine, judged: str) -> str:
    """Under family history are illnesses alone."""
    if line.heading not in {"", "family"}:
        return line.heading
    return line.heading if line.heading and judged != "other" else judged


def chosen_lines(
    user: User, space: Space, person: Person | None, items: Mapping[str, str]
) -> list[SheetGroup]:
    """Ticked lines as they read now. `items` are keys and the names of headings."""
    lines = read_lines(user, space, person)
    scope = retraction_scope(user.pk, space.pk)
    now = _corrected(scope, {key for key in items if key not in lines})
    groups = {name: SheetGroup(name) for name in SHEET_HEADINGS}
    for key, name in items.items():
        line = lines.pop(now.get(key, key), None)
        if line and name in groups:
            groups[name].lines.append(line)
    return [group for group in groups.values() if group.lines]


def _details(person: Person) -> Iterator[SheetLine]:
    born = person.date_of_birth
    details = {
        _("Name"): person.name,
        _("Date of birth"): date_format(born, "j E Y") if born else "",
        _("Sex"): person.get_sex_display() if person.sex else "",
        _("Height"): f"{floatformat(person.height_cm)} cm" if person.height_cm else "",
        _("Weight"): f"{floatformat(person.weight_kg)} kg" if person.weight_kg else "",
    }
    names = ("name", "date_of_birth", "sex", "height_cm", "weight_kg")
    for name, (label, value) in zip(names, details.items(), strict=True):
        if value:
            text, at = f"{label}: {value}", person.updated_at
            yield SheetLine(name, text, text, at, _("from the notes"), "person")


def _notes(person: Person) -> Iterator[SheetLine]:
    changes = person.profile_updates.select_related("author").order_by("-created_at")
    added = {
        (change.field, line): change
        for change in reversed(changes[:MOST_CHANGES])
        for line in change.lines_added()
    }
    for name, heading in HEADINGS_OF_NOTES.items():
        for text, written, former in markdown_lines(getattr(person, name)):
            change = added.get((name, written))
            day = change.created_at if change else person.updated_at
            author = change.author if change else None
            source = _("from the notes")
            if author:
                source = _("noted by %(name)s") % {"name": author.get_short_name()}
            key = f"{name}-{sha256(text.encode()).hexdigest()[:16]}"
            yield SheetLine(
                key, text, text, day, source, "other" if former else heading
            )


def _facts(user: User, space: Space, person: Person | None) -> Iterator[SheetLine]:
    """The user's own about the person where members are shown their memory. The user's
    have those of their family. Those that concern safety first, then the newest."""
    if not space.memory_page:
        return
    scope = retraction_scope(user.pk, space.pk)
    subjects = Subjects.in_scope(scope)
    whose = OF_USER
    if person and person.user_id != user.pk:
        whose = str(person.pk)
    entries = [*own_entries(user, scope)]
    entries.sort(key=lambda entry: (entry.safety, entry.stated_at), reverse=True)
    for entry in entries:
        about = subjects.of(entry.about)
        if about.key == whose:
            yield _of_fact(entry, "")
        elif whose == OF_USER and (relation := about.subject.relation):
            yield _of_fact(entry, "other" if relation in NO_FAMILY else "family")


def _of_fact(entry: Entry, heading: str) -> SheetLine:
    source = _("said to Meddie") if entry.message_id else _("remembered")
    if entry.by_hand:
        source = _("written by hand")
    stored = entry.text if entry.profile_key else entry.stored
    return SheetLine(
        str(entry.key), entry.text, stored, entry.stated_at, source, heading
    )


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
