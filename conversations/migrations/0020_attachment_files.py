"""Files move out of the database, and get texts and jobs."""

import hashlib
import uuid

import django.contrib.postgres.search
import django.db.models.deletion
import django.utils.timezone
import pgvector.django.halfvec
import pgvector.django.vector
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import migrations, models

import conversations.models.attachment
import memory.models.embedded

OWNERS = """
UPDATE conversations_attachment SET
    user_id = found.user_id, space_id = found.space_id, number = found.number,
    kind = CASE kind WHEN 'photo' THEN 'image' WHEN 'voice' THEN 'audio' ELSE kind END
FROM (
    SELECT a.id, c.user_id, c.space_id, row_number() OVER (
        PARTITION BY c.user_id ORDER BY a.created_at, a.id
    ) AS number
    FROM conversations_attachment a
    JOIN conversations_message m ON m.id = a.message_id
    JOIN conversations_conversation c ON c.id = m.conversation_id
) AS found
WHERE found.id = conversations_attachment.id
"""
KINDS = """
UPDATE conversations_attachment SET
    kind = CASE kind WHEN 'image' THEN 'photo' WHEN 'audio' THEN 'voice' ELSE kind END
"""
# Else the table cannot be altered in the same transaction.
CHECK_NOW = "SET CONSTRAINTS ALL IMMEDIATE"


def move_out(apps, schema_editor):
    """One file at a time, so that the memory needed does not grow."""
    attachment = apps.get_model("conversations", "Attachment")
    job = apps.get_model("conversations", "DerivationJob")
    schema_editor.execute("SET LOCAL statement_timeout = 0")
    schema_editor.execute(OWNERS)
    storage = storages["attachments"]
    keys = list(attachment.objects.values_list("pk", "user_id"))
    for pk, user_id in keys:
        row = attachment.objects.filter(pk=pk)
        content = bytes(row.values_list("content", flat=True).get())
        key = uuid.uuid4().hex
        row.update(
            file=storage.save(f"{key[:2]}/{key}", ContentFile(content)),
            sha256=hashlib.sha256(content).hexdigest(),
            content=None,
            state="pending" if user_id else "done",
        )
        if user_id:
            job.objects.create(attachment_id=pk, kind="derive")
    schema_editor.execute(CHECK_NOW)


