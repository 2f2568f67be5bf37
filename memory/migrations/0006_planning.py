"""What the planner must know to search a large scope by its index.

A user and a space go together, and who is in the index on vectors too: taken for
independent, 40,000 rows looked like 1,500, which are sooner sorted than looked up (62
ms instead of 39). And autovacuum, which keeps such figures, waits until a fifth of a table
has changed: of all users' rows, though it is one user's search that they slow down.
"""

from django.db import migrations

TOGETHER = """
CREATE STATISTICS memories_scope (mcv) ON user_id, space_id, ann FROM memories
"""
APART = "DROP STATISTICS memories_scope"
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

    operations = [
        migrations.RunSQL(TOGETHER, APART),
        migrations.RunSQL(SOONER, AS_BEFORE),
        migrations.RunSQL("ANALYZE memories", migrations.RunSQL.noop),
    ]
