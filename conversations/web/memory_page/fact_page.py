"""Facts of a user in a space, grouped by whom they are about."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from conversations.fact_texts import label_of
from conversations.models import Conversation, Message
from conversations.outdated.telling import MOST_LISTED, answers_before
from conversations.web.memory_page.searching import is_said
from memory.models import Memory, MemoryPolicy, MemoryUpdate, ProfileFact
from memory.subjects import shown_text, subject_of
from memory.values import told_line
from people.models import Membership, Person, Space, User
from people.scope import Scope


@dataclass(slots=True)
class Entry:
    """A fact. `before` are the texts it replaced.

    A profile fact has a `profile_key`, and `stored` is its value.
    Lore has `read_only`, and `told_by`, the name of a member.
    """

    key: UUID
    stored: str
    stated_at: datetime
    profile_key: str = ""
    message_id: UUID | None = None
    by_hand: bool = False
    read_only: bool = False
    teller_id: UUID | None = None
    told_by: str = ""
    before: Sequence[str] = ()
    answers: Sequence[Message] = ()  # those that used what it replaced

    @property
    def label(self) -> str:
        return label_of(self.profile_key) if self.profile_key else ""

    @property
    def text(self) -> str:
        return f"{self.label}: {self.editable}" if self.label else self.editable

    @property
    def editable(self) -> str:
        """The text, or the value of a profile fact."""
        told = self.profile_key or self.read_only
        return self.stored if told else shown_text(self.stored)

    @property
    def can_undo(self) -> bool:
        """Whether the user corrected it, and what it was is still known."""
        return self.by_hand and bool(self.before)


def add_history(user: User, scope: Scope, entries: Sequence[Entry]) -> None:
    """Read what only the shown entries need, in a number of queries that does not grow."""
    own = Conversation.objects.reachable_by(user.pk)
    messages = Message.objects.current().filter(
        pk__in=[one.message_id for one in entries if one.message_id],
        conversation__in=own,
    )
    reachable = set(messages.values_list("pk", flat=True))
    keys = [one.key for one in entries]
    replaced, used = _replaced(user, scope, keys), answers_before(user.pk, keys)
    members = Membership.objects.filter(
        space_id=scope.space_id, user__in={one.teller_id for one in entries}
    )
    tellers: dict[UUID | None, str] = {
        member.user_id: member.user.get_short_name()
        for member in members.select_related("user")
    }
    for one in entries:
        one.message_id = one.message_id if one.message_id in reachable else None
        one.told_by = tellers.get(one.teller_id, "")
        one.before = [shown_text(t) for t in replaced.get(one.key, [])]
        one.answers = used.get(one.key, [])[:MOST_LISTED]


def _replaced(
    user: User, scope: Scope, keys: Collection[UUID]
) -> dict[UUID, list[str]]:
    """Own texts that facts replaced, the newest first."""
    # One that others have a link to stays active for them.
    former = Memory.objects.owned_by(scope).exclude(links__user=user)
    former = former.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    updates = MemoryUpdate.objects.filter(user=user, old__in=former)
    updates = updates.order_by("-created_at")
    texts: dict[UUID, list[str]] = defaultdict(list)
    first = {key: key for key in keys}
    for _step in range(20):
        found = updates.filter(new__in=first)
        following: dict[UUID, UUID] = {}
        for new, old, text in found.values_list("new_id", "old_id", "old__content"):
            if old not in following and text and text not in texts[first[new]]:
                following[old] = first[new]
                texts[first[new]].append(text)
        if not following:
            break
        first = following
    return texts | _former_values(scope, keys)


def _former_values(scope: Scope, keys: Collection[UUID]) -> dict[UUID, list[str]]:
    own = ProfileFact.objects.owned_by(scope)
    shown = {(f.category, f.key): f for f in own.active().filter(pk__in=keys)}
    values: dict[UUID, list[str]] = defaultdict(list)
    if shown:
        former = own.superseded().exclude(value="").order_by("-stated_at")
        for old in former:
            fact = shown.get((old.category, old.key))
            known = [fact.value, *values[fact.pk]] if fact else [old.value]
            if fact and old.value not in known:
                values[fact.pk].append(old.value)
    return values


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
        return self.user if group is self.others and entry.by_hand else group

    def _group_of_text(self, fact: str) -> GroupName:
        subject = subject_of(fact)
        if subject is not None and not subject.key:
            return self.user
        if subject is not None:
            label = RELATIONS.get(subject.key) or shown_text(subject.words)
            return GroupName(1, subject.key, str(label))
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
    """A page of all facts, those near first, or of those near a query or with its words."""
    entries = [*_own(user, scope), *_lore(scope)]
    if query:
        entries = [
            one
            for one in entries
            if one.key in near or is_said(query, f"{one.text}\n{one.stored}")
        ]
    entries.sort(key=lambda one: one.stated_at, reverse=True)
    if not query:
        entries.sort(key=lambda one: one.key not in near)
    shown = Paginator(entries, 50).get_page(page)
    add_history(user, scope, list(shown))
    subjects = Subjects(user, space)
    groups: defaultdict[GroupName, list[Entry]] = defaultdict(list)
    for one in shown:
        groups[subjects.group_of(one)].append(one)
    return FactPage(
        shown, [FactGroup(name.label, groups[name]) for name in sorted(groups)]
    )


def find_entry(user: User, scope: Scope, key: UUID) -> Entry | None:
    """A fact that the user may change."""
    found = list(_own(user, scope, pk=key))
    add_history(user, scope, found)
    return found[0] if found else None


def _own(user: User, scope: Scope, **conditions: UUID) -> Iterator[Entry]:
    columns = ("pk", "content", "stated_at", "source_message", "source", "user")
    rows = Memory.objects.visible_to(scope).active().filter(**conditions)
    for key, text, at, message, source, owner, linked_at in rows.values_list(
        *columns, "links__created_at"
    ):
        own = owner == user.pk
        yield Entry(
            key,
            text,
            at if own else linked_at,  # when this user said the same
            message_id=message if own else None,
            by_hand=own and source == Memory.Source.MANUAL,
        )
    for fact in ProfileFact.objects.owned_by(scope).active().filter(**conditions):
        yield Entry(
            fact.pk,
            fact.value,
            fact.stated_at,
            fact.key,
            fact.message_id,
            by_hand=fact.origin == Memory.Origin.INLINE and fact.message_id is None,
        )


def _lore(scope: Scope) -> Iterator[Entry]:
    if not MemoryPolicy.objects.of(scope.space_id).lore:
        return
    lines = Memory.objects.lore_of(scope.space_id).active()
    for line in lines.defer("embedding", "near"):
        entry = Entry(line.pk, told_line(line.content), line.stated_at, read_only=True)
        entry.teller_id = line.told_by_id
        yield entry
