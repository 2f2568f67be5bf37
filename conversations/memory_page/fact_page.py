"""Facts of a user in a space, grouped by whom they are about."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from conversations.memory_page.entries import Entry
from conversations.memory_page.history import add_history
from conversations.memory_page.subjects import GroupName, Subjects
from meddie.text import one_line
from memory import service
from memory.models import Memory, ProfileFact
from memory.values import told_line
from people.models import Space, User
from people.scope import Scope

ON_A_PAGE = 50
MOST_FOUND = 24  # by meaning; more can contain the words


@dataclass(frozen=True, slots=True)
class FactGroup:
    name: str
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class FactPage:
    page: "Page[Entry]"
    groups: list[FactGroup]
    query: str


def read_fact_page(
    user: User, space: Space, scope: Scope, query: str = "", page: str = ""
) -> FactPage:
    """A page of all facts, or of those that a query finds; a query uses the network."""
    query = one_line(query)[:200]
    entries = [*_own(user, space, scope), *_lore(scope)]
    if query:
        entries = _found(scope, entries, query)
    entries.sort(key=lambda one: one.stated_at, reverse=True)
    entries.sort(key=lambda one: one.group)
    shown = Paginator(entries, ON_A_PAGE).get_page(page)
    add_history(user, scope, list(shown))
    return FactPage(shown, list(_grouped(shown)), query)


def find_entry(user: User, space: Space, scope: Scope, key: UUID) -> Entry | None:
    """A fact that the user may change."""
    found = [one for one in _own(user, space, scope) if one.key == key]
    add_history(user, scope, found)
    return found[0] if found else None


def _own(user: User, space: Space, scope: Scope) -> Iterator[Entry]:
    subjects = Subjects(user, space)
    columns = ("pk", "content", "stated_at", "source_message", "source", "user")
    rows = Memory.objects.visible_to(scope).active().values_list(*columns)
    for key, text, at, message, source, owner in rows:
        yield Entry(
            key,
            service.in_second_person(text),
            text,
            at,
            subjects.group_of(text),
            message_id=message if owner == user.pk else None,
            by_hand=source == Memory.Source.MANUAL,
        )
    for fact in ProfileFact.objects.owned_by(scope).active():
        label = fact.key.replace("_", " ").capitalize()
        yield Entry(
            fact.pk,
            f"{label}: {fact.value}",
            fact.value,
            fact.stated_at,
            subjects.user,
            label,
            fact.message_id,
            by_hand=fact.origin == Memory.Origin.INLINE and fact.message_id is None,
        )


def _lore(scope: Scope) -> Iterator[Entry]:
    if not service.policy_of(scope).lore:
        return
    lines = Memory.objects.lore_of(scope.space_id).active()
    group = GroupName(3, "", _("Shared in this space"))
    for line in lines.defer("embedding", "near"):
        told = told_line(line.content)
        entry = Entry(line.pk, told, told, line.stated_at, group, read_only=True)
        entry.teller_id = line.told_by_id
        yield entry


def _found(scope: Scope, entries: Iterable[Entry], query: str) -> list[Entry]:
    near = {one.memory_id for one in service.search(scope, query, limit=MOST_FOUND)}
    words = query.casefold()
    return [
        one
        for one in entries
        if one.key in near or words in f"{one.text}\n{one.stored}".casefold()
    ]


def _grouped(entries: Iterable[Entry]) -> Iterator[FactGroup]:
    for _key, found in groupby(entries, key=lambda one: one.group):
        group = list(found)
        yield FactGroup(group[0].group.label, group)
