"""Emptying the database after a test that committed.

Django truncates every table and creates all permissions again: a tenth of a second for
hundreds of tests, most of which leave a handful of rows.
"""

from django.apps import apps
from django.db import connection, transaction

KEPT = {"auth_permission", "django_content_type"}
SMALL = 1_000_000
"""Bytes. What has grown past it, or is full of dead rows, is truncated as usual."""


def empty_tables(_test: object = None) -> None:
    """Leave no row, but the permissions that migrations made."""
    with transaction.atomic(), connection.cursor() as cursor:
        tables = _tables()
        listed = ", ".join(tables)
        # A thread that outlives its test may still be writing.
        cursor.execute(f"LOCK TABLE {listed} IN EXCLUSIVE MODE")
        cursor.execute(" UNION ALL ".join(map(_rows, tables)))
        found = dict(cursor.fetchall())
        if any(size > SMALL for size in found.values()):
            cursor.execute(f"TRUNCATE {listed}")
        elif found:
            # No trigger runs, so no order has to be kept.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("; ".join(f"DELETE FROM {table}" for table in found))  # noqa: S608 -- names of models


def _tables() -> list[str]:
    models = apps.get_models(include_auto_created=True)
    named = {model._meta.db_table for model in models if model._meta.managed}
    return [connection.ops.quote_name(table) for table in sorted(named - KEPT)]


def _rows(table: str) -> str:
    """SQL for the table's name and size, if it has any rows."""
    size = f"pg_total_relation_size('{table}')"
    return f"SELECT '{table}', {size} WHERE EXISTS (SELECT FROM {table})"  # noqa: S608 -- names of models
