"""What the commands for old conversations share."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from conversations.backfills import Which
from people.models import Space, User


def add_choice(parser: ArgumentParser) -> None:
    parser.add_argument("--user", help="only of this e-mail address")
    parser.add_argument("--space", type=UUID, help="only in the space with this key")
    parser.add_argument("--dry-run", action="store_true", help="only count")


def chosen(options: dict[str, Any]) -> Which:
    """Raises CommandError for an unknown user or space."""
    user = space = None
    if options["user"]:
        user = User.objects.filter(email=options["user"].strip().lower()).first()
        if user is None:
            raise CommandError("There is no such user.")
    if options["space"]:
        space = Space.objects.filter(pk=options["space"]).first()
        if space is None:
            raise CommandError("There is no such space.")
    return Which(user, space)
