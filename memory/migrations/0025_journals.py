"""Lines of journals, and a trigger that marks the files of deleted lines."""

import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import migrations, models

MARK_FILES = """
CREATE FUNCTION memory_mark_journal_files() RETURNS trigger AS $$
BEGIN
    UPDATE memory_journalfile file SET size = NULL
      FROM (SELECT DISTINCT space_id, day FROM gone) gone
     WHERE file.space_id = gone.space_id AND file.day = gone.day;
    RETURN NULL;
END
$$ LANGUAGE plpgsql;
CREATE TRIGGER memory_journalline_removed
    AFTER DELETE ON memory_journalline REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION memory_mark_journal_files();
"""
MARK_NONE = """
DROP TRIGGER memory_journalline_removed ON memory_journalline;
DROP FUNCTION memory_mark_journal_files();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0024_group_memory"),
        ("people", "0006_accounts_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="JournalFile",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("day", models.DateField()),
                ("size", models.PositiveBigIntegerField(null=True)),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="people.space",
                    ),
                ),
            ],
            options={
                "verbose_name": "journal file",
                "verbose_name_plural": "journal files",
                "indexes": [
                    models.Index(
                        condition=models.Q(("size", None)),
                        fields=["space", "day"],
                        name="memory_journalfile_stale",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "day"), name="memory_journalfile_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JournalLine",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        editable=False,
                        help_text="Of the message.",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="stated")),
                (
                    "day",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.functions.comparison.Cast(
                            models.Func(
                                models.Value("UTC"),
                                "at",
                                function="timezone",
                                output_field=models.DateTimeField(),
                            ),
                            models.DateField(),
                        ),
                        output_field=models.DateField(),
                    ),
                ),
                ("author", models.CharField(max_length=64, verbose_name="author")),
                ("text", models.CharField(max_length=320, verbose_name="text")),
                ("written", models.BooleanField(default=False)),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="people.space",
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
            ],
            options={
                "verbose_name": "journal line",
                "verbose_name_plural": "journal lines",
                "indexes": [
                    models.Index(
                        fields=["space", "day", "at", "id"], name="memory_journal_order"
                    ),
                    models.Index(
                        fields=["user", "space"], name="memory_journal_author"
                    ),
                    models.Index(
                        condition=models.Q(("written", False)),
                        fields=["space", "day"],
                        name="memory_journal_unwritten",
                    ),
                ],
            },
        ),
        migrations.RunSQL(MARK_FILES, MARK_NONE),
    ]
