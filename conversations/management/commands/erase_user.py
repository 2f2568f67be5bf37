"""Erase a user or, with --space, all that one space has of the user."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.forgetting.erasing import (
    Traces,
    count_rows,
    erase_user,
    find_remains,
    read_traces,
)
from people.deletion import BotConnected
from people.management.member_options import named_space, named_user
from people.members import LastAdmin


class Command(BaseCommand):
    help = (
        "Delete a user with everything, or with --space the memories, conversations and"
        " files of the user in it; the membership stays. Then search for what is left."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, help="an address, a name or a key")
        parser.add_argument("--space", default="", help="its name or key")
        parser.add_argument(
            "--dry-run", action="store_true", help="only say what would be erased"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = named_user(options["user"])
        space = named_space(options["space"]) if options["space"] else None
        for name, count in sorted(count_rows(user, space).items()):
            self.stdout.write(f"{count} {name}")
        if options["dry_run"]:
            return
        traces = read_traces(user, space)
        _erase(traces)
        if left := find_remains(traces):
            raise CommandError(f"Something is left in: {', '.join(left)}.")
        self.stdout.write("Erased. Nothing is left.")


def _erase(traces: Traces) -> None:
    try:
        erase_user(traces)
    except LastAdmin as error:
        raise CommandError(
            f"{error.space.name} would have no admin: give another member that role."
        ) from error
    except BotConnected as error:
        raise CommandError(
            f"{error.space.name} has a Telegram bot: disconnect it first."
        ) from error
