"""Small copies of pictures, drawn once and kept beside the file."""

import io
from base64 import b64encode
from collections.abc import Callable

from django.core.files.base import ContentFile
from django.db import transaction
from PIL import Image

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.run_child import extract_pieces
from conversations.attachments.problems import is_broken
from conversations.attachments.storage import open_file
from conversations.models import Attachment
from conversations.models.attachment import attachment_storage

THUMBNAIL, FOR_MODELS = COPY_SUFFIXES = (
    ".thumbnail",
    ".picture",
)  # after the file's name
THUMBNAIL_SIDE = 640  # pixels of a thumbnail
JPEG = "image/jpeg"


def thumbnail_of(attachment: Attachment) -> bytes:
    """Raises Unreadable, FileNotFoundError."""

    def draw() -> bytes:
        small = io.BytesIO()
        with Image.open(
            io.BytesIO(_for_model(attachment)), formats=["JPEG"]
        ) as picture:
            picture.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
            picture.save(small, "JPEG", quality=82)
        return small.getvalue()

    return _kept(attachment, THUMBNAIL, draw)


def data_url(attachment: Attachment) -> str:
    """Raises Unreadable, FileNotFoundError."""
    return f"data:{JPEG};base64,{b64encode(_for_model(attachment)).decode()}"


def original_name(stored: str) -> str:
    for copy in COPY_SUFFIXES:
        stored = stored.removesuffix(copy)
    return stored


def _for_model(attachment: Attachment) -> bytes:
    """A JPEG by the child process, safe to decode here.

    A failure is kept, so that it is not drawn again at each request.
    """
    if is_broken(attachment):
        raise Unreadable(attachment.error)

    def draw() -> bytes:
        with open_file(attachment) as file:
            return extract_pieces(file, attachment.content_type).pictures[1]

    try:
        return _kept(attachment, FOR_MODELS, draw)
    except Unreadable as error:
        attachment.fail(str(error))
        raise


def _kept(attachment: Attachment, copy: str, draw: Callable[[], bytes]) -> bytes:
    storage, name = attachment_storage(), f"{attachment.file.name}{copy}"
    try:
        with storage.open(name) as file:
            return bytes(file.read())
    except FileNotFoundError:
        drawn = draw()
    _keep(attachment, name, drawn)
    return drawn


@transaction.atomic
def _keep(attachment: Attachment, name: str, drawn: bytes) -> None:
    """Store a copy once, under locks of the rows: deletions wait, and then find it."""
    storage = attachment_storage()
    rows = Attachment.objects.filter(file=attachment.file.name).order_by("pk")
    if list(rows.select_for_update(no_key=True)) and not storage.exists(name):
        storage.save(name, ContentFile(drawn))
