from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from meddie.embedded.backup import record_backup, write_backup
from meddie.embedded.locations import locations
from meddie.file_storage import FilesAway


class Command(BaseCommand):
    help = "Write the database and all files into FILE, or into the data folder's backups/."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        name = f"meddie-{timezone.now():%Y%m%d-%H%M%S}.tar"
        file = options["file"] or locations().data / "backups" / name
        try:
            write_backup(file)
        except FilesAway as error:
            raise CommandError(f"Not written: no file can be read ({error}).") from None
        record_backup()
        call_command("tombstones", "save")
        self.stdout.write(f"Written: {file}")
