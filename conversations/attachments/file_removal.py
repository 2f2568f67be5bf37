"""Delete the files of deleted rows, unsent files and orphans."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from conversations.attachments.picture_copies import COPY_SUFFIXES, original_name
from conversations.models import Attachment, RemovedFile
from conversations.models.attachment import attachment_storage
from meddie.file_storage import FilesAway, all_files

BATCH = 500
MOST_REFUSED = 3  # files, then the bucket is away and the next run tries again
UNSENT = timedelta(days=1)  # until an unsent file or a file without a row is deleted


def remove_files() -> int:
    """Delete the files that no row has any more; return how many."""
    removed, kept = 0, set[int]()
    while batch := list(RemovedFile.objects.exclude(pk__in=kept).order_by("?")[:BATCH]):
        for row in batch:
            try:
                removed += _remove(row)
            except FilesAway:
                kept.add(row.pk)
                if len(kept) == MOST_REFUSED:
                    raise
    return removed


def _remove(row: RemovedFile) -> bool:
    """Whether there was a file. Raises FilesAway, and keeps the row."""
    storage = attachment_storage()
    is_removed = not Attachment.objects.filter(file=row.file).exists()
    if is_removed:
        for copy in ("", *COPY_SUFFIXES):
            storage.delete(f"{row.file}{copy}")
    row.delete()
    return is_removed


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
