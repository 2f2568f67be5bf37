"""The file of a message, fetched before anything is stored."""

import mimetypes
import re
from dataclasses import dataclass

from conversations.models import Attachment
from conversations.telegram.bot_api.api import Api
from conversations.telegram.bot_api.errors import TooLarge
from conversations.telegram.bot_api.schema import File, Message

Kind = Attachment.Kind

LONGEST = 20 * 1024 * 1024
"""Bytes; more than that the Bot API hands out to nobody."""
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""In a name: what breaks lines, and what turns the direction of reading, so that
"exe.jpg" may end in "gpj.exe"."""
UNKNOWN_TYPE = "application/octet-stream"
TYPES: dict[str, str] = {Kind.PHOTO: "image/jpeg", Kind.VOICE: "audio/ogg"}
SUFFIXES: dict[str, str] = {Kind.PHOTO: ".jpg", Kind.VOICE: ".ogg"}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file and what its sender's program says of it."""

    kind: str
    name: str
    content_type: str
    content: bytes


def of(message: Message) -> tuple[str, File] | None:
    """The kind and the file; of a photo the largest size."""
    if message.photo:
        return Kind.PHOTO, max(message.photo, key=lambda one: one.file_size or 0)
    if message.document:
        return Kind.DOCUMENT, message.document
    if message.voice:
        return Kind.VOICE, message.voice
    return None


def is_too_large(message: Message) -> bool:
    """Whether its file says so itself."""
    found = of(message)
    return found is not None and (found[1].file_size or 0) > LONGEST


async def fetch(api: Api, kind: str, file: File) -> Fetched:
    """Load it. Raises TelegramFailed; TooLarge for more than LONGEST bytes."""
    if (file.file_size or 0) > LONGEST:
        raise TooLarge
    content = await api.download(file.file_id, LONGEST)
    content_type = (file.mime_type or TYPES.get(kind, UNKNOWN_TYPE))[:127]
    return Fetched(kind, _name(kind, file, content_type), content_type, content)


def _name(kind: str, file: File, content_type: str) -> str:
    """Without a path: only a name to show and to save under."""
    given = HIDDEN.sub("", file.file_name or "").replace("\\", "/")
    given = given.rpartition("/")[2].strip(" .")
    guessed = SUFFIXES.get(kind) or mimetypes.guess_extension(content_type) or ""
    return given or f"{kind}{guessed}"
