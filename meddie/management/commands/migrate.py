"""Django's migrate, one at a time, without a statement time-out and with one for locks."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from meddie.embedded.upgradable import require_upgradable

MIGRATION_LOCK = 6_333_433  # key of the advisory lock
# A change of a table that waits for a lock holds up all who come after it.
LOCK_TIMEOUT = "5s"


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
            cursor.execute(
                "SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT]
            )
        try:
            applied = set(MigrationRecorder(connection).applied_migrations())
            require_upgradable(applied, "The database")
            super().handle(*args, **options)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
                cursor.execute("RESET statement_timeout")
                cursor.execute("RESET lock_timeout")
