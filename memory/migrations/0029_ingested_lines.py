"""Which lines of journals came through the ingestion API."""

from django.db import migrations, models

MARK_INGESTED = """
UPDATE memory_journalline line SET ingested = true
  FROM conversations_message message
  JOIN conversations_thread thread ON thread.id = message.thread_id
 WHERE message.id = line.id AND thread.channel = 'ingest'
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0028_words_of_evidence"),
        ("conversations", "0025_ingested_messages"),
    ]

    operations = [
        migrations.AddField(
            model_name="journalline",
            name="ingested",
            field=models.BooleanField(
                default=False, verbose_name="through the ingestion API"
            ),
        ),
        migrations.RunSQL(MARK_INGESTED, migrations.RunSQL.noop),
    ]
