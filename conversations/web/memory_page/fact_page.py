"""Facts of a user in a space, grouped by whom they are about."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from conversations.web.memory_page.entries import Entry, add_history
from conversations.web.memory_page.searching import is_said
from memory import service
from memory.models import Memory, MemoryPolicy
from memory.subjects import Household
from memory.values import LORE_KIND, MEMORY_KIND, told_line
from memory.wording.subjects import subject_of
from people.models import Person, Space, User
from people.scope import Scope

RELATIONS = {
    "mother": gettext_lazy("Your mother"),
    "father": gettext_lazy("Your father"),
    "parents": gettext_lazy("Your parents"),
    "husband": gettext_lazy("Your husband"),
    "wife": gettext_lazy("Your wife"),
    "partner": gettext_lazy("Your partner"),
    "brother": gettext_lazy("Your brother"),
    "sister": gettext_lazy("Your sister"),
    "son": gettext_lazy("Your son"),
    "daughter": gettext_lazy("Your daughter"),
    "child": gettext_lazy("Your child"),
    "children": gettext_lazy("Your children"),
    "grandmother": gettext_lazy("Your grandmother"),
    "grandfather": gettext_lazy("Your grandfather"),
    "aunt": gettext_lazy("Your aunt"),
    "uncle": gettext_lazy("Your uncle"),
    "friend": gettext_lazy("Your friend"),
    "dog": gettext_lazy("Your dog"),
    "cat": gettext_lazy("Your cat"),
}


@dataclass(frozen=True, order=True, slots=True)
class GroupName:
    place: int
    key: str
    label: str = field(compare=False)


class Subjects:
    def __init__(self, user: User, space: Space) -> None:
        people = Person.objects.in_space(space.pk).exclude(user=user)
        self.people = [(person.name, _beginning(person.name)) for person in people]
        self.user = GroupName(0, "", pgettext("heading", "You"))
        self.others = GroupName(2, "", _("Other"))
        self.lore = GroupName(3, "", _("Shared in this space"))

    def group_of(self, entry: Entry) -> GroupName:
        if entry.read_only:
            return self.lore
        if entry.profile_key:
            return self.user
        group = self._group_of_text(entry.stored)
        # What the user wrote about no relative or person is about them: "Lives in Bergen".
        written = entry.by_hand or entry.in_own_words
        return self.user if group is self.others and written else group

    def _group_of_text(self, fact: str) -> GroupName:
        subject = subject_of(fact, Household())
        if subject.is_user:
            return self.user
        if subject.relation:
            label = RELATIONS.get(subject.relation) or subject.text
            return GroupName(1, subject.relation, str(label))
        for name, beginning in self.people:
            if beginning.match(fact):
                return GroupName(1, name.casefold(), name)
        return self.others


def _beginning(name: str) -> re.Pattern[str]:
    """The whole name, or its first word."""
    first = name.partition(" ")[0]
    return re.compile(rf"(?:{re.escape(name)}|{re.escape(first)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FactGroup:
    name: str
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class FactPage:
    page: "Page[Entry]"
    groups: list[FactGroup]


def read_fact_page(
    user: User,
    space: Space,
    scope: Scope,
    query: str = "",
    near: Collection[UUID] = (),
    page: str = "",
) -> FactPage:
    """A page of all facts, or of those near a query or with its words.

    Those of all that concern safety are first, else the newest.
    """
    entries = [*own_entries(user, scope), *_lore(scope)]
    if query:
        entries = [
            entry
            for entry in entries
            if entry.key in near or is_said(query, f"{entry.text}\n{entry.stored}")
        ]
    entries.sort(key=lambda entry: entry.stated_at, reverse=True)
    if not query:
        entries.sort(key=lambda entry: not entry.safety)
    shown = Paginator(entries, 50).get_page(page)
    add_history(user, scope, list(shown))
    subjects = Subjects(user, space)
    groups: defaultdict[GroupName, list[Entry]] = defaultdict(list)
    for entry in shown:
        groups[subjects.group_of(entry)].append(entry)
    return FactPage(
        shown, [FactGroup(name.label, groups[name]) for name in sorted(groups)]
    )


def find_entry(user: User, scope: Scope, key: UUID) -> Entry | None:
    """A fact that the user may change."""
    found = list(own_entries(user, scope, pk=key))
    add_history(user, scope, found)
    return found[0] if found else None


def own_entries(user: User, scope: Scope, **conditions: UUID) -> Iterator[Entry]:
    """Active facts of the user, without their history."""
    columns = (
        *("content", "stated_at", "source_message", "source", "user", "evidence"),
        *("safety", "valid_from", "valid_until"),
    )
    rows: Any = Memory.objects.visible_to(scope).active().filter(**conditions)
    as_said = Q(source_message__content__contains=F("content"))
    rows = rows.annotate(linked_at=F("links__created_at"), as_said=as_said)
    for row in rows.only(*columns):
        own = row.user_id == user.pk
        yield Entry(
            row.pk,
            row.content,
            row.stated_at if own else row.linked_at,  # when this user said the same
            message_id=row.source_message_id if own else None,
            by_hand=own and row.source == Memory.Source.MANUAL,
            in_own_words=own and (row.as_said or row.content in row.evidence),
            safety=row.safety,
            valid_from=row.valid_from if own else None,
            valid_until=row.valid_until if own else None,
        )
    for fact in service.seen_facts(scope, (MEMORY_KIND, LORE_KIND)):
        if conditions.get("pk", fact.pk) == fact.pk:
            yield Entry(
                fact.pk,
                fact.told,
                fact.stated_at,
                fact.key,
                fact.stated_in,
                by_hand=fact.origin == Memory.Origin.PAGE,
            )


def _lore(scope: Scope) -> Iterator[Entry]:
    if not MemoryPolicy.objects.of(scope.space_id).lore:
        return
    lines = Memory.objects.lore_of(scope.space_id).active()
    for line in lines.defer("embedding", "near"):
        entry = Entry(line.pk, told_line(line.content), line.stated_at, read_only=True)
        entry.teller_id = line.told_by_id
        yield entry
