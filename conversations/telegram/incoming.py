"""What an update brings: its messages with their files, who speaks, and what it names."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone, translation

from conversations.attachments import storage
from conversations.attachments.in_prompt import files_of, with_surrogates
from conversations.attachments.problems import (
    NEEDS_OCR,
    NEEDS_PROVIDER,
    PROBLEMS,
    lacking,
)
from conversations.models import Attachment, Message, Thread
from conversations.refusals import FileRefused
from conversations.reply.turn import LONGEST_MESSAGE, Received, Replied
from conversations.telegram import contents, links
from conversations.telegram.bot_api.schema import IncomingMessage, Update, restored
from conversations.telegram.files import Fetched
from conversations.telegram.links import Speaker
from conversations.telegram.models import TelegramPart, TelegramUpdate
from people.models import User

AUDIO = Attachment.Kind.AUDIO
ALBUM_PAUSE = timedelta(seconds=1.5)  # after the last picture that came


class Unlinked(Exception):
    """The Telegram id no longer belongs to the user of the answer."""


Problem = Callable[[], str]  # why a file is not there, in the sender's language


@dataclass(frozen=True, slots=True)
class Files:
    """The stored files of a message, and why others are not."""

    stored: Sequence[Attachment] = ()
    transcript: str = ""
    problems: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message, or those of an album, in their last version.

    `others` are the updates that brought the rest.
    """

    update: TelegramUpdate
    messages: Sequence[IncomingMessage]
    others: Sequence[UUID] = ()
    files: Files = Files()

    @property
    def message(self) -> IncomingMessage:
        return self.messages[0]

    @property
    def text(self) -> str:
        """What was written, or said to Meddie and not only sent."""
        spoken = self.message.voice or self.message.video_note
        words = self.files.transcript if spoken else ""
        return self.written or (words if len(words) <= LONGEST_MESSAGE else "")

    @property
    def written(self) -> str:
        words = "\n".join(filter(None, map(contents.message_words, self.messages)))
        if not self.message.is_in_group:
            return words
        return contents.without_mention(words, self.update.bot.username)

    @property
    def only_shares(self) -> bool:
        """Whether it is a contact, a place or a poll, which a model has to read."""
        words = self.message.text or self.message.caption or self.files.transcript
        return not words and not self.files.stored

    @property
    def is_unheard(self) -> bool:
        words = self.written or self.files.transcript
        kinds = [file.kind for file in self.files.stored]
        return not words.strip() and kinds == [AUDIO]

    @property
    def thread(self) -> Thread:
        return self.update.thread

    @property
    def received(self) -> Received:
        lease = self.update.lease_holder
        assert lease is not None  # noqa: S101 -- `hold` has checked it
        return Received(lease, self.message.sent_at)


def incoming_of(update: TelegramUpdate) -> Incoming:
    """With the waiting rest of its album, and waiting edits."""
    first = restored(update.payload).sent
    assert first is not None  # noqa: S101 -- it is no button
    messages, others = {first.message_id: first}, []
    for other in _waiting_with(update):
        if found := restored(other.payload).sent:
            messages[found.message_id] = found
            others.append(other.pk)
    return Incoming(update, [messages[key] for key in sorted(messages)], others)


def _waiting_with(update: TelegramUpdate) -> list[TelegramUpdate]:
    waiting = TelegramUpdate.objects.untouched().filter(thread=update.thread_id)
    waiting = waiting.exclude(pk=update.pk).in_order()
    is_message = update.kind == TelegramUpdate.Kind.MESSAGE
    album: list[TelegramUpdate] = []
    if is_message and update.album:
        album += waiting.filter(kind=update.kind, album=update.album)
    numbers = [row.message_id for row in [update, *album] if row.message_id]
    edits = waiting.filter(kind=TelegramUpdate.Kind.EDIT, message_id__in=numbers)
    return [*album[: storage.MOST_FILES - 1], *edits]


