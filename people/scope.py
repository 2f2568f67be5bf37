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

    Without `user_id` nothing is read or written (S0-10): for unlinked Telegram ids and
    with
    memory off. `writes` is False in conversations that are not remembered (decision 19).
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
    is_member: bool | None = None,
) -> Scope:
    """`is_member`, where the caller has just read it. Raises NotAMember."""
    if user is None:
        return Scope(None, space_id, channel, writes=False)
    if is_member is None:
        is_member = Membership.objects.active(user.pk, space_id).exists()
    if not is_member:
        raise NotAMember
    if not user.memory_on:
        return Scope(None, space_id, channel, writes=False)
    return Scope(user.pk, space_id, channel, writes=remember, room=room, zone=user.zone)


def retraction_scope(
    user_id: uuid.UUID, space_id: uuid.UUID, *, channel: str = ""
) -> Scope:
    """A scope for retractions, without a check of the membership (decision 18)."""
    return Scope(user_id, space_id, channel, writes=False)
