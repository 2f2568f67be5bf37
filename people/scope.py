"""The scope of memory calls, made for every request and task (B-19)."""

import uuid
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from django.core.exceptions import ObjectDoesNotExist

from people.models import Membership, User


class NotAMember(ObjectDoesNotExist):
    """The user is inactive or not in the space."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The user, space and channel of a memory call.

    Without `user_id` nothing is read or written (S0-10): for unlinked Telegram ids, and
    while the memory of the user or the space is off (decision 63). `writes` is False in
    conversations that are not remembered (decision 19).
    """

    user_id: uuid.UUID | None
    space_id: uuid.UUID
    channel: str
    writes: bool = True
    # A chat of the channel that several people share.
    room: str = ""
    # The user's: "tomorrow" and the day of a fact are theirs.
    zone: tzinfo = field(default=UTC, compare=False)

    @property
    def reads(self) -> bool:
        return self.user_id is not None


def scope_for(
    user: User | None,
    space_id: uuid.UUID,
    *,
    channel: str,
    remember: bool = True,
    room: str = "",
) -> Scope:
    """Raises NotAMember."""
    memory_on = None
    if user is not None:
        memory_on = Membership.objects.active(user.pk, space_id).memory_on().first()
    return member_scope(
        user, space_id, memory_on, channel=channel, remember=remember, room=room
    )


def member_scope(
    user: User | None,
    space_id: uuid.UUID,
    memory_on: bool | None,  # noqa: FBT001 -- it has three values
    *,
    channel: str,
    remember: bool = True,
    room: str = "",
) -> Scope:
    """The same where the caller has just read `MembershipQuerySet.memory_on`.

    Raises NotAMember.
    """
    if user is None:
        return Scope(None, space_id, channel, writes=False)
    if memory_on is None:
        raise NotAMember
    if not (memory_on and user.memory_on):
        return Scope(None, space_id, channel, writes=False)
    return Scope(user.pk, space_id, channel, writes=remember, room=room, zone=user.zone)


def retraction_scope(
    user_id: uuid.UUID, space_id: uuid.UUID, *, channel: str = ""
) -> Scope:
    """A scope for retractions, without a check of the membership (decision 18)."""
    return Scope(user_id, space_id, channel, writes=False)
