"""What is known in a space, on one page of Markdown: people, lore, messages, files."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from functools import partial
from itertools import chain
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet

from meddie.text import markdown_escaped
from memory.models import Fact, JournalFile, JournalLine, Memory, ProfileFact
from memory.operators.journals import journal_text
from people.models import Membership, Space, User

# B-36
SUBJECTS, FACTS_EACH, LORE = 80, 6, 6
HIGHLIGHT_FILES, HIGHLIGHT_ENTRIES = 3, 120
HIGHLIGHTS, HIGHLIGHTS_EACH, SHORTEST_HIGHLIGHT = 24, 8, 8
MOST_SOURCES = 5
LONG_COLUMNS = ("embedding", "near", "content_tsv", "evidence_tsv")
BARE_URL = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Newest first."""

    space_id: UUID
    people: Sequence[tuple[User, Sequence[Fact]]]
    lore: Sequence[Memory]
    highlights: Sequence[JournalLine]
    days: Sequence[date]
    memory_on: bool = True

    @property
    def rows(self) -> list[Fact | JournalLine]:
        facts = [fact for _user, facts in self.people for fact in facts]
        return [*facts, *self.lore, *self.highlights]


def read_snapshot(space_id: UUID, reader: UUID | None = None) -> Snapshot:
    """All of a space, or lore and what is the reader's own; nothing with memory off."""
    remembering = Membership.objects.remembering().filter(space=space_id)
    members = User.objects.filter(memberships__in=remembering)
    files = JournalFile.objects.filter(space_id=space_id).order_by("-day")
    days = list(files.values_list("day", flat=True)[:MOST_SOURCES])
    if reader is not None:
        members = members.filter(pk=reader)
    lines = JournalLine.objects.filter(space_id=space_id, user__in=members)
    recent = lines.filter(day__in=days[:HIGHLIGHT_FILES]).order_by("-at", "-pk")
    lore = (
        Memory.objects.lore_of(space_id)
        .active()
        .filter(space__memory_on=True)
        .defer(*LONG_COLUMNS)
        .order_by("-stated_at", "-pk")
    )
    return Snapshot(
        space_id,
        _people(space_id, {user.pk: user for user in members}),
        list(lore[:LORE]),
        list(_highlights(recent[:HIGHLIGHT_ENTRIES])),
        days,
        Space.objects.filter(pk=space_id, memory_on=True).exists(),
    )


def _people(space_id: UUID, members: dict[UUID, User]) -> list[tuple[User, list[Fact]]]:
    facts: dict[UUID, list[Fact]] = defaultdict(list)
    known = {"space_id": space_id, "active": True}
    memories = Memory.objects.filter(**known)
    memories = memories.filter(pk__in=_newest(memories, members)).defer(*LONG_COLUMNS)
    profile = ProfileFact.objects.filter(**known)
    profile = profile.filter(pk__in=_newest(profile, members))
    newest: list[Fact] = [*memories, *profile]
    for fact in newest:
        if fact.user_id is not None:
            facts[fact.user_id].append(fact)
    for own in facts.values():
        own.sort(key=lambda fact: (fact.stated_at, fact.pk), reverse=True)
    latest = sorted(facts, key=lambda key: (facts[key][0].stated_at, key), reverse=True)
    return [(members[key], facts[key][:FACTS_EACH]) for key in latest[:SUBJECTS]]


def _newest(facts: QuerySet[Any], members: Iterable[UUID]) -> list[UUID]:
    """Keys of the newest facts of each member, read one member at a time."""
    own = facts.filter(user=OuterRef("pk")).order_by("-stated_at", "-pk")
    keys = ArraySubquery(own.values("pk")[:FACTS_EACH])
    users = User.objects.filter(pk__in=list(members)).annotate(newest=keys)
    return list(chain.from_iterable(users.values_list("newest", flat=True)))


def _highlights(newest: Iterable[JournalLine]) -> Iterator[JournalLine]:
    told, counts = set[str](), Counter[str]()
    for line in newest:
        text = line.text.casefold()
        empty = len(text) < SHORTEST_HIGHLIGHT or BARE_URL.fullmatch(line.text)
        if empty or text in told or counts[line.author] == HIGHLIGHTS_EACH:
            continue
        told.add(text)
        counts[line.author] += 1
        yield line
        if len(told) == HIGHLIGHTS:
            return


def render_snapshot(snapshot: Snapshot, *, keys: bool = True) -> str:
    """The same rows give the same bytes; `keys` names the row of each line."""
    fact_line = partial(_fact_line, keys=keys)
    people = [
        part
        for user, facts in snapshot.people
        for part in (
            f"### {markdown_escaped(user.get_short_name())}",
            _listed(map(fact_line, facts)),
        )
    ]
    highlights = [
        f"{line.at:%Y-%m-%d} {journal_text(line)}{_key(line, keys=keys)}"
        for line in snapshot.highlights
    ]
    parts = [
        f"# Memory of the space {snapshot.space_id}",
        "For operators. Replies never read this page.",
        *([] if snapshot.memory_on else ["Memory is switched off for the space."]),
        "## People",
        *(people or [_listed([])]),
        "## Ongoing lore",
        _listed(map(fact_line, snapshot.lore)),
        "## Recent journal highlights",
        _listed(highlights),
        "## Source daily logs",
        _listed(f"{day}.md" for day in snapshot.days),
    ]
    return "\n\n".join(parts) + "\n"


def _fact_line(fact: Fact, *, keys: bool) -> str:
    day = fact.stated_at.astimezone(UTC).date()
    room = fact.room
    channel = markdown_escaped(room or fact.channel or fact.origin)
    text = markdown_escaped(fact.content)
    return f"{day} [{channel}] {text}{_key(fact, keys=keys)}"


def _key(row: Fact | JournalLine, *, keys: bool) -> str:
    return f" <!-- {row.pk} -->" if keys else ""


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "None."
