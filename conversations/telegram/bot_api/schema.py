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
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from meddie.text import storable

LARGEST_ID = 2**52  # ids have at most 52 significant bits
GROUPS = ("group", "supergroup")
# A message that only tells of a change to the chat.
SERVICE = frozenset(
    [
        "forum_topic_created",
        "forum_topic_edited",
        "forum_topic_closed",
        "forum_topic_reopened",
        "pinned_message",
        "message_auto_delete_timer_changed",
        "chat_background_set",
        "write_access_allowed",
        "users_shared",
        "chat_shared",
        "new_chat_members",
        "left_chat_member",
        "new_chat_title",
        "new_chat_photo",
        "delete_chat_photo",
        "group_chat_created",
        "supergroup_chat_created",
        "migrate_to_chat_id",
        "migrate_from_chat_id",
        "video_chat_scheduled",
        "video_chat_started",
        "video_chat_ended",
        "boost_added",
    ]
)

Id = Annotated[int, Field(ge=1, lt=LARGEST_ID)]
Text = Annotated[str, AfterValidator(storable)]
Name = Annotated[str, AfterValidator(lambda name: storable(name)[:255])]
Key = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,255}$")]


class Malformed(Exception):
    pass


def _or_nothing(value: object, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError:
        return None


Lenient = WrapValidator(_or_nothing)
"""Of a part without which the rest of a message can be read."""


class _Read(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Sender(_Read):
    id: Id
    is_bot: bool = False
    language_code: Annotated[Text, Field(max_length=35)] = ""


class ChatData(_Read):
    id: Annotated[int, Field(gt=-LARGEST_ID, lt=LARGEST_ID)]
    type: Annotated[str, Field(max_length=32)]
    title: Name = ""


class Named(_Read):
    """A user or a chat whose words are shown to the sender."""

    id: Annotated[int, Field(gt=-LARGEST_ID, lt=LARGEST_ID)] = 0
    first_name: Name = ""
    last_name: Name = ""
    title: Name = ""

    @property
    def name(self) -> str:
        return self.title or f"{self.first_name} {self.last_name}".strip()


class Origin(_Read):
    """Who wrote a forwarded message, or one of another chat that is replied to."""

    sender_user: Named | None = None
    sender_user_name: Name = ""
    sender_chat: Named | None = None
    chat: Named | None = None

    @property
    def name(self) -> str:
        known = self.sender_user or self.sender_chat or self.chat
        return (known.name if known else self.sender_user_name) or "?"


class Entity(_Read):
    """`offset` and `length` are in UTF-16 units."""

    type: Annotated[str, Field(max_length=32)]
    offset: Annotated[int, Field(ge=0, lt=2**20)]
    length: Annotated[int, Field(ge=0, lt=2**20)]
    url: Annotated[Text, Field(max_length=4096)] = ""
    user: Named | None = None


class Contact(Named):
    phone_number: Name = ""


class Location(_Read):
    latitude: float
    longitude: float

    def __str__(self) -> str:
        return f"{self.latitude}, {self.longitude}"


class Venue(_Read):
    location: Location
    title: Name = ""
    address: Name = ""


class PollOption(_Read):
    text: Name


class Poll(_Read):
    question: Name
    options: list[PollOption] = []


class File(_Read):
    file_id: Key
    file_size: Annotated[int, Field(ge=0, lt=LARGEST_ID)] | None = None
    file_name: Name | None = None
    mime_type: Name | None = None


class Content(_Read):
    text: Text | None = None
    caption: Text | None = None
    entities: Annotated[list[Entity] | None, Lenient] = None
    caption_entities: Annotated[list[Entity] | None, Lenient] = None
    contact: Annotated[Contact | None, Lenient] = None
    location: Annotated[Location | None, Lenient] = None
    venue: Annotated[Venue | None, Lenient] = None
    poll: Annotated[Poll | None, Lenient] = None
    forward_origin: Annotated[Origin | None, Lenient] = None


class RepliedMessage(Content):
    """The message that is replied to, as far as Telegram tells it."""

    message_id: Id
    sender: Annotated[Named | None, Lenient, Field(alias="from")] = None
    sender_chat: Annotated[Named | None, Lenient] = None


class TextQuote(_Read):
    """What of that message is meant."""

    text: Text


class External(_Read):
    """The message of another chat that is replied to."""

    origin: Origin


class IncomingMessage(Content):
    message_id: Id
    date: Annotated[int, Field(ge=0, lt=2**40)]
    edit_date: Annotated[int | None, Field(ge=0, lt=2**40)] = None
    chat: ChatData
    sender: Annotated[Sender | None, Field(alias="from")] = None
    message_thread_id: Annotated[Id | None, Lenient] = None
    is_topic_message: bool = False
    media_group_id: Annotated[Key | None, Lenient] = None
    reply_to_message: Annotated[RepliedMessage | None, Lenient] = None
    external_reply: Annotated[External | None, Lenient] = None
    quote: Annotated[TextQuote | None, Lenient] = None
    photo: list[File] = []
    document: File | None = None
    voice: File | None = None
    video_note: File | None = None
    audio: File | None = None
    video: File | None = None
    animation: File | None = None  # it comes with a document, too

    @property
    def sent_at(self) -> datetime:
        """When its last version was. Never later than now by our clock."""
        now, at = datetime.now(UTC), self.edit_date or self.date
        return datetime.fromtimestamp(min(at, int(now.timestamp())), UTC)

    @property
    def topic(self) -> int | None:
        """None in a group without topics, where a thread is a row of replies."""
        return self.message_thread_id if self.is_topic_message else None

    @property
    def is_in_group(self) -> bool:
        return self.chat.type in GROUPS


class Callback(_Read):
    id: Key
    sender: Annotated[Sender, Field(alias="from")]
    message: IncomingMessage | None = None
    data: Annotated[str, AfterValidator(storable), Field(max_length=64)] = ""


class Update(_Read):
    update_id: Annotated[int, Field(ge=0, lt=2**62)]
    message: IncomingMessage | None = None
    edited_message: IncomingMessage | None = None
    callback_query: Callback | None = None

    @property
    def sender(self) -> Sender:
        sent = self.callback_query or self.sent
        assert sent  # noqa: S101 -- `read_update`
        assert sent.sender  # noqa: S101
        return sent.sender

    @property
    def sent(self) -> IncomingMessage | None:
        return self.message or self.edited_message

    @property
    def place(self) -> IncomingMessage | None:
        """A message of the chat that it comes from."""
        return self.callback_query.message if self.callback_query else self.sent

    def stored(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def read_update(payload: object) -> Update | None:
    """The update; None for channels, bots and unknown kinds. Raises Malformed."""
    update = restored(payload)
    place = update.place
    if place is None or _is_silent(update, payload):
        return None
    if not (update.callback_query or place.sender) or update.sender.is_bot:
        return None
    if place.is_in_group:
        return update if update.sent else None
    is_private = place.chat.type == "private" and place.chat.id == update.sender.id
    return update if is_private else None


def _is_silent(update: Update, payload: Any) -> bool:
    """Whether there are no words to answer: of service messages, and of moving live locations."""
    if edited := update.edited_message:
        is_file = edited.photo or edited.document or edited.audio or edited.video
        return not (edited.text or edited.caption or is_file)
    return update.message is not None and not SERVICE.isdisjoint(payload["message"])


def restored(payload: object) -> Update:
    """Read a stored payload. Raises Malformed."""
    try:
        return Update.model_validate(payload)
    except ValidationError as error:
        raise Malformed(f"{error.error_count()} fields are wrong") from None
