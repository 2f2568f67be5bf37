"""Autovacuum waits until a fifth of a table has changed: of all users' rows, though it is
one user's search that reads past the dead ones or is planned by old figures."""

from django.db import migrations

SOONER = """
ALTER TABLE memories SET (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
)
"""
AS_BEFORE = """
ALTER TABLE memories RESET (
    autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor
)
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0005_large_scopes")]

    operations = [migrations.RunSQL(SOONER, AS_BEFORE)]
