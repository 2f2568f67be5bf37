"""What Meddie remembers about a person, for the person's page."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template import Context

from conversations.channels import WEB
from conversations.web.facts.about import OF_USER, Subjects
from conversations.web.facts.headings import HEADINGS, NO_FAMILY
from conversations.web.facts.measure_lines import MeasureLine, measure_lines
from conversations.web.facts.medicine_lines import join_medicines
from conversations.web.memory_page.entries import Entry, add_history
from conversations.web.memory_page.fact_page import (
    MOST_FACTS,
    FactGroup,
    put_headings,
    read_entries,
)
from conversations.web.memory_page.places import YOU
from people.access import PageRequest
from people.models import Person, Space, User
from people.person_text import clean_line, markdown_lines
from people.scope import Scope, retraction_scope

register = template.Library()


@dataclass(frozen=True, slots=True)
class Remembered:
    """`about` is the key of the memory page's filter, `back` leads back here."""

    groups: list[FactGroup]
    measures: list[MeasureLine]
    about: str
    back: str
    shown: dict[str, str]


@register.simple_tag(takes_context=True)
def remembered_about(context: Context, person: Person | None) -> Remembered | None:
    """The viewer's own facts about a person, or themselves; None without a memory page.

    Uses the encoder.
    """
    request: PageRequest = context["request"]
    user, space = request.user, context.get("current_space")
    if not isinstance(space, Space) or not space.memory_page:
        return None
    if person and person.space_id != space.pk:
        return None
    scope = retraction_scope(user.pk, space.pk, channel=WEB.name)
    about = OF_USER
    if person and person.user_id != user.pk:
        about = str(person.pk)
    subjects = Subjects.in_scope(scope)
    entries = _about(user, scope, about, subjects)
    add_history(user, scope, entries)
    noted = _noted(person) if person else set()
    for entry in entries:
        entry.is_noted = clean_line(entry.text).casefold() in noted
    groups = {name: FactGroup(name, str(label)) for name, label in HEADINGS.items()}
    for entry in entries:
        groups[entry.heading].entries.append(entry)
    medicines = groups["medicine"]
    if medicines.entries:
        subject = medicines.entries[0].about
        medicines.entries[:] = join_medicines(medicines.entries, subject)
    shown: dict[str, str] = {"person": str(person.pk) if person else YOU}
    found = [group for group in groups.values() if group.entries]
    lines = measure_lines(user, scope, about, subjects)
    return Remembered(found, lines, about, urlencode(shown), shown)


def _about(user: User, scope: Scope, about: str, subjects: Subjects) -> list[Entry]:
    """The newest, those of safety first; of the user also what their family has."""
    known: list[Any] = read_entries(user, scope, subjects)
    own = [entry for entry in known if entry.whose.key == about][:MOST_FACTS]
    put_headings(own)
    family = [
        entry
        for entry in known
        if about == OF_USER
        and entry.about.relation
        and entry.about.relation not in NO_FAMILY
    ][:MOST_FACTS]
    put_headings(family)
    told = [entry for entry in family if entry.heading == "condition"]
    for entry in told:
        entry.heading = "family"
    return sorted([*own, *told], key=lambda entry: not entry.safety)


def _noted(person: Person) -> set[str]:
    notes = (getattr(person, name) for name in Person.NOTES)
    return {line.text.casefold() for text in notes for line in markdown_lines(text)}
