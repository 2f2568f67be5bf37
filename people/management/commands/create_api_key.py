"""A key of the API, made by an operator."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from people import api_keys
from people.models import Space, User
from people.models.api_key import KEY_NAME_LIMIT
from people.scope import NotAMember


class Command(BaseCommand):
    help = "Make a key for the API of a space and print it, once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", required=True, help="its key, or its exact name")
        parser.add_argument("--user", required=True, help="a member's email address")
        parser.add_argument("--name", default="", help="shown in the list of keys")
        parser.add_argument(
            "--trusted-proxy",
            action="store_true",
            help="calls with the key may name other users by header",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        space = _space(options["space"])
        user = User.objects.filter(email=options["user"].strip().lower()).first()
        if user is None:
            raise CommandError("There is no user with this email address.")
        if len(options["name"]) > KEY_NAME_LIMIT:
            raise CommandError(f"The name has more than {KEY_NAME_LIMIT} characters.")
        try:
            _row, key = api_keys.create(
                space,
                user,
                name=options["name"],
                trusted_proxy=options["trusted_proxy"],
            )
        except NotAMember as error:
            raise CommandError(
                "This user is not an active member of the space."
            ) from error
        except api_keys.TooManyKeys as error:
            raise CommandError(
                f"This user has {api_keys.MOST_KEYS} keys: revoke one first."
            ) from error
        self.stdout.write(key)


def _space(named: str) -> Space:
    try:
        spaces = Space.objects.filter(pk=UUID(named))
    except ValueError:
        spaces = Space.objects.filter(name=named)
    found = list(spaces[:2])
    if not found:
        raise CommandError("There is no such space.")
    if len(found) > 1:
        raise CommandError("Several spaces have this name, so give the space's key.")
    return found[0]
