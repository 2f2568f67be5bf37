"""The options `--user` and `--space` of commands: a key, an address or a name."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import Q, QuerySet

from people.models import Space, User

MOST_LISTED = 20  # choices in an error
SAME_NAME = "Several spaces have this name, so name one by its key"


def add_member_options(parser: ArgumentParser) -> None:
    parser.add_argument("--user", required=True, help="an address, a name or a key")
    default = "its name or key; default: the user's only space"
    parser.add_argument("--space", default="", help=default)


def named_member(options: Mapping[str, Any]) -> tuple[User, Space]:
    """An active user, and a space that they are in. Raises CommandError."""
    user = named_user(options["user"])
    spaces = Space.objects.filter(memberships__user=user).order_by("name", "pk")
    if not user.is_active or not spaces:
        raise CommandError(f"{user.email} is in no space.")
    if not options["space"]:
        return user, _only(spaces, f"{user.email} is in several spaces, so name one")
    found = spaces.filter(_is_named(options["space"], "name"))
    if not found:
        told = f"{user.email} is in no space of this name or key, but in"
        raise CommandError(f"{told}: {_listed(spaces)}.")
    return user, _only(found, SAME_NAME)


def named_user(named: str) -> User:
    """Also one that is not active. Raises CommandError."""
    found = User.objects.filter(_is_named(named, "email"))
    found = found or User.objects.filter(name__iexact=named.strip()).order_by("email")
    if not found:
        raise CommandError("There is no such user.")
    user: User = _only(
        found, "Several users have this name, so name one by address or key"
    )
    return user


def named_space(named: object) -> Space:
    """Of all spaces. Raises CommandError."""
    found = Space.objects.filter(_is_named(named, "name")).order_by("pk")
    if not found:
        raise CommandError("There is no such space.")
    space: Space = _only(found, SAME_NAME)
    return space


def _is_named(named: object, field: str) -> Q:
    text = str(named).strip()
    try:
        return Q(pk=UUID(text))
    except ValueError:
        return Q(**{f"{field}__iexact": text})


def _only(found: QuerySet[Any], otherwise: str) -> Any:
    """Raises CommandError with the choices, unless there is one row."""
    if len(found) > 1:
        raise CommandError(f"{otherwise}: {_listed(found)}.")
    return found[0]


def _listed(found: QuerySet[Any]) -> str:
    shown = [
        f"{row.pk} ({row.email if isinstance(row, User) else row.name})"
        for row in found[:MOST_LISTED]
    ]
    return "; ".join(shown + ["…"] * (len(found) > MOST_LISTED))
