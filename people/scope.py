"""The value that every memory call needs, and the only place that makes it.

A Scope is made for every request and every task, so that a user who left a space
reaches nothing from then on (B-19).
"""

import uuid
from dataclasses import dataclass

from people.models import Membership, User


class NotAMember(Exception):
    """The user is not active or does not belong to this space."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory, in which space, from which channel.

    `user_id` is None where there is no memory: for an unlinked Telegram id and for a user
    who switched memory off. Then nothing is read and nothing is written (S0-10). `writes`
    is False in a conversation that is not remembered; it still uses what is known.
    """

    user_id: uuid.UUID | None
    space_id: uuid.UUID
    channel: str
    writes: bool = True

    @property
    def reads(self) -> bool:
        """Whether there is a memory to search."""
        return self.user_id is not None


def scope_for(
    user: User | None,
    space_id: uuid.UUID,
    *,
    channel: str,
    remember: bool = True,
) -> Scope:
    """Make the Scope of a user in a space; raises NotAMember.

    `remember` is the setting of the conversation.
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


def retraction_scope(
    user_id: uuid.UUID, space_id: uuid.UUID, *, channel: str = ""
) -> Scope:
    """Make the Scope in which memories of their owner are only taken away.

    It checks nothing: the owner may have switched memory off or left the space.
    """
    return Scope(user_id, space_id, channel, writes=False)
