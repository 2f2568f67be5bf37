"""The short copy of a message's vector holds 512 dimensions, as that of a memory does."""

from django.db import migrations, models
from pgvector.django import HalfVectorField

from memory.models.embedded import Near

DIMENSIONS = 512
# In one statement, so that rows are written with the new storage.
ADD = """
ALTER TABLE message_index
  ADD COLUMN near halfvec(512)
      GENERATED ALWAYS AS (subvector(embedding, 1, 512)::halfvec(512)) STORED,
  ALTER COLUMN near SET STORAGE PLAIN
"""
DROP = "ALTER TABLE message_index DROP COLUMN near"


class Migration(migrations.Migration):
    dependencies = [("conversations", "0009_emergency_note")]

    operations = [
        migrations.RemoveField("messageindex", "near"),
        migrations.RunSQL(
            ADD,
            DROP,
            state_operations=[
                migrations.AddField(
                    "messageindex",
                    "near",
                    models.GeneratedField(
                        db_persist=True,
                        expression=Near("embedding", dimensions=DIMENSIONS),
                        output_field=HalfVectorField(dimensions=DIMENSIONS),
                    ),
                )
            ],
        ),
    ]