def seconds_until_whole(update: TelegramUpdate) -> float:
    """How long the rest of an album may still come; by rows, as a worker can end."""
    if not update.album or update.kind != TelegramUpdate.Kind.MESSAGE:
        return 0.0
    came = [row.created_at for row in [update, *_waiting_with(update)]]
    left = max(came) + ALBUM_PAUSE - timezone.now()
    is_full = len(came) >= storage.MOST_FILES
    return 0.0 if is_full else min(left, ALBUM_PAUSE).total_seconds()


def speaker_of(update: TelegramUpdate) -> Speaker | None:
    """In a group, where others read along, a guest without memory."""
    # Looked up at each step: links and memberships can end.
    payload = restored(update.payload)
    speaker = links.speaker(update.thread.space_id, payload.sender.id)
    if speaker and payload.place and payload.place.is_in_group:
        return replace(speaker, user=None, person=None, added_by_admin=False)
    return speaker


def check_link(update: TelegramUpdate) -> None:
    """Raise Unlinked if the link changed since the message was accepted.

    Answers to unlinked accounts contain nothing private and are always sent.
    """
    if update.link_id is None:
        return
    speaker = speaker_of(update)
    if speaker is None or speaker.link_id != update.link_id:
        raise Unlinked
    if update.reply and update.reply.conversation.user != speaker.user:
        raise Unlinked


@contextmanager
def in_language_of(speaker: Speaker | None, update: Update) -> Iterator[None]:
    user = speaker.user if speaker else None
    asked = update.sender.language_code[:2]
    known = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    zone = user.zone if user else None
    with translation.override(user.locale if user else known), timezone.override(zone):
        yield


def store_file(update: TelegramUpdate, fetched: Fetched) -> Files:
    """Store a file that `accept_message` sends, outside of its transaction."""
    speaker, thread = speaker_of(update), update.thread
    if speaker is None:
        return Files()
    try:
        stored = storage.store(
            speaker.user,
            thread.space_id,
            fetched.name,
            fetched.content,
            guest_thread=thread,
        )
    except FileRefused as refusal:
        return Files(problems=[refusal.__str__])
    reason = lacking(stored)
    if stored.kind != Attachment.Kind.DOCUMENT and reason in {
        NEEDS_OCR,
        NEEDS_PROVIDER,
    }:
        return Files([stored], problems=[PROBLEMS[reason].__str__])
    return Files([stored])


def row_of(thread: Thread, message_id: int, user: User | None) -> Message | None:
    """The message or reply of the user's that Telegram knows by this number."""
    replies = Q(conversation__user=user, conversation__thread=thread)
    part = TelegramPart.objects.filter(
        update__thread=thread, telegram_message_id=message_id
    )
    if reply := part.values_list("update__reply", flat=True).first():
        return Message.objects.filter(replies, pk=reply).first()
    sent = TelegramUpdate.objects.filter(thread=thread, message_id=message_id)
    answered = sent.exclude(reply=None).order_by("-update_id")
    old = Message.objects.filter(replies, replies__in=answered.values("reply")).first()
    if old is None:
        return None
    versions = Q(pk=old.first_version_id or old.pk)
    versions |= Q(first_version=old.first_version_id or old.pk)
    return Message.objects.current().filter(versions).first()


def replied_by(incoming: Incoming, user: User | None) -> Replied | None:
    """What the message replies to, with the files of a row that is known."""
    message = incoming.message
    answered = contents.answered(message, incoming.update.bot.bot_id)
    if answered is None:
        return None
    replied, row = message.reply_to_message, None
    if replied:
        row = row_of(incoming.thread, replied.message_id, user)
    if row is None:
        return Replied(answered.text, answered.name)
    quote = with_surrogates(answered.text or row.content, files_of([row])[row.pk])
    return Replied(quote, row.forwarded_from or answered.name, row)
