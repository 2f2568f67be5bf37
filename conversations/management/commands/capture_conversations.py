import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from conversations.backfills import capture_old, uncaptured
from conversations.management.backfilling import add_choice, chosen


class Command(BaseCommand):
    help = (
        "Have facts extracted from old messages that were not looked at, also in spaces"
        " whose policy wants no extraction. Ask a model once for each message."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_choice(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        which = chosen(options)
        total = uncaptured(which).count()
        if options["dry_run"]:
            self.stdout.write(f"Messages without facts or a job: {total}")
            return
        made = tqdm(capture_old(which), total=total, file=sys.stderr, unit="message")
        self.stdout.write(f"Messages left to workers: {sum(1 for _ in made)}")
