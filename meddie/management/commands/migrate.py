"""Django's migrate, one at a time and without the statement time-out of pages."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

LOCK = 6_333_433
"""Key of the advisory lock; any number that nothing else locks."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Wait for another process that migrates, then migrate."""
        connection = connections[options["database"]]
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            super().handle(*args, **options)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
                cursor.execute("RESET statement_timeout")
