"""Download the files of messages."""

import mimetypes
import re
from dataclasses import dataclass

from conversations.models import Attachment
from conversations.telegram.bot_api.api import Api
from conversations.telegram.bot_api.errors import TooLarge
from conversations.telegram.bot_api.schema import File, IncomingMessage

Kind = Attachment.Kind

MAX_BYTES = 20 * 1024 * 1024  # the limit of the Bot API
# Line breaks, and signs that change the reading direction ("exe.jpg" as "gpj.exe").
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
UNKNOWN_TYPE = "application/octet-stream"
TYPES: dict[str, str] = {Kind.PHOTO: "image/jpeg", Kind.VOICE: "audio/ogg"}
SUFFIXES: dict[str, str] = {Kind.PHOTO: ".jpg", Kind.VOICE: ".ogg"}


@dataclass(frozen=True, slots=True)
class Fetched:
    kind: str
    name: str
    content_type: str
    content: bytes


def file_of(message: IncomingMessage) -> tuple[str, File] | None:
    """The kind and the file; of a photo the largest size."""
    if message.photo:
        return Kind.PHOTO, max(message.photo, key=lambda one: one.file_size or 0)
    if message.document:
        return Kind.DOCUMENT, message.document
    if message.voice:
        return Kind.VOICE, message.voice
    return None


def stated_size(message: IncomingMessage) -> int:
    """In bytes, 0 if unknown."""
    found = file_of(message)
    return (found[1].file_size or 0) if found else 0


def is_too_large(message: IncomingMessage) -> bool:
    return stated_size(message) > MAX_BYTES


async def fetch(api: Api, kind: str, file: File) -> Fetched:
    """Raises TelegramFailed, TooLarge."""
    if (file.file_size or 0) > MAX_BYTES:
        raise TooLarge
    content = await api.download(file.file_id, MAX_BYTES)
    content_type = (file.mime_type or TYPES.get(kind, UNKNOWN_TYPE))[:127]
    return Fetched(kind, _name(kind, file, content_type), content_type, content)


def _name(kind: str, file: File, content_type: str) -> str:
    given = HIDDEN.sub("", file.file_name or "").replace("\\", "/")
    given = given.rpartition("/")[2].strip(" .")
    guessed = SUFFIXES.get(kind) or mimetypes.guess_extension(content_type) or ""
    return given or f"{kind}{guessed}"
