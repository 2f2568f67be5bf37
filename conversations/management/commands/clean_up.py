"""Archive facts whose time to live has passed."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from conversations.models import Receipt
from memory import service
from memory.models import MemoryPolicy
from people.management.member_options import named_space


class Command(BaseCommand):
    help = (
        "Count the facts that are past their time to live (the memory policy of a"
        " space) and neither important nor used; with --apply, archive them. Staff can"
        " restore archived facts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        text = "its name or key; default: all spaces"
        parser.add_argument("--space", default="", help=text)
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--dry-run", action="store_true", help="only count; default")
        how.add_argument("--apply", action="store_true", help="archive them")

    def handle(self, *args: Any, **options: Any) -> None:
        policies = MemoryPolicy.objects.filter(time_to_live_days__isnull=False)
        if options["space"]:
            policies = policies.filter(space=named_space(options["space"]))
        if not policies:
            raise CommandError("No space has a time to live in its memory policy.")
        now = timezone.now()
        counts = Counter[str]()
        for policy in policies:
            counts += service.archive_expired(
                policy, Receipt.objects.count_uses, now, dry_run=not options["apply"]
            )
        told = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
        done = "Archived" if options["apply"] else "Dry run, would archive"
        self.stdout.write(f"{done}: {told or 'nothing'}")
