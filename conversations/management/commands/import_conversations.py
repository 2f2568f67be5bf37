"""Learn from conversations with another assistant."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from conversations.attachments.extraction.assistant_exports import (
    NotAnExport,
    read_export,
)
from conversations.chatgpt_export import (
    capture_exported,
    uncaptured_of,
)
from people.management.member_options import add_member_options, named_member
from people.scope import scope_for


class Command(BaseCommand):
    help = (
        "Have facts extracted from a user's own messages in conversations.json of an"
        " export of ChatGPT, with their dates. Ask a model once for each message. The"
        " conversations themselves are not kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        add_member_options(parser)
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *args: Any, **options: Any) -> None:
        user, space_id = named_member(options)
        scope = scope_for(user, space_id, channel="import")
        if not scope.writes:
            raise CommandError("This user has switched memory off.")
        try:
            messages = read_export(options["file"].read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        except NotAnExport as error:
            raise CommandError(str(error)) from error
        new = list(uncaptured_of(scope, messages))
        if options["dry_run"]:
            self.stdout.write(f"Messages that were not imported yet: {len(new)}")
            return
        for message in tqdm(new, file=sys.stderr, unit="message"):
            capture_exported(scope, message)
        self.stdout.write(f"Messages left to workers: {len(new)}")
