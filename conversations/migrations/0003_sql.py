"""What Django's migrations cannot say: storage, and a trigger for files of deleted rows."""

from django.db import migrations

# The short vector is read for every row of a scope, so it stays in its row.
STORAGE = "ALTER TABLE message_index ALTER COLUMN near SET STORAGE PLAIN"
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


class Migration(migrations.Migration):
    dependencies = [("conversations", "0002_initial")]

    operations = [
        migrations.RunSQL(STORAGE, migrations.RunSQL.noop),
        migrations.RunSQL(
            NOTE_FILE, "DROP FUNCTION conversations_note_removed_file() CASCADE"
        ),
    ]
