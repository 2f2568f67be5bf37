"""The options `--user` and `--space` of commands."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from people.models import Space, User


def add_member_options(parser: ArgumentParser) -> None:
    parser.add_argument("--user", required=True, help="an email address")
    parser.add_argument(
        "--space", type=UUID, help="its key; default: the user's only space"
    )


def named_member(options: Mapping[str, Any]) -> tuple[User, UUID]:
    """The user and the space. Raises CommandError."""
    user = User.objects.filter(email=options["user"].strip().lower()).first()
    spaces = Space.objects.filter(memberships__user=user).order_by("name", "pk")
    if options["space"]:
        spaces = spaces.filter(pk=options["space"])
        if user is None or not user.is_active or not spaces:
            raise CommandError("There is no such user in that space.")
    elif user is None or not user.is_active or not spaces:
        raise CommandError("There is no such user in any space.")
    if len(spaces) > 1:
        named = "; ".join(f"{space.pk} ({space.name})" for space in spaces)
        raise CommandError(f"The user has several spaces, so name one: {named}.")
    return user, spaces[0].pk


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
