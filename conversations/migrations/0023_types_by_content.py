"""Files that came out of the database get the type that their bytes have."""

from contextlib import suppress

from django.core.files.storage import storages
from django.db import migrations

from conversations.attachments.content_types import detect
from conversations.refusals import UnknownType


def find_types(apps, schema_editor):
    """Keep files of no known type, but do not read them."""
    attachment = apps.get_model("conversations", "Attachment")
    job = apps.get_model("conversations", "DerivationJob")
    storage = storages["attachments"]
    for pk, key, name in list(attachment.objects.values_list("pk", "file", "name")):
        row = attachment.objects.filter(pk=pk)
        try:
            with suppress(FileNotFoundError), storage.open(key) as file:
                found = detect(file, name)
                row.update(kind=found.kind, content_type=found.content_type)
        except UnknownType:
            row.update(
                content_type="application/octet-stream",
                state="failed",
                error="unknown_type",
            )
            job.objects.filter(attachment_id=pk).delete()


class Migration(migrations.Migration):
    dependencies = [("conversations", "0022_lore_receipts")]

    operations = [migrations.RunPython(find_types, migrations.RunPython.noop)]
