"""The short copy holds 512 dimensions, those of the local model, and stays in its row.

Vectors of text-embedding-3-small and others are copied again; rows of all-MiniLM-L6-v2
are embedded again by the periodic job. The table is rewritten in one transaction under
an ACCESS EXCLUSIVE lock, so that nothing reads or writes memories meanwhile.
"""

from django.db import migrations, models
from pgvector.django import HalfVectorField, HnswIndex

from memory.models.embedded import Near

DIMENSIONS = 512
# In one statement, so that rows are written with the new storage.
ADD = """
ALTER TABLE memories
  ADD COLUMN near halfvec(512)
      GENERATED ALWAYS AS (subvector(embedding, 1, 512)::halfvec(512)) STORED,
  ALTER COLUMN near SET STORAGE PLAIN
"""
DROP = "ALTER TABLE memories DROP COLUMN near"


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_audience_labels")]

    operations = [
        migrations.RemoveIndex("memory", "memories_near_hnsw"),
        migrations.RemoveField("memory", "near"),
        migrations.RunSQL(
            ADD,
            DROP,
            state_operations=[
                migrations.AddField(
                    "memory",
                    "near",
                    models.GeneratedField(
                        db_persist=True,
                        expression=Near("embedding", dimensions=DIMENSIONS),
                        output_field=HalfVectorField(dimensions=DIMENSIONS),
                    ),
                )
            ],
        ),
        migrations.AddIndex(
            "memory",
            HnswIndex(
                condition=models.Q(ann=True),
                ef_construction=64,
                fields=["near"],
                m=16,
                name="memories_near_hnsw",
                opclasses=["halfvec_cosine_ops"],
            ),
        ),
    ]
