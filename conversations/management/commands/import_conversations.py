"""Learn from conversations with another assistant."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from conversations.attachments.extraction import Unreadable
from conversations.exported_messages import (
    capture_exported,
    open_export,
    uncaptured_of,
)
from people.management.member_options import add_member_options, named_member
from people.scope import scope_for


class Command(BaseCommand):
    help = (
        "Have facts extracted from a user's own messages in an export of ChatGPT,"
        " Claude, Gemini, Open WebUI, Telegram or WhatsApp, with their dates. Ask a"
        " model once for each message. The conversations themselves are not kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        add_member_options(parser)
        parser.add_argument("--me", default="", help="your name in a chat of several")
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *args: Any, **options: Any) -> None:
        user, space = named_member(options)
        scope = scope_for(user, space.pk, channel="import")
        if not scope.writes:
            raise CommandError("The user or the household has switched memory off.")
        file: Path = options["file"]
        asked = {"name": file.name, "whose": options["me"], "zone": user.time_zone}
        try:
            with file.open("rb") as opened, open_export(opened, asked) as export:
                new = list(uncaptured_of(scope, export.messages))
                is_other, unread = not export.total, sum(export.unread.values())
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        except Unreadable as error:
            named = ", ".join(label for _value, label in error.samples)
            asks = f" Name yours with --me: {named}" if str(error) == "whose" else ""
            raise CommandError(f"The file cannot be read: {error}.{asks}") from error
        if unread:
            told = f"Messages without words or date, which are not read: {unread}"
            self.stdout.write(told)
        if is_other:
            raise CommandError("The file has no messages of the user.")
        if options["dry_run"]:
            self.stdout.write(f"Messages that were not imported yet: {len(new)}")
            return
        for message in tqdm(new, file=sys.stderr, unit="message"):
            capture_exported(scope, message)
        self.stdout.write(f"Messages left to workers: {len(new)}")
