"""Download the files of messages."""

from dataclasses import dataclass

from conversations.telegram.bot_api.api import Api
from conversations.telegram.bot_api.schema import File, IncomingMessage
from conversations.telegram.bot_api.transport import TooLarge

MAX_BYTES = 20 * 1024 * 1024  # the limit of the Bot API


@dataclass(frozen=True, slots=True)
class Fetched:
    name: str  # empty for photos and voice messages
    content: bytes


def file_of(message: IncomingMessage) -> File | None:
    """Of a photo the largest size."""
    if message.photo:
        return max(message.photo, key=lambda one: one.file_size or 0)
    return message.document or message.voice


async def fetch(api: Api, file: File) -> Fetched:
    """Raises TelegramFailed, TooLarge."""
    if (file.file_size or 0) > MAX_BYTES:
        raise TooLarge
    content = await api.download(file.file_id, MAX_BYTES)
    return Fetched(file.file_name or "", content)
