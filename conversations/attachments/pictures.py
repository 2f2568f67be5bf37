"""Small copies of pictures."""

import io
from base64 import b64encode

from django.core.files.base import ContentFile
from PIL import Image

from conversations.attachments.extraction.run import extract_pieces
from conversations.attachments.storage import open_file
from conversations.models import Attachment
from conversations.models.attachment import attachment_storage

THUMBNAIL = ".thumbnail"  # after the file's name in the storage
SIDE = 640  # pixels
JPEG = "image/jpeg"


def thumbnail_of(attachment: Attachment) -> bytes:
    """A JPEG, drawn once. Raises Unreadable, FileNotFoundError."""
    storage, name = attachment_storage(), f"{attachment.file.name}{THUMBNAIL}"
    try:
        with storage.open(name) as file:
            return bytes(file.read())
    except FileNotFoundError:
        drawn = _small(_checked(attachment))
    storage.save(name, ContentFile(drawn))
    return drawn


def data_url(attachment: Attachment) -> str:
    """Raises Unreadable, FileNotFoundError."""
    return f"data:{JPEG};base64,{b64encode(_checked(attachment)).decode()}"


def _checked(attachment: Attachment) -> bytes:
    """A JPEG by the child process, safe to decode here."""
    with open_file(attachment) as file:
        return extract_pieces(file, attachment.content_type).pictures[0]


def _small(jpeg: bytes) -> bytes:
    small = io.BytesIO()
    with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as picture:
        picture.thumbnail((SIDE, SIDE))
        picture.save(small, "JPEG", quality=82)
    return small.getvalue()
