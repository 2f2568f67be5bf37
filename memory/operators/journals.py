"""A Markdown file of messages for each space and day (UTC), written from their rows.

A file is appended to while its size is the one of its row, else written as a whole
(decision 9).
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date
from itertools import chain
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from meddie.text import markdown_escaped
from memory.models import JournalFile, JournalLine
from memory.operators.private_files import (
    append_text,
    remove_file,
    replace_text,
    size_of,
)

BATCH = 10_000  # lines of a file in one run
JOURNAL_HEAD = """# {day}

Messages of this day (UTC), for operators. Replies never read this file.

"""


def folder_of(space_id: UUID) -> Path:
    return Path(settings.JOURNALS_FOLDER) / str(space_id)


def journal_path(space_id: UUID, day: date) -> Path:
    return folder_of(space_id) / f"{day.isoformat()}.md"


def write_journals() -> set[UUID]:
    """Write the lines that wait, and drop deleted ones; return the changed spaces."""
    columns = ("space_id", "day")
    waiting = JournalLine.objects.unwritten().values_list(*columns).distinct()
    stale = JournalFile.objects.filter(size=None).values_list(*columns)
    due = sorted({*waiting, *stale})
    new = [JournalFile(space_id=space_id, day=day) for space_id, day in due]
    JournalFile.objects.bulk_create(new, ignore_conflicts=True)
    return {space_id for space_id, day in due if _write_day(space_id, day)}


@transaction.atomic
def _write_day(space_id: UUID, day: date) -> bool:
    """False if the file is locked."""
    rows = JournalFile.objects.filter(space_id=space_id, day=day)
    file = rows.select_for_update(skip_locked=True).first()
    if file is None:
        return False
    lines = JournalLine.objects.filter(space_id=space_id, day=day)
    lines = lines.order_by("at", "pk")
    # Not lines that are being deleted: the deletion waits for the file's row.
    waiting = list(lines.unwritten().select_for_update(skip_locked=True)[:BATCH])
    keys = [line.pk for line in waiting]
    path = journal_path(space_id, day)
    if file.size is not None and file.size == size_of(path):
        file.size += append_text(path, _rendered(waiting))
    else:
        whole = lines.filter(Q(written=True) | Q(pk__in=keys))
        if not whole.exists():
            remove_file(path)
            file.delete()
            return True
        head = JOURNAL_HEAD.format(day=day.isoformat())
        file.size = replace_text(path, chain([head], _rendered(whole)))
    lines.filter(pk__in=keys).update(written=True)
    file.save(update_fields=["size"])
    return True


def _rendered(lines: Iterable[JournalLine]) -> Iterator[str]:
    return (f"- {journal_text(line)} <!-- {line.pk} -->\n" for line in lines)


def journal_text(line: JournalLine) -> str:
    """In Markdown."""
    time = line.at.astimezone(UTC).strftime("%H:%M:%S")
    return f"{time} {markdown_escaped(f'{line.author}: {line.text}')}"


def find_lost_files() -> None:
    """Have files written again that differ from their rows."""
    for file in JournalFile.objects.exclude(size=None).iterator():
        if size_of(journal_path(file.space_id, file.day)) != file.size:
            same = JournalFile.objects.filter(pk=file.pk, size=file.size)
            same.update(size=None)
