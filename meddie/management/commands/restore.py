from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.db.migrations.exceptions import InconsistentMigrationHistory

from meddie.embedded import restoring
from meddie.embedded.backup import add_files_of, checked_dump
from meddie.embedded.refusal import Refusal


class Command(BaseCommand):
    help = "Put what FILE holds in place of what the database holds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?")
        parser.add_argument(
            "--former",
            metavar="NAME",
            nargs="?",
            const="",
            help="instead: put back what a restore replaced, by default the last",
        )
        parser.add_argument(
            "--in-place",
            action="store_true",
            help="without a second database, where DATABASE_URL's user may make none",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """The database stays as it is until the restored one is whole."""
        file = options["file"]
        former = options["former"]
        if (former is None) == (file is None):
            raise CommandError("Name the file of a back-up, or --former.")
        if former is not None:
            restoring.require_alone()
            call_command("tombstones", "save")
            with restoring.former_database(former):
                restoring.require_tables()
                call_command("tombstones", "apply", stdout=self.stdout)
            self.stdout.write("The database of before the restore is back.")
            return
        if options["in_place"] and settings.BUNDLED_DATABASE:
            raise CommandError("--in-place is for a PostgreSQL of your own.")
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        with checked_dump(file) as dump:
            restoring.require_alone()
            call_command("tombstones", "save")
            if options["in_place"]:
                restoring.fill_in_place(dump)
                self._bring_up_to_date(file)
            else:
                with restoring.second_database(dump):
                    self._bring_up_to_date(file)
        self.stdout.write(f"Restored: {file}")

    def _bring_up_to_date(self, file: Path) -> None:
        """Migrate an older back-up's tables, and forget again what was forgotten since."""
        try:
            call_command("migrate", verbosity=0, interactive=False)
            restoring.require_tables()
        except (DatabaseError, InconsistentMigrationHistory) as error:
            reason = str(error).partition("\n")[0]
            raise Refusal(f"{file} cannot be brought up to date: {reason}") from error
        call_command("tombstones", "apply", stdout=self.stdout)
        add_files_of(file)
