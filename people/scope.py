"""The value that every memory call needs, and the one way to make it.

A Scope says whose memory is meant. Without a user nothing is read and nothing is
written (S0-10). It is made anew for every request and every task, so that somebody
who left a space reaches nothing from that moment on (B-19).
"""

import uuid
from dataclasses import dataclass

from people.models import Membership, User


class NotAMember(Exception):
    """The user does not belong to this space."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory, in which space, from which channel.

    `user_id` is None where there is nobody to remember: an unlinked Telegram id, or a
    user who switched memory off. `writes` is False in a conversation that is not to be
    remembered; what is known is still used there.
    """

    user_id: uuid.UUID | None
    space_id: uuid.UUID
    channel: str
    writes: bool = True

    @property
    def reads(self) -> bool:
        """Whether there is a memory to look into."""
        return self.user_id is not None


def scope_for(
    user: User | None,
    space_id: uuid.UUID,
    *,
    channel: str,
    remember: bool = True,
) -> Scope:
    """Make the Scope of a user in a space.

    Raises NotAMember when the user is not active or not in the space. `remember` is the
    conversation's wish.
    """
    if user is None:
        return Scope(None, space_id, channel, writes=False)
    member = Membership.objects.filter(
        user_id=user.pk, user__is_active=True, space_id=space_id
    )
    if not member.exists():
        raise NotAMember
    if not user.memory_on:
        return Scope(None, space_id, channel, writes=False)
    return Scope(user.pk, space_id, channel, writes=remember)
