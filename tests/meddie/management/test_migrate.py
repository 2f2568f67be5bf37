"""Bringing the tables up to date."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate


def limit() -> str:
    """For statements, and for the wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('statement_timeout') || ' ' ||"
            " current_setting('lock_timeout')"
        )
        return str(cursor.fetchone()[0])


@pytest.mark.django_db
def test_migration_may_take_longer_than_a_page_but_waits_for_no_lock() -> None:
    seen = []

    def look(**_: object) -> None:
        seen.append(limit())

    pre_migrate.connect(look)
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        pre_migrate.disconnect(look)
    assert set(seen) == {"0 5s"}
    assert limit() == "15s 0"
