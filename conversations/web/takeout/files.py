"""A user's files as they are stored, and the texts that were read from them."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from conversations.attachments.storage import open_file
from conversations.models import Attachment, AttachmentText
from conversations.web.takeout.archive import Archive, file_name


def write_files(
    archive: Archive, folder: str, files: QuerySet[Attachment]
) -> dict[UUID, str]:
    """Names in the folder by attachments; files may be lost."""
    stored: dict[str, str] = {}
    names: dict[UUID, str] = {}
    for file in files.order_by("number").iterator(chunk_size=200):
        key = str(file.file.name)  # that of all equal files
        if key not in stored:
            name = f"files/{file_name(file.code, file.name)}"
            try:
                with open_file(file) as content:
                    archive.add_file(f"{folder}/{name}", content)
            except FileNotFoundError:
                continue
            stored[key] = name
        names[file.pk] = stored[key]
    if names or files.exists():
        archive.add_json(f"{folder}/files.json", _rows(files, names))
    return names


def _rows(
    files: QuerySet[Attachment], names: dict[UUID, str]
) -> Iterator[dict[str, Any]]:
    derived = AttachmentText.objects.exclude(kind=AttachmentText.Kind.CHUNK)
    derived = derived.defer("embedding", "near", "content_tsv").order_by("kind")
    read = files.order_by("number").prefetch_related(Prefetch("texts", derived))
    for file in read.iterator(chunk_size=200):
        yield {
            "file": names.get(file.pk),
            "name": file.name,
            "type": file.content_type,
            "bytes": file.size,
            "added": file.created_at,
            "description": file.description,
            "texts": [
                {"kind": text.kind, "text": text.content} for text in file.texts.all()
            ],
        }
