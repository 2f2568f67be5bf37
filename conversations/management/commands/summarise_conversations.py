import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from conversations.backfills import summarise_old, unchunked, unsummarised
from conversations.management.backfilling import add_choice, chosen


class Command(BaseCommand):
    help = "Have old conversations summed up that have no summary yet."

    def add_arguments(self, parser: CommandParser) -> None:
        add_choice(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        which = chosen(options)
        if options["dry_run"]:
            closed, long = unsummarised(which).count(), sum(1 for _ in unchunked(which))
            self.stdout.write(f"Without a summary: {closed} episodes, {long} threads")
            return
        made = tqdm(summarise_old(which), file=sys.stderr, unit="summary")
        self.stdout.write(f"Summaries left to workers: {sum(1 for _ in made)}")
