"""Membership of spaces. A space always keeps an admin.

Each change locks the space first. An admin's open invitations and keys of trusted
proxies end with the role, all keys with the membership.
"""

from collections.abc import Collection
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from people.deletion import (
    announce_departure,
    close_spaces,
    close_users,
    finish_deletion,
)
from people.models import (
    ApiKey,
    Erasure,
    Invitation,
    Membership,
    Space,
    User,
)


class LastAdmin(Exception):
    """The space would be left without an admin."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.pk)
        self.space = space


@transaction.atomic
def change_role(member: Membership, role: str) -> None:
    """Raises LastAdmin."""
    member.space.lock()
    if role != Membership.Role.ADMIN:
        _keep_an_admin_besides(member)
        _open_invitations([member.user_id]).filter(space=member.space_id).delete()
        _revoke_keys(member, trusted_proxy=True)
    Membership.objects.filter(pk=member.pk).update(role=role)


@transaction.atomic
def remove_member(member: Membership) -> None:
    """Raises LastAdmin."""
    _keep_an_admin_besides(member)
    member.space.people.filter(user_id=member.user_id).update(user=None)
    _revoke_keys(member)
    _open_invitations([member.user_id]).filter(space=member.space_id).delete()
    Membership.objects.filter(pk=member.pk).delete()
    ended = {"user": member.user_id, "space": member.space_id}
    Erasure.objects.create(kind=Erasure.Kind.MEMBERSHIP, **ended)
    announce_departure()


def _keep_an_admin_besides(member: Membership) -> None:
    """Lock the space. Raises LastAdmin."""
    member.space.lock()
    admins = Membership.objects.filter(
        space_id=member.space_id, role=Membership.Role.ADMIN
    )
    if set(admins.values_list("pk", flat=True)) == {member.pk}:
        raise LastAdmin(member.space)


@transaction.atomic
def delete_accounts(users: Collection[User]) -> None:
    """Delete users and spaces that only they are in. Raises LastAdmin or BotConnected."""
    keys = [user.pk for user in users]
    for space in Space.objects.filter(memberships__user__in=keys).order_by("pk"):
        space.lock()
    orphaned = spaces_without_admin(keys).first()
    if orphaned is not None:
        raise LastAdmin(orphaned)
    spaces = list(spaces_of_only(keys).values_list("pk", flat=True))
    close_spaces(spaces)
    close_users(User.objects.filter(pk__in=keys))
    _open_invitations(keys).delete()
    transaction.on_commit(partial(finish_deletion, spaces, keys))


def spaces_without_admin(keys: list[UUID]) -> QuerySet[Space]:
    """Spaces with other members that only these users administer."""
    return _left_by(keys).filter(Exists(_others(keys))).order_by("name", "pk")


def spaces_of_only(keys: list[UUID]) -> QuerySet[Space]:
    return _left_by(keys).exclude(Exists(_others(keys)))


def _left_by(keys: list[UUID]) -> QuerySet[Space]:
    """Spaces that would have no admin without these users."""
    admins = _others(keys).filter(role=Membership.Role.ADMIN)
    mine = Membership.objects.filter(space=OuterRef("pk"), user__in=keys)
    return Space.objects.filter(Exists(mine)).exclude(Exists(admins))


def _others(keys: list[UUID]) -> QuerySet[Membership]:
    accounts = Membership.objects.with_account().filter(space=OuterRef("pk"))
    return accounts.exclude(user__in=keys)


def _open_invitations(inviters: list[UUID]) -> QuerySet[Invitation]:
    return Invitation.objects.filter(invited_by__in=inviters, used_at=None)


def _revoke_keys(member: Membership, **which: bool) -> None:
    keys = ApiKey.objects.filter(space=member.space_id, user=member.user_id, **which)
    keys.filter(revoked_at=None).update(revoked_at=timezone.now())
