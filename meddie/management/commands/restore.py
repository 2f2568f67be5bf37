from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from meddie.embedded.backup import read_backup


class Command(BaseCommand):
    help = "Put what FILE holds in place of what the database holds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate an older backup's tables, and forget again what was forgotten since."""
        if not options["file"].is_file():
            raise CommandError(f"There is no file {options['file']}.")
        call_command("tombstones", "save")
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
        read_backup(options["file"])
        call_command("migrate", verbosity=0, interactive=False)
        call_command("tombstones", "apply", stdout=self.stdout)
        self.stdout.write(f"Restored: {options['file']}")
