"""Links between Telegram ids and accounts, checked for each message."""

import uuid
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from conversations.telegram.models import TelegramLink
from conversations.telegram.models import TelegramLinkCode as Code
from people.models import Membership, Person, Space, User
from people.scope import NotAMember


class AlreadyLinked(Exception):
    """The Telegram id belongs to another user or person of this space.

    Otherwise members could send their links to others and read their messages.
    """


@dataclass(frozen=True, slots=True)
class Speaker:
    """Without a user there is no memory."""

    link_id: uuid.UUID
    user: User | None
    person: Person | None
    added_by_admin: bool  # the sender has not proved to be the user


def speaker(space_id: uuid.UUID, telegram_id: int) -> Speaker | None:
    """None without a valid link that its user, if any, has confirmed."""
    links = TelegramLink.objects.select_related("user", "person")
    link = links.filter(space_id=space_id, telegram_id=telegram_id).first()
    if link is None or link.is_pending:
        return None
    if link.user and not _belongs(link.user, space_id):
        return None
    person = link.person
    if person and (person.space_id != space_id or person.deleted_at):
        person = None
    if link.user is None and person is None:  # the person was deleted
        return None
    return Speaker(link.pk, link.user, person, link.asked_by_id is not None)


def is_pending(space_id: uuid.UUID, telegram_id: int) -> bool:
    links = TelegramLink.objects.filter(space_id=space_id, telegram_id=telegram_id)
    return links.pending().exists()


def add_link(link: TelegramLink, admin: User) -> None:
    """Store a new link; another user than the admin has to confirm it."""
    link.asked_by = admin
    link.confirmed_at = timezone.now() if link.user == admin else None
    link.save(force_insert=True)


def confirm(link: TelegramLink) -> None:
    """For the user of the link only."""
    pending = TelegramLink.objects.pending().filter(pk=link.pk, user=link.user)
    pending.update(confirmed_at=timezone.now())


def _belongs(user: User, space_id: uuid.UUID) -> bool:
    members = Membership.objects.filter(user_id=user.pk, space_id=space_id)
    return user.is_active and members.exists()


@transaction.atomic
def make_code(user: User, space: Space) -> str:
    """A code for a deep link; earlier codes end. Raises NotAMember."""
    if not _belongs(user, space.pk):
        raise NotAMember
    Code.objects.filter(user=user, space=space).delete()
    code, fields = Code.mint()
    Code.objects.create(user=user, space=space, **fields)
    return code


@transaction.atomic
def redeem(space_id: uuid.UUID, telegram_id: int, code: str) -> TelegramLink | None:
    """A link for its user to confirm; None if the code is invalid.

    A code can reach others: the holder of the bot's token reads what the bot is sent.
    Raises AlreadyLinked.
    """
    locked = Code.objects.select_for_update(of=("self",)).select_related("user")
    found = locked.open().with_token(code).filter(space_id=space_id).first()
    if found is None or not _belongs(found.user, space_id):
        return None
    link = _link(space_id, telegram_id, found.user)
    found.use()
    return link


def delete_expired_codes() -> None:
    over = Q(used_at__isnull=False) | Q(expires_at__lt=timezone.now())
    Code.objects.filter(over).delete()


def has_open_code(user: User, space: Space) -> bool:
    return Code.objects.open().filter(user=user, space=space).exists()


def _link(space_id: uuid.UUID, telegram_id: int, user: User) -> TelegramLink:
    people = Person.objects.in_space(space_id)
    link, _made = TelegramLink.objects.select_for_update(of=("self",)).get_or_create(
        space_id=space_id,
        telegram_id=telegram_id,
        defaults={"user": user, "person": people.filter(user=user).first()},
    )
    guest = link.person if link.user_id is None else None
    if link.user_id not in {None, user.pk}:
        raise AlreadyLinked
    if guest is not None and guest.user_id != user.pk:
        raise AlreadyLinked
    if link.user is None:
        link.user, link.confirmed_at = user, None
    link.blocked_at = None
    link.save(update_fields=["user", "blocked_at", "confirmed_at"])
    return link


def mark_blocked(link_id: uuid.UUID) -> None:
    unblocked = TelegramLink.objects.filter(pk=link_id, blocked_at=None)
    unblocked.update(blocked_at=timezone.now())


def clear_blocked(link_id: uuid.UUID) -> None:
    blocked = TelegramLink.objects.filter(pk=link_id, blocked_at__isnull=False)
    blocked.update(blocked_at=None)