def move_back(apps, schema_editor):
    """Files that were not sent have no place in the version before."""
    attachment = apps.get_model("conversations", "Attachment")
    schema_editor.execute("SET LOCAL statement_timeout = 0")
    attachment.objects.filter(message=None).delete()
    storage = storages["attachments"]
    for pk, name in list(attachment.objects.values_list("pk", "file")):
        with storage.open(name) as file:
            attachment.objects.filter(pk=pk).update(content=file.read())
    schema_editor.execute(KINDS)
    schema_editor.execute(CHECK_NOW)


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0019_episodes"),
        ("people", "0006_accounts_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DerivationJob",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=16, verbose_name="kind")),
                (
                    "payload",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Emptied when the job is done.",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("dead", "dead"),
                        ],
                        default="waiting",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Failures; an outage is not counted.",
                        verbose_name="attempts",
                    ),
                ),
                (
                    "crashes",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Workers that were lost with this job.",
                        verbose_name="crashes",
                    ),
                ),
                (
                    "available_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="due"
                    ),
                ),
                (
                    "leased_until",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="leased until"
                    ),
                ),
                (
                    "lease_holder",
                    models.UUIDField(blank=True, editable=False, null=True),
                ),
                (
                    "error",
                    models.CharField(blank=True, max_length=64, verbose_name="error"),
                ),
                (
                    "created_at",
                    models.DateTimeField(auto_now_add=True, verbose_name="created"),
                ),
                (
                    "updated_at",
                    models.DateTimeField(auto_now=True, verbose_name="updated"),
                ),
                (
                    "attachment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="derivation",
                        to="conversations.attachment",
                    ),
                ),
            ],
            options={
                "verbose_name": "derivation job",
                "verbose_name_plural": "derivation jobs",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        fields=["available_at"],
                        name="conversations_derivation_due",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RemovedFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("file", models.CharField(max_length=64)),
                ("removed_at", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "removed files"},
        ),
        migrations.AlterModelOptions(
            name="attachment",
            options={
                "verbose_name": "attachment",
                "verbose_name_plural": "attachments",
            },
        ),
        migrations.AlterField(
            model_name="attachment",
            name="content",
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name="attachment",
            name="description",
            field=models.TextField(blank=True, default="", verbose_name="description"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="attachment",
            name="error",
            field=models.CharField(
                blank=True, default="", max_length=64, verbose_name="error"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="attachment",
            name="file",
            field=models.FileField(
                null=True,
                max_length=64,
                storage=conversations.models.attachment.attachment_storage,
                upload_to="",
            ),
        ),
        migrations.AddField(
            model_name="attachment",
            name="number",
            field=models.PositiveIntegerField(
                null=True, help_text="Of the user's files."
            ),
        ),
        migrations.AddField(
            model_name="attachment",
            name="sha256",
            field=models.CharField(null=True, max_length=64),
        ),
        migrations.AddField(
            model_name="attachment",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "pending"),
                    ("done", "done"),
                    ("failed", "failed"),
                ],
                default="pending",
                max_length=7,
                verbose_name="state",
            ),
        ),
        migrations.AddField(
            model_name="attachment",
            name="user",
            field=models.ForeignKey(
                db_index=False,
                help_text="Empty for a guest on Telegram.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attachments",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="attachment",
            name="space",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attachments",
                to="people.space",
            ),
        ),
        migrations.AlterField(
            model_name="attachment",
            name="kind",
            field=models.CharField(
                choices=[
                    ("image", "image"),
                    ("document", "document"),
                    ("audio", "audio"),
                ],
                max_length=8,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="attachment",
            name="message",
            field=models.ForeignKey(
                help_text="Empty until the file is sent.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attachments",
                to="conversations.message",
            ),
        ),
        migrations.RunPython(move_out, move_back),
        migrations.CreateModel(
            name="AttachmentText",
            fields=[
                ("embedding", pgvector.django.vector.VectorField(dimensions=1536)),
                ("embedding_model", models.CharField(max_length=128)),
                (
                    "near",
                    models.GeneratedField(
                        db_persist=True,
                        expression=memory.models.embedded.Near(
                            "embedding", dimensions=512
                        ),
                        output_field=pgvector.django.halfvec.HalfVectorField(
                            dimensions=512
                        ),
                    ),
                ),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("caption", "caption"),
                            ("vision_short", "short description"),
                            ("vision_detail", "detailed description"),
                            ("ocr", "text in the picture"),
                            ("file_summary", "summary"),
                            ("chunk", "part"),
                            ("transcript", "transcript"),
                        ],
                        max_length=13,
                        verbose_name="kind",
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(
                        default=0, help_text="Of parts, from 1."
                    ),
                ),
                (
                    "total",
                    models.PositiveIntegerField(default=0, help_text="Of parts."),
                ),
                (
                    "place",
                    models.CharField(
                        blank=True, help_text="As in 'page 3'.", max_length=255
                    ),
                ),
                ("content", models.TextField()),
                (
                    "content_tsv",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.contrib.postgres.search.SearchVector(
                            models.Func(
                                models.F("content"),
                                models.Value("/.:-+_@#~&=?"),
                                models.Value("            "),
                                function="translate",
                                output_field=models.TextField(),
                            ),
                            config="simple",
                        ),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                ("searchable", models.BooleanField()),
                ("stated_at", models.DateTimeField()),
                (
                    "attachment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="texts",
                        to="conversations.attachment",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="people.space",
                    ),
                ),
            ],
            options={
                "verbose_name": "attachment text",
                "verbose_name_plural": "attachment texts",
                "db_table": "attachment_texts",
                "indexes": [
                    models.Index(
                        fields=["user", "space"], name="attachment_texts_user_space"
                    ),
                    models.Index(
                        fields=["embedding_model"], name="attachment_texts_model"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("attachment", "kind", "number"),
                        name="attachment_texts_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", "chunk"),
                                ("number__gte", 1),
                                ("number__lte", models.F("total")),
                            ),
                            models.Q(
                                models.Q(("kind", "chunk"), _negated=True),
                                ("number", 0),
                                ("total", 0),
                            ),
                            _connector="OR",
                        ),
                        name="attachment_texts_one_of_a_kind",
                    ),
                ],
            },
        ),
    ]
