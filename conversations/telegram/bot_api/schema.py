"""The parts of an update that Meddie reads, with strict types and bounds.

Anyone can call the webhook, so every field is checked and nothing else is stored.
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from meddie.text import storable

LARGEST_ID = 2**52  # ids have at most 52 significant bits

Id = Annotated[int, Field(ge=1, lt=LARGEST_ID)]
Text = Annotated[str, AfterValidator(storable)]
Name = Annotated[str, AfterValidator(lambda name: storable(name)[:255])]
Key = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,255}$")]


class Malformed(Exception):
    pass


class _Read(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Sender(_Read):
    id: Id
    is_bot: bool = False
    language_code: Annotated[Text, Field(max_length=35)] = ""


class ChatData(_Read):
    id: Annotated[int, Field(gt=-LARGEST_ID, lt=LARGEST_ID)]
    type: Annotated[str, Field(max_length=32)]


class File(_Read):
    file_id: Key
    file_size: Annotated[int, Field(ge=0, lt=LARGEST_ID)] | None = None
    file_name: Name | None = None
    mime_type: Name | None = None


class IncomingMessage(_Read):
    message_id: Id
    date: Annotated[int, Field(ge=0, lt=2**40)]
    chat: ChatData
    sender: Annotated[Sender | None, Field(alias="from")] = None
    text: Text | None = None
    caption: Text | None = None
    photo: list[File] = []
    document: File | None = None
    voice: File | None = None
    video_note: File | None = None
    audio: File | None = None
    video: File | None = None
    animation: File | None = None  # it comes with a document, too

    @property
    def sent_at(self) -> datetime:
        """Never later than now by our clock."""
        now = datetime.now(UTC)
        return datetime.fromtimestamp(min(self.date, int(now.timestamp())), UTC)


class EditedMessage(_Read):
    """Only who sent it is stored, and that it has a text."""

    chat: ChatData
    sender: Annotated[Sender | None, Field(alias="from")] = None
    text: Annotated[str | None, Field(exclude=True)] = None
    caption: Annotated[str | None, Field(exclude=True)] = None


class Callback(_Read):
    id: Key
    sender: Annotated[Sender, Field(alias="from")]
    message: IncomingMessage | None = None
    data: Annotated[str, AfterValidator(storable), Field(max_length=64)] = ""


class Update(_Read):
    update_id: Annotated[int, Field(ge=0, lt=2**62)]
    message: IncomingMessage | None = None
    edited_message: EditedMessage | None = None
    callback_query: Callback | None = None

    @property
    def sender(self) -> Sender:
        sent = self.callback_query or self.message or self.edited_message
        assert sent  # noqa: S101 -- `read_update`
        assert sent.sender  # noqa: S101
        return sent.sender

    def stored(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def read_update(payload: object) -> Update | None:
    """The update; None for groups, bots and unknown kinds. Raises Malformed."""
    update = restored(payload)
    chat = _chat_of(update)
    if chat is None or chat.type != "private" or update.sender.is_bot:
        return None
    return update if chat.id == update.sender.id else None


def _chat_of(update: Update) -> ChatData | None:
    """None without a chat or a sender."""
    message, edited = update.message, update.edited_message
    if update.callback_query is not None:
        under = update.callback_query.message
        return under.chat if under else None
    if message is not None:
        return message.chat if message.sender else None
    # A live location is edited every few seconds, and has no text.
    typed = edited is not None and (edited.text or edited.caption)
    return edited.chat if edited and typed and edited.sender else None


def restored(payload: object) -> Update:
    """Read a stored payload. Raises Malformed."""
    try:
        return Update.model_validate(payload)
    except ValidationError as error:
        raise Malformed(f"{error.error_count()} fields are wrong") from None
