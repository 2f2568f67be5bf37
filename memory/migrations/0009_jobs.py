"""Capture jobs get a kind, a payload and a lease holder; failed jobs become dead."""

from django.db import migrations, models

TO_PAYLOAD = """
UPDATE memory_capturejob
SET payload = CASE
        WHEN state = 'done' THEN '{}'::jsonb
        ELSE jsonb_build_object('candidates', candidates, 'text', text)
    END,
    kind = CASE kind WHEN 'message' THEN 'remember' ELSE kind END,
    state = CASE state
        WHEN 'failed' THEN 'dead' WHEN 'running' THEN 'waiting' ELSE state
    END,
    leased_until = NULL,
    attempts = CASE WHEN state = 'failed' THEN attempts ELSE 0 END,
    error = left(error, 64)
"""

FROM_PAYLOAD = """
UPDATE memory_capturejob
SET candidates = COALESCE(payload -> 'candidates', '[]'::jsonb),
    text = COALESCE(payload ->> 'text', ''),
    kind = CASE kind WHEN 'remember' THEN 'message' ELSE kind END,
    state = CASE state
        WHEN 'dead' THEN 'failed' WHEN 'running' THEN 'waiting' ELSE state
    END,
    leased_until = NULL
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_one_index_less")]

    operations = [
        migrations.RemoveConstraint("capturejob", "memory_job_source_unique"),
        migrations.RenameField("capturejob", "source_kind", "kind"),
        migrations.AlterField(
            "capturejob", "kind", models.CharField("kind", max_length=16)
        ),
        migrations.AddField(
            "capturejob",
            "payload",
            models.JSONField(
                blank=True, default=dict, help_text="Emptied when the job is done."
            ),
        ),
        migrations.AddField(
            "capturejob",
            "crashes",
            models.PositiveSmallIntegerField(
                "crashes",
                default=0,
                help_text="Workers that were lost with this job.",
            ),
        ),
        migrations.AddField(
            "capturejob",
            "lease_holder",
            models.UUIDField(blank=True, editable=False, null=True),
        ),
        migrations.RunSQL(TO_PAYLOAD, FROM_PAYLOAD),
        migrations.RemoveField("capturejob", "candidates"),
        migrations.RemoveField("capturejob", "context"),
        migrations.RemoveField("capturejob", "text"),
        migrations.AlterField(
            "capturejob",
            "attempts",
            models.PositiveSmallIntegerField(
                "attempts", default=0, help_text="Failures; an outage is not counted."
            ),
        ),
        migrations.AlterField(
            "capturejob", "error", models.CharField("error", blank=True, max_length=64)
        ),
        migrations.AlterField(
            "capturejob",
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
        migrations.AddConstraint(
            "capturejob",
            models.UniqueConstraint(
                fields=["origin", "kind", "source_id"],
                name="memory_job_source_unique",
            ),
        ),
    ]
