"""Facts as the memory page shows them."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from conversations.fact_texts import label_of
from conversations.models import Conversation, Message
from memory.models import Memory, MemoryUpdate, ProfileFact
from memory.subjects import shown_text
from people.models import Membership, User
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
    replaced = _replaced(user, scope, [one.key for one in entries])
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
