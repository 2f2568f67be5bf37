"""Who belongs to a space. A space always keeps an admin.

Each change locks the space's row first, so that two admins who go at the same moment
cannot both be the one who was not the last. Who stops being an admin takes their open
invitations along: one of them could be to another address of their own.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from people.deletion import delete_spaces, undisturbed
from people.models import Invitation, Membership, Space, User


class LastAdmin(Exception):
    """The space would be left without an admin."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.pk)
        self.space = space


@transaction.atomic
def change_role(member: Membership, role: str) -> None:
    """Make a member an admin or an admin a member; raises LastAdmin."""
    member.space.hold()
    if role != Membership.Role.ADMIN:
        _keep_an_admin_besides(member)
        _open_invitations([member.user_id]).filter(space=member.space_id).delete()
    Membership.objects.filter(pk=member.pk).update(role=role)


@transaction.atomic
def remove(member: Membership) -> None:
    """End a membership, one's own or another's; raises LastAdmin."""
    _keep_an_admin_besides(member)
    _unlink(member)
    _open_invitations([member.user_id]).filter(space=member.space_id).delete()
    Membership.objects.filter(pk=member.pk).delete()


def _keep_an_admin_besides(member: Membership) -> None:
    """Raise LastAdmin if the space has no other; hold the space till it is done."""
    member.space.hold()
    admins = Membership.objects.filter(
        space_id=member.space_id, role=Membership.Role.ADMIN
    )
    if set(admins.values_list("pk", flat=True)) == {member.pk}:
        raise LastAdmin(member.space)


@undisturbed
def delete_accounts(users: Iterable[User]) -> None:
    """Delete users, and the spaces that nobody else is in; raises LastAdmin, or
    BotConnected.

    All of them or none: a space that others stay in keeps an admin among these.
    """
    keys = [user.pk for user in users]
    for space in Space.objects.filter(memberships__user__in=keys).order_by("pk"):
        space.hold()
    orphaned = _left_by(keys).filter(Exists(_others(keys))).first()
    if orphaned is not None:
        raise LastAdmin(orphaned)
    delete_spaces(list(spaces_of_only(keys).values_list("pk", flat=True)))
    _open_invitations(keys).delete()
    list(User.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    User.objects.filter(pk__in=keys).delete()


def spaces_of_only(keys: list[UUID]) -> QuerySet[Space]:
    """Spaces that nobody but these users is in."""
    return _left_by(keys).exclude(Exists(_others(keys)))


def _left_by(keys: list[UUID]) -> QuerySet[Space]:
    """Spaces that would be without an admin."""
    admins = _others(keys).filter(role=Membership.Role.ADMIN)
    mine = Membership.objects.filter(space=OuterRef("pk"), user__in=keys)
    return Space.objects.filter(Exists(mine)).exclude(Exists(admins))


def _others(keys: list[UUID]) -> QuerySet[Membership]:
    return Membership.objects.filter(space=OuterRef("pk")).exclude(user__in=keys)


def _open_invitations(inviters: list[UUID]) -> QuerySet[Invitation]:
    return Invitation.objects.filter(invited_by__in=inviters, accepted_at=None)


def _unlink(member: Membership) -> None:
    """A person may be linked to members only."""
    member.space.people.filter(user_id=member.user_id).update(user=None)
