"""Keep what was forgotten beside the database, for a restore of an older back-up."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from meddie.embedded.locations import locations
from memory.tombstones import apply_tombstones, save_tombstones

TOMBSTONES_FILE = "tombstones/forgotten.jsonl"  # in the data folder


class Command(BaseCommand):
    help = (
        "Write keys and hashes of what was forgotten into the data folder's"
        f" {TOMBSTONES_FILE}, or forget it again in this database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["save", "apply"])

    def handle(self, *args: Any, **options: Any) -> None:
        """An empty database has nothing to save."""
        file = locations().make_data() / TOMBSTONES_FILE
        file.parent.mkdir(mode=0o700, exist_ok=True)
        if options["what"] == "save":
            if "memories" in connection.introspection.table_names():
                save_tombstones(file)
            return
        for what, count in apply_tombstones(file).items():
            if count:
                self.stdout.write(f"Forgotten again: {count} {what}")
