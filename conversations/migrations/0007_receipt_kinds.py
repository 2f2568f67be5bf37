"""Receipts of every kind of memory; existing ones are of memories."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conversations", "0006_jobs")]

    operations = [
        migrations.RemoveConstraint("receipt", "conversations_receipt_unique"),
        migrations.AlterField("receipt", "memory", models.UUIDField()),
        migrations.RenameField("receipt", "memory", "object_id"),
        migrations.AddField(
            "receipt",
            "kind",
            models.CharField(
                choices=[("memory", "memory")],
                default="memory",
                max_length=16,
                verbose_name="kind",
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            "receipt",
            models.UniqueConstraint(
                fields=["message", "kind", "object_id"],
                name="conversations_receipt_unique",
            ),
        ),
    ]
