"""Delete the files of deleted rows, unsent files and orphans."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from conversations.attachments.pictures import COPIES, original_name
from conversations.models import Attachment, RemovedFile
from conversations.models.attachment import attachment_storage
from meddie.file_storage import all_files

BATCH = 500
UNSENT = timedelta(days=1)  # until an unsent file or a file without a row is deleted


def remove_files() -> int:
    """Delete the files that no row has any more; return how many."""
    storage, removed = attachment_storage(), 0
    while batch := list(RemovedFile.objects.order_by("pk")[:BATCH]):
        for one in batch:
            if not Attachment.objects.filter(file=one.file).exists():
                storage.delete(one.file)
                for copy in COPIES:
                    storage.delete(f"{one.file}{copy}")
                removed += 1
            one.delete()
    return removed


def clean_up_files() -> int:
    """Delete old files that are unsent or have no row; return how many."""
    before = timezone.now() - UNSENT
    with transaction.atomic():
        unsent = Attachment.objects.filter(message=None, created_at__lt=before)
        # Not one that is being sent.
        locked = unsent.select_for_update(skip_locked=True).values_list("pk", flat=True)
        Attachment.objects.filter(pk__in=list(locked)).delete()
    removed = remove_files()
    storage = attachment_storage()
    for name in all_files(storage):
        known = Attachment.objects.filter(file=original_name(name)).exists()
        if not known and storage.get_modified_time(name) < before:
            storage.delete(name)
            removed += 1
    return removed
