"""Django's migrate, one at a time and without a statement time-out."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

LOCK = 6_333_433  # key of the advisory lock


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
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
