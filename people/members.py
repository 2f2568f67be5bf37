"""Who belongs to a space. A space always keeps an admin.

Each change locks the space's row first, so that two admins who go at the same moment
cannot both be the one who was not the last.
"""

from django.db import transaction

from people.models import Membership


class LastAdmin(Exception):
    """The space would be left without an admin."""


@transaction.atomic
def change_role(member: Membership, role: str) -> None:
    """Make a member an admin or an admin a member; raises LastAdmin."""
    member.space.hold()
    if role != Membership.Role.ADMIN:
        _keep_an_admin_besides(member)
    Membership.objects.filter(pk=member.pk).update(role=role)


@transaction.atomic
def remove(member: Membership) -> None:
    """End a membership, one's own or another's; raises LastAdmin."""
    member.space.hold()
    _keep_an_admin_besides(member)
    _unlink(member)
    Membership.objects.filter(pk=member.pk).delete()


def _keep_an_admin_besides(member: Membership) -> None:
    admins = Membership.objects.filter(
        space_id=member.space_id, role=Membership.Role.ADMIN
    )
    if set(admins.values_list("pk", flat=True)) == {member.pk}:
        raise LastAdmin


def _unlink(member: Membership) -> None:
    """A person may be linked to members only."""
    member.space.people.filter(user_id=member.user_id).update(user=None)
