"""Facts as the memory page shows them, with what they replaced."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from conversations.fact_texts import is_midnight, label_of, shown_period
from conversations.models import Conversation, Message
from conversations.outdated.telling import MOST_LISTED, answers_before
from conversations.web.facts.about import About
from memory.models import Memory, MemoryUpdate, ProfileFact
from memory.subjects import USER, Subject
from memory.wording.subject_labels import shown_text, without_label
from people.models import Membership, User
from people.scope import Scope


@dataclass(frozen=True, slots=True)
class Version:
    """What a fact replaced, and when it was true, as far as is known."""

    text: str
    since: datetime
    until: datetime | None

    @property
    def period(self) -> str:
        return shown_period(self.since, self.until) if self.until else ""


@dataclass(slots=True)
class Entry:
    """A fact. `before` is what it replaced, the newest first.

    A profile fact has a `profile_key`, and `stored` is its value.
    Lore has `read_only`, and `told_by`, the name of a member. `can_move`: the user may
    say whom it is about.
    """

    key: UUID
    stored: str
    stated_at: datetime
    profile_key: str = ""
    about: Subject = USER
    can_move: bool = False
    message_id: UUID | None = None
    conversation: str = ""  # its title
    by_hand: bool = False
    safety: bool = False
    read_only: bool = False
    teller_id: UUID | None = None
    told_by: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    may_replace: UUID | None = None  # about which the user is asked
    older: str = ""  # its text
    is_doubted: bool = False  # a newer one may replace it
    line: str = ""  # of the medicine that it and `others` are about
    others: Sequence["Entry"] = ()
    before: Sequence[Version] = ()
    answers: Sequence[Message] = ()  # those that used what it replaced
    whose: About | None = None
    heading: str = ""
    is_noted: bool = False

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
        return self.stored if told else shown_said(self.stored, self.about)

    @property
    def stated_period(self) -> str:
        """When it is true, if that was said."""
        since = self.valid_from if is_midnight(self.valid_from) else None
        return shown_period(since, self.valid_until)

    @property
    def period(self) -> str:
        """Of one that replaced another, since then."""
        replaces = any(version.until for version in self.before)
        since = self.valid_from or (self.stated_at if replaces else None)
        return shown_period(since, self.valid_until)

    @property
    def can_undo(self) -> bool:
        """Whether the user corrected it, and what it was is still known."""
        return self.by_hand and bool(self.before)


def shown_said(text: str, about: Subject) -> str:
    return shown_text(without_label(text, about))


def add_history(user: User, scope: Scope, entries: Sequence[Entry]) -> None:
    """Read what only the shown entries need, in a number of queries that does not grow."""
    titles = reachable_messages(user, {entry.message_id for entry in entries})
    keys = [entry.key for entry in entries]
    replaced, used = _replaced(user, scope, keys), answers_before(user.pk, keys)
    members = Membership.objects.filter(
        space_id=scope.space_id, user__in={entry.teller_id for entry in entries}
    )
    tellers: dict[UUID | None, str] = {
        member.user_id: member.user.get_short_name()
        for member in members.select_related("user")
    }
    _add_doubts(scope, entries)
    for entry in entries:
        entry.conversation = (
            titles.get(entry.message_id, "") if entry.message_id else ""
        )
        entry.message_id = entry.message_id if entry.message_id in titles else None
        entry.told_by = tellers.get(entry.teller_id, "")
        entry.before = replaced.get(entry.key, [])
        entry.answers = used.get(entry.key, [])[:MOST_LISTED]


def reachable_messages(user: User, keys: Collection[UUID | None]) -> dict[UUID, str]:
    """The titles of their conversations."""
    own = Conversation.objects.reachable_by(user.pk)
    messages = Message.objects.current().filter(
        pk__in=[key for key in keys if key], conversation__in=own
    )
    return dict(messages.values_list("pk", "conversation__title"))


def _add_doubts(scope: Scope, entries: Sequence[Entry]) -> None:
    active = Memory.objects.visible_to(scope).active()
    asked = [entry.may_replace for entry in entries if entry.may_replace]
    older = active.filter(pk__in=asked).defer(*Memory.VECTORS)
    texts = {row.pk: shown_said(row.content, row.about) for row in older}
    newer = active.filter(may_replace__in=[entry.key for entry in entries])
    doubted = set(newer.values_list("may_replace", flat=True))
    for entry in entries:
        entry.older = texts.get(entry.may_replace, "") if entry.may_replace else ""
        entry.is_doubted = entry.key in doubted


def _replaced(
    user: User, scope: Scope, keys: Collection[UUID]
) -> dict[UUID, list[Version]]:
    """Own texts that facts replaced, the newest first."""
    # One that others have a link to stays active for them.
    former = Memory.objects.owned_by(scope).exclude(links__user=user)
    former = former.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    updates = MemoryUpdate.objects.filter(user=user, old__in=former)
    updates = updates.order_by("-created_at")
    texts: dict[UUID, list[Version]] = defaultdict(list)
    first = {key: key for key in keys}
    for _step in range(20):
        found = updates.filter(new__in=first).select_related("old")
        following: dict[UUID, UUID] = {}
        for update in found.defer(*(f"old__{name}" for name in Memory.VECTORS)):
            old, key = update.old, first[cast("UUID", update.new_id)]
            told = [version.text for version in texts[key]]
            if old and old.pk not in following and old.content:
                text = shown_said(old.content, old.about)
                if text not in told:
                    following[old.pk] = key
                    texts[key].append(Version(text, old.begins_at, old.valid_until))
        if not following:
            break
        first = following
    return texts | _former_values(scope, keys)


def _former_values(scope: Scope, keys: Collection[UUID]) -> dict[UUID, list[Version]]:
    own = ProfileFact.objects.owned_by(scope)
    shown = {(f.category, f.key): f for f in own.active().filter(pk__in=keys)}
    values: dict[UUID, list[Version]] = defaultdict(list)
    if shown:
        former = own.superseded().exclude(value="").order_by("-stated_at")
        for old in former:
            fact = shown.get((old.category, old.key))
            if fact is None:
                continue
            known = [fact.value, *(value.text for value in values[fact.pk])]
            if old.value not in known:
                told = Version(shown_text(old.value), old.begins_at, old.valid_until)
                values[fact.pk].append(told)
    return values
