"""Users and spaces that the options of commands name."""

from uuid import UUID

from django.core.management.base import CommandError

from people.models import Space, User


def named_user(address: str) -> User:
    """Raises CommandError."""
    user = User.objects.filter(email=address.strip().lower()).first()
    if user is None:
        raise CommandError("There is no such user.")
    return user


def named_space(key: UUID) -> Space:
    """Raises CommandError."""
    space = Space.objects.filter(pk=key).first()
    if space is None:
        raise CommandError("There is no such space.")
    return space
