"""Django's migrate, without the limit that is there for pages."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """An index over all that was ever said takes longer than 15 seconds."""
        connection = connections[options["database"]]
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
        super().handle(*args, **options)
        with connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")
