from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from meddie.embedded.backup import read_backup


class Command(BaseCommand):
    help = "Put what FILE holds in place of what the database holds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, then migrate an older backup's tables."""
        if not options["file"].is_file():
            raise CommandError(f"There is no file {options['file']}.")
        read_backup(options["file"])
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(f"Restored: {options['file']}")
