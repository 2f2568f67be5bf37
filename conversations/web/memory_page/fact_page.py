"""Facts of a user in a space, as the memory page lists them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import F
from django.utils.translation import gettext as _

from conversations.web.facts.about import OF_UNSURE, About, Subjects
from conversations.web.facts.headings import HEADINGS, headings_of
from conversations.web.memory_page.entries import Entry, add_history
from conversations.web.memory_page.searching import is_said
from memory import service
from memory.models import Memory, MemoryPolicy
from memory.subjects import UNSURE, USER
from memory.values import LORE_KIND, MEMORY_KIND, told_line
from people.models import User
from people.scope import Scope

SHARED = "shared"
MOST_FACTS = 500  # the newest, of which the headings are judged
ON_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; `near` are facts near the query, `about` is an About's key."""

    query: str = ""
    near: Collection[UUID] = ()
    about: str = ""
    kind: str = ""
    by_kind: bool = False
    page: str = ""

    @property
    def is_all(self) -> bool:
        return not (self.query or self.about or self.kind)


@dataclass(frozen=True, slots=True)
class FactGroup:
    key: str
    name: str
    about: About | None = None
    entries: list[Entry] = field(default_factory=list)

    @property
    def is_unsure(self) -> bool:
        return self.key == OF_UNSURE


@dataclass(frozen=True, slots=True)
class FactPage:
    """`abouts` are whom any of the user's facts are about."""

    page: "Page[Entry]"
    groups: list[FactGroup]
    subjects: Subjects
    abouts: list[About]


def read_fact_page(user: User, scope: Scope, wanted: Wanted) -> FactPage:
    """A page of the wanted facts: unsure ones, those of safety, then the newest.

    Uses the encoder for headings.
    """
    subjects = Subjects.in_scope(scope)
    entries = read_entries(user, scope, subjects)
    abouts = {entry.whose.key: entry.whose for entry in entries if entry.whose}
    found = list(_wanted(entries, wanted))
    if not wanted.query:
        found.sort(key=lambda entry: not entry.safety)
    order = _order(subjects, wanted)
    place = {name.key: number for number, name in enumerate(order)}
    if wanted.by_kind:
        found.sort(key=lambda entry: place[entry.heading])
    found.sort(key=lambda entry: entry.about != UNSURE)
    shown = Paginator(found, ON_A_PAGE).get_page(wanted.page)
    add_history(user, scope, list(shown))
    groups = {group.key: group for group in order}
    for entry in shown:
        groups[_group_key(entry, wanted)].entries.append(entry)
    names = [place.key for place in _order(subjects, Wanted()) if place.key in abouts]
    return FactPage(
        shown,
        [group for group in order if group.entries],
        subjects,
        [abouts[key] for key in names],
    )


def read_entries(user: User, scope: Scope, subjects: Subjects) -> list[Entry]:
    """All facts that the user sees, the newest first."""
    entries = [*own_entries(user, scope), *_lore(scope)]
    shared = About(SHARED, USER, _("Shared in this household"))
    for entry in entries:
        entry.whose = shared if entry.read_only else subjects.of(entry.about)
    return sorted(entries, key=lambda entry: entry.stated_at, reverse=True)


def _wanted(entries: Iterable[Entry], wanted: Wanted) -> Iterator[Entry]:
    found = [
        entry
        for entry in entries
        if _is_found(entry, wanted)
        and (not wanted.about or (entry.whose and entry.whose.key == wanted.about))
    ]
    if wanted.kind or wanted.by_kind:
        found = found[:MOST_FACTS]
        put_headings(found)
    return (entry for entry in found if wanted.kind in {"", entry.heading})


def _is_found(entry: Entry, wanted: Wanted) -> bool:
    return (
        not wanted.query
        or entry.key in wanted.near
        or is_said(wanted.query, f"{entry.text}\n{entry.stored}")
    )


def put_headings(entries: Sequence[Entry]) -> None:
    """Uses the encoder."""
    for entry, heading in zip(entries, headings_of(entries), strict=True):
        entry.heading = heading


def _order(subjects: Subjects, wanted: Wanted) -> list[FactGroup]:
    """All groups there may be, in order."""
    unsure = FactGroup(OF_UNSURE, _("About whom?"))
    if wanted.by_kind:
        kinds = [FactGroup(name, str(label)) for name, label in HEADINGS.items()]
        return [unsure, *kinds]
    known = [FactGroup(about.key, about.label, about) for about in subjects.known]
    return [unsure, *known, FactGroup(SHARED, _("Shared in this household"))]


def _group_key(entry: Entry, wanted: Wanted) -> str:
    if entry.about == UNSURE or not wanted.by_kind:
        return entry.whose.key if entry.whose else OF_UNSURE
    return entry.heading


def find_entry(user: User, scope: Scope, key: UUID) -> Entry | None:
    """A fact that the user may change."""
    found = list(own_entries(user, scope, pk=key))
    add_history(user, scope, found)
    return found[0] if found else None


def own_entries(user: User, scope: Scope, **conditions: UUID) -> Iterator[Entry]:
    """Active facts of the user, without their history."""
    columns = (
        *("content", "stated_at", "source_message", "source", "user"),
        *("safety", "valid_from", "valid_until", "subject", "person"),
        "may_replace",
    )
    rows: Any = Memory.objects.visible_to(scope).active().filter(**conditions)
    rows = rows.annotate(linked_at=F("links__created_at"))
    for row in rows.only(*columns):
        own = row.user_id == user.pk
        yield Entry(
            row.pk,
            row.content,
            row.stated_at if own else row.linked_at,  # when this user said the same
            about=row.about,
            can_move=own,
            message_id=row.source_message_id if own else None,
            by_hand=own and row.source == Memory.Source.MANUAL,
            safety=row.safety,
            valid_from=row.valid_from if own else None,
            valid_until=row.valid_until if own else None,
            may_replace=row.may_replace_id if own else None,
        )
    for fact in service.seen_facts(scope, (MEMORY_KIND, LORE_KIND)):
        if conditions.get("pk", fact.pk) == fact.pk:
            yield Entry(
                fact.pk,
                fact.told,
                fact.stated_at,
                fact.key,
                message_id=fact.stated_in,
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
