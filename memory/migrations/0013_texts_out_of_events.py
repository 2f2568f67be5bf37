from django.db import migrations, models

# Later events have a hash instead, and the texts are in the memories that they name.
DROP_TEXTS = """
UPDATE memory_memoryevent
   SET data = jsonb_set(data, '{decisions}', (
           SELECT coalesce(jsonb_agg(decision - 'fact' ORDER BY place), '[]')
             FROM jsonb_array_elements(data->'decisions')
                  WITH ORDINALITY AS found(decision, place)
       ))
 WHERE jsonb_typeof(data->'decisions') = 'array'
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_wider_near")]

    operations = [
        migrations.RunSQL(DROP_TEXTS, migrations.RunSQL.noop),
        migrations.AlterField(
            "memoryevent",
            "kind",
            models.CharField(
                choices=[
                    ("memory_decision", "decision"),
                    ("memory_embedding_error", "embedding failed"),
                    ("memory_block_error", "unreadable block"),
                    ("memory_forget", "forgotten"),
                    ("memory_restore", "restored"),
                    ("inspection", "looked at by staff"),
                ],
                max_length=32,
                verbose_name="kind",
            ),
        ),
    ]
