"""The bytes leave the database; a trigger notes the files of deleted rows."""

import django.db.models.deletion
from django.db import migrations, models

import conversations.models.attachment

NOTE_FILE = """
CREATE FUNCTION conversations_note_removed_file() RETURNS trigger AS $$
BEGIN
    INSERT INTO conversations_removedfile (file, removed_at) VALUES (OLD.file, now());
    RETURN NULL;
END
$$ LANGUAGE plpgsql;
CREATE TRIGGER conversations_attachment_removed
    AFTER DELETE ON conversations_attachment
    FOR EACH ROW EXECUTE FUNCTION conversations_note_removed_file();
"""
NOTE_NONE = """
DROP TRIGGER conversations_attachment_removed ON conversations_attachment;
DROP FUNCTION conversations_note_removed_file();
"""


class Migration(migrations.Migration):
    dependencies = [("conversations", "0020_attachment_files")]

    operations = [
        migrations.RemoveField(model_name="attachment", name="content"),
        migrations.AlterField(
            model_name="attachment",
            name="file",
            field=models.FileField(
                max_length=64,
                storage=conversations.models.attachment.attachment_storage,
                upload_to="",
            ),
        ),
        migrations.AlterField(
            model_name="attachment",
            name="number",
            field=models.PositiveIntegerField(help_text="Of the user's files."),
        ),
        migrations.AlterField(
            model_name="attachment",
            name="sha256",
            field=models.CharField(max_length=64),
        ),
        migrations.AlterField(
            model_name="attachment",
            name="space",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attachments",
                to="people.space",
            ),
        ),
        migrations.AddIndex(
            model_name="attachment",
            index=models.Index(
                fields=["user", "sha256"], name="conversations_attachment_same"
            ),
        ),
        migrations.AddIndex(
            model_name="attachment",
            index=models.Index(fields=["file"], name="conversations_attachment_file"),
        ),
        migrations.AddConstraint(
            model_name="attachment",
            constraint=models.UniqueConstraint(
                fields=("user", "number"), name="conversations_attachment_number"
            ),
        ),
        migrations.RunSQL(NOTE_FILE, NOTE_NONE),
    ]
