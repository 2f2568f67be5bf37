"""MEMORY.md beside the journals of a space.

A space without journal lines has no such file: private conversations alone cause none.
"""

import re
import shutil
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction

from memory.facts import store
from memory.models import JournalFile, JournalLine
from memory.operators.journals import find_lost_files, folder_of, write_journals
from memory.operators.private_files import PART_SUFFIX, remove_file, replace_if_changed
from memory.operators.snapshot_text import read_snapshot, render_snapshot
from people.models import Space

SNAPSHOT_NAME = "MEMORY.md"
KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def write_changes() -> int:
    """Write lines, then the snapshots of their spaces."""
    changed = write_journals()
    for space_id in changed:
        refresh_snapshot(space_id)
    return len(changed)


def refresh_snapshots() -> int:
    """Bring all files up to date; return how many snapshots there are."""
    JournalLine.objects.unwanted().delete()
    find_lost_files()
    write_journals()
    root = Path(settings.JOURNALS_FOLDER)
    found = root.iterdir() if root.is_dir() else ()
    folders = [each for each in found if KEY.fullmatch(each.name) and each.is_dir()]
    spaces = set(JournalFile.objects.values_list("space_id", flat=True))
    for space_id in spaces:
        refresh_snapshot(space_id)
    for folder in folders:
        if UUID(folder.name) in spaces:
            _remove_strays(folder)
        else:
            shutil.rmtree(folder)
    return len(spaces)


def _remove_strays(folder: Path) -> None:
    """Remove journals without a row, which a restored database leaves."""
    # Before the rows are read: a row is older than its file.
    paths = [*folder.glob("*.md"), *folder.glob(f"*.md{PART_SUFFIX}")]
    files = JournalFile.objects.filter(space_id=folder.name)
    known = {
        SNAPSHOT_NAME,
        *(f"{day}.md" for day in files.values_list("day", flat=True)),
    }
    for path in paths:
        if path.name.removesuffix(PART_SUFFIX) not in known:
            path.unlink(missing_ok=True)


@transaction.atomic
def refresh_snapshot(space_id: UUID) -> None:
    """Write the file of a space if its content has changed."""
    # An older page is not written over a newer one; no row is locked meanwhile.
    store.lock_snapshot(space_id)
    page = None
    if JournalFile.objects.filter(space_id=space_id).exists():
        page = render_snapshot(read_snapshot(space_id))
    space = Space.objects.select_for_update(no_key=True).filter(pk=space_id)
    if not space.exists():
        return
    path = folder_of(space_id) / SNAPSHOT_NAME
    if page is None:
        remove_file(path)
    else:
        replace_if_changed(path, page)
