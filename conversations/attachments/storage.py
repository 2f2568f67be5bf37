"""Store, send, open and remove files (decision 7)."""

import hashlib
import re
import uuid
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import IO
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.db import transaction
from django.db.models import Max

from conversations.attachments import extraction
from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.content_types import content_type_of
from conversations.limits import check_room, check_room_of_guest
from conversations.models import Attachment, DerivationJob, Message, Thread
from conversations.models.attachment import attachment_storage
from conversations.refusals import (
    DiskFull,
    EmptyFile,
    FileGone,
    FileTooLarge,
    NoPlaceForFiles,
    TooManyFiles,
    UnknownType,
)
from meddie import dispatch
from meddie.file_storage import FilesAway
from meddie.jobs.registry import announce
from meddie.outages import is_disk_full
from people.models import User

Kind = Attachment.Kind

MOST_FILES = 10  # of one message
KIND_OF = {"image": Kind.IMAGE, "audio": Kind.AUDIO, "video": Kind.AUDIO}
# Line breaks, and signs that change the reading direction ("exe.jpg" as "gpj.exe").
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
SUFFIX_OF: dict[str, str] = {
    extraction.DOCX: ".docx",
    extraction.PPTX: ".pptx",
    extraction.XLSX: ".xlsx",
    extraction.PLAIN: ".txt",
    extraction.MAIL: ".eml",
    extraction.CARD: ".vcf",
    extraction.CALENDAR: ".ics",
    "text/markdown": ".md",
    "image/jpeg": ".jpg",
    "audio/mpeg": ".mp3",
}


def store(
    user: User | None,
    space_id: UUID,
    name: str,
    data: "bytes | IO[bytes]",
    *,
    guest_thread: Thread | None = None,
) -> Attachment:
    """Store an unsent file, outside of transactions. Raises FileRefused.

    Equal bytes of a user are stored once. A guest has a thread instead of a user.
    """
    file: File[bytes] = ContentFile(data) if isinstance(data, bytes) else File(data)
    if not file.size:
        raise EmptyFile
    content_type = _type_of(file, name)
    kind = KIND_OF.get(content_type.partition("/")[0], Kind.DOCUMENT)
    if file.size > settings.FILE_MB * 1024 * 1024:
        raise FileTooLarge(settings.FILE_MB)
    file.seek(0)
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    attachment = Attachment(
        user=user,
        space_id=space_id,
        kind=kind,
        name=clean_name(name, kind, content_type),
        content_type=content_type,
        size=file.size,
        sha256=digest,
    )
    storage, key = attachment_storage(), uuid.uuid4().hex
    try:
        saved = storage.save(f"{key[:2]}/{key}", file)
    except FilesAway as error:
        raise NoPlaceForFiles from error
    except OSError as error:
        if is_disk_full(error):
            storage.delete(f"{key[:2]}/{key}")
            raise DiskFull from error
        raise
    try:
        _insert(attachment, saved, guest_thread)
    except BaseException:
        storage.delete(saved)
        raise
    if attachment.file.name != saved:
        with suppress(FilesAway):  # it has no row, and goes within days
            storage.delete(saved)
    return attachment


def _type_of(file: IO[bytes], name: str) -> str:
    """Raises UnknownType."""
    try:
        return content_type_of(file, name)
    except Unreadable:
        raise UnknownType from None


@transaction.atomic
def _insert(attachment: Attachment, saved: str, guest_thread: Thread | None) -> None:
    own = Attachment.objects.filter(user=attachment.user)
    same = None
    if attachment.user is None:
        assert guest_thread is not None  # noqa: S101 -- a guest is known by the thread
        check_room_of_guest(guest_thread, attachment.size)
        own = own.filter(space=attachment.space_id)
    else:
        check_room(attachment.user, attachment.sha256, attachment.size)
        # Locked, so that its file is not removed meanwhile.
        same = own.filter(sha256=attachment.sha256).select_for_update().first()
    attachment.number = (own.aggregate(last=Max("number"))["last"] or 0) + 1
    attachment.file = same.file.name if same else saved
    attachment.save()


def attach(message: Message, ids: Collection[UUID]) -> None:
    """Send files with a message, in its transaction. Raises FileGone, TooManyFiles."""
    if not ids:
        return
    if len(set(ids)) > MOST_FILES:
        raise TooManyFiles
    conversation = message.conversation
    files = list(
        Attachment.objects.select_for_update()
        .filter(pk__in=ids, message=None)
        .filter(user=conversation.user_id, space=conversation.space_id)
    )
    if len(files) != len(set(ids)):
        raise FileGone
    for file in files:
        file.message = message
        if conversation.user_id is None:
            file.state = Attachment.State.DONE  # a guest has no memory
        file.save(update_fields=["message", "state"])
    if conversation.user_id is not None:
        read_later(files)


def read_later(files: Collection[Attachment]) -> None:
    kind = DerivationJob.DERIVE
    jobs = [DerivationJob(attachment=file, kind=kind) for file in files]
    announce(*DerivationJob.objects.bulk_create(jobs))


def name_of(user: User | None, ids: Collection[UUID]) -> str:
    unsent = Attachment.objects.filter(user=user, message=None, pk__in=ids)
    return unsent.order_by("number").values_list("name", flat=True).first() or ""


def open_file(attachment: Attachment) -> "File[bytes]":
    """Raises FileNotFoundError, FilesAway."""
    return attachment_storage().open(str(attachment.file.name))


def remove_attachment(attachment: Attachment) -> None:
    attachment.delete()
    transaction.on_commit(partial(dispatch.enqueue, "conversations.remove_files"))


def clean_name(given: str, kind: str, content_type: str) -> str:
    """Never empty, and without a path."""
    name = HIDDEN.sub("", given).replace("\\", "/")
    name = name.rpartition("/")[2].strip(" .")
    subtype = content_type.rpartition("/")[2]
    suffix = SUFFIX_OF.get(content_type, f".{subtype}")
    return name[:255] or f"{kind}{suffix}"
