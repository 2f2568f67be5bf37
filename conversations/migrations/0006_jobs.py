"""Telegram updates become jobs: their stage is kept apart from the state of the job."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

TO_STAGES = """
UPDATE conversations_telegramupdate u
SET stage = CASE
        WHEN state IN ('received', 'turn', 'reply') THEN state
        WHEN EXISTS (SELECT FROM conversations_telegrampart p WHERE p.update_id = u.id)
            THEN 'reply'
        WHEN reply_id IS NOT NULL THEN 'turn'
        ELSE 'received'
    END,
    state = CASE WHEN state IN ('done', 'dead') THEN state ELSE 'waiting' END,
    kind = CASE WHEN payload ? 'callback_query' THEN 'button' ELSE 'message' END,
    updated_at = COALESCE(ended_at, created_at),
    crashes = 0
"""

FROM_STAGES = """
UPDATE conversations_telegramupdate
SET ended_at = CASE WHEN state IN ('done', 'dead') THEN updated_at END,
    state = CASE WHEN state IN ('done', 'dead') THEN state ELSE stage END
"""


class Migration(migrations.Migration):
    dependencies = [("conversations", "0005_words_between_signs")]

    operations = [
        migrations.RemoveConstraint(
            "telegramupdate", "conversations_telegram_update_ended"
        ),
        migrations.RemoveIndex("telegramupdate", "conversations_telegram_waiting"),
        migrations.RemoveIndex("telegramupdate", "conversations_telegram_ended"),
        migrations.RenameField("telegramupdate", "begun", "crashes"),
        migrations.RenameField("telegramupdate", "received_at", "created_at"),
        migrations.AddField(
            "telegramupdate",
            "kind",
            models.CharField("kind", default="message", max_length=16),
            preserve_default=False,
        ),
        migrations.AddField(
            "telegramupdate",
            "stage",
            models.CharField(
                "stage",
                choices=[
                    ("received", "received"),
                    ("turn", "turn stored"),
                    ("reply", "reply stored"),
                ],
                default="received",
                max_length=8,
            ),
        ),
        migrations.AddField(
            "telegramupdate",
            "lease_holder",
            models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            "telegramupdate",
            "leased_until",
            models.DateTimeField("leased until", blank=True, null=True),
        ),
        migrations.AddField(
            "telegramupdate",
            "updated_at",
            models.DateTimeField(
                "updated", auto_now=True, default=django.utils.timezone.now
            ),
            preserve_default=False,
        ),
        migrations.RunSQL(TO_STAGES, FROM_STAGES),
        migrations.RemoveField("telegramupdate", "ended_at"),
        migrations.AlterField(
            "telegramupdate",
            "attempts",
            models.PositiveSmallIntegerField(
                "attempts", default=0, help_text="Failures; an outage is not counted."
            ),
        ),
        migrations.AlterField(
            "telegramupdate",
            "crashes",
            models.PositiveSmallIntegerField(
                "crashes",
                default=0,
                help_text="Workers that were lost with this job.",
            ),
        ),
        migrations.AlterField(
            "telegramupdate",
            "created_at",
            models.DateTimeField("created", auto_now_add=True),
        ),
        migrations.AlterField(
            "telegramupdate",
            "payload",
            models.JSONField(
                blank=True, default=dict, help_text="Emptied when the job is done."
            ),
        ),
        migrations.AlterField(
            "telegramupdate",
            "link",
            models.ForeignKey(
                blank=True,
                help_text="The link of the sender; empty for an unlinked account.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="people.telegramlink",
            ),
        ),
        migrations.AlterField(
            "telegramupdate",
            "state",
            models.CharField(
                "state",
                choices=[
                    ("waiting", "waiting"),
                    ("running", "running"),
                    ("done", "done"),
                    ("dead", "dead"),
                ],
                default="waiting",
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            "telegramupdate",
            models.Index(
                condition=models.Q(state__in=["waiting", "running"]),
                fields=["thread", "update_id"],
                name="conversations_telegram_waiting",
            ),
        ),
        migrations.AddIndex(
            "telegramupdate",
            models.Index(
                condition=models.Q(state__in=["done", "dead"]),
                fields=["updated_at"],
                name="conversations_telegram_ended",
            ),
        ),
    ]
