"""The files of messages, and their download."""

from dataclasses import dataclass

from conversations.telegram.bot_api.api import Api
from conversations.telegram.bot_api.schema import File, IncomingMessage
from conversations.telegram.bot_api.transport import TooLarge

MAX_BYTES = 20 * 1024 * 1024  # the limit of the Bot API


@dataclass(frozen=True, slots=True)
class Fetched:
    name: str  # empty for photos, voice and video messages
    content: bytes


def file_of(message: IncomingMessage) -> File | None:
    """Of a photo the largest size; no animation, which has nothing to read."""
    if message.animation:
        return None
    if message.photo:
        return max(message.photo, key=lambda size: size.file_size or 0)
    spoken = message.voice or message.video_note
    return spoken or message.audio or message.video or message.document


async def fetch(api: Api, file: File) -> Fetched:
    """Raises TelegramFailed, TooLarge."""
    if (file.file_size or 0) > MAX_BYTES:
        raise TooLarge
    content = await api.download(file.file_id, MAX_BYTES)
    return Fetched(file.file_name or "", content)
