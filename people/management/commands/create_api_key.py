"""A key of the API, made by an operator."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people import api_keys
from people.management.member_options import add_member_options, named_member
from people.models.api_key import KEY_NAME_LIMIT
from people.scope import NotAMember


class Command(BaseCommand):
    help = "Make a key for the API of a space and print it, once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_member_options(parser)
        parser.add_argument("--name", default="", help="shown in the list of keys")
        parser.add_argument(
            "--trusted-proxy",
            action="store_true",
            help="calls with the key may name other users by header",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user, space = named_member(options)
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
