"""What the commands for old conversations share."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from conversations.backfills import Which
from people.management.named import named_space, named_user


def add_choice(parser: ArgumentParser) -> None:
    parser.add_argument("--user", help="only of this email address")
    parser.add_argument("--space", type=UUID, help="only in the space with this key")
    parser.add_argument("--dry-run", action="store_true", help="only count")


def chosen(options: dict[str, Any]) -> Which:
    """Raises CommandError for an unknown user or space."""
    user = named_user(options["user"]) if options["user"] else None
    space = named_space(options["space"]) if options["space"] else None
    return Which(user, space)
