"""What an update asks for, stored in one transaction: a turn, or an answer at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from conversations.models import (
    Attachment,
    Conversation,
    TelegramPart,
    TelegramUpdate,
    Thread,
)
from conversations.new_conversation import begin_conversation
from conversations.refusals import Busy, TurnRefused
from conversations.reply.turn import Received, begin, store_without_reply
from conversations.telegram import bot_texts, commands, conversation_choice, inbox
from conversations.telegram.bot_api.schema import Message, Update, restored
from conversations.telegram.files import Fetched
from conversations.telegram.format import escape
from people import telegram_links
from people.telegram_links import AlreadyLinked, Speaker

State = TelegramUpdate.State


class Unlinked(Exception):
    """The answer was meant for somebody who is not behind this Telegram id any more."""


@dataclass(frozen=True, slots=True)
class Files:
    """The file of a message as far as it could be had."""

    fetched: Fetched | None = None
    lost: bool = False
    too_large: bool = False


@dataclass(frozen=True, slots=True)
class _Said:
    """One message with everything that is needed to answer it."""

    update: TelegramUpdate
    thread: Thread
    message: Message
    files: Files
    lease: UUID

    @property
    def received(self) -> Received:
        return Received(self.lease, self.message.said_at)


def who(update: TelegramUpdate) -> Speaker | None:
    """Who wrote, looked up anew: links and memberships end."""
    sender = restored(update.payload).sender
    return telegram_links.speaker(update.thread.space_id, sender.id)


def check_link(update: TelegramUpdate) -> None:
    """Raise Unlinked where whoever is linked now is not whom the answer was meant for.

    What a stranger is told is anybody's.
    """
    if update.link_id is None:
        return
    speaker = who(update)
    if speaker is None or speaker.link_id != update.link_id:
        raise Unlinked
    if update.reply and update.reply.conversation.user != speaker.user:
        raise Unlinked


@contextmanager
def spoken_to(speaker: Speaker | None, update: Update) -> Iterator[None]:
    """In the language and the time zone of whoever wrote."""
    user = speaker.user if speaker else None
    asked = update.sender.language_code[:2]
    known = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    zone = user.zone if user else None
    with translation.override(user.locale if user else known), timezone.override(zone):
        yield


@transaction.atomic
def take_in(update: TelegramUpdate, lease: UUID, files: Files) -> None:
    """Store what a message asks for, and that it is stored. Raises LeaseLost, Busy."""
    thread = inbox.hold(update, lease)
    incoming = restored(update.payload)
    assert incoming.message is not None  # noqa: S101 -- buttons go another way
    said = _Said(update, thread, incoming.message, files, lease)
    speaker = telegram_links.speaker(thread.space_id, incoming.sender.id)
    if speaker is not None:
        update.link_id = speaker.link_id
        telegram_links.clear_blocked(speaker.link_id)
    with spoken_to(speaker, incoming):
        command = commands.parse(said.message.text or "", update.bot.username)
        if command is not None and command.code:
            answer_with(update, [_link(thread, incoming.sender.id, command.code)])
        elif speaker is None:
            answer_with(update, [bot_texts.stranger(incoming.sender.id)])
        elif command is not None:
            answer_with(update, [_obey(command.name, thread, speaker)])
        else:
            _talk(said, speaker)


def answer_with(update: TelegramUpdate, answers: list[str]) -> None:
    """Have these messages sent. For whoever holds the thread in this transaction."""
    TelegramPart.objects.bulk_create(
        TelegramPart(update=update, number=number, html=html)
        for number, html in enumerate(answers, start=1)
    )
    inbox.advance(update, State.REPLY_STORED)


def _link(thread: Thread, telegram_id: int, code: str) -> str:
    try:
        speaker = telegram_links.redeem(thread.space_id, telegram_id, code)
    except AlreadyLinked:
        return bot_texts.linked_already()
    if speaker is None or speaker.user is None:
        return bot_texts.link_of_no_use()
    with translation.override(speaker.user.locale):
        return bot_texts.welcome(speaker, thread.space.name)


def _obey(name: str, thread: Thread, speaker: Speaker) -> str:
    if name == "start":
        return bot_texts.welcome(speaker, thread.space.name)
    if name == "help":
        return bot_texts.commands()
    current = conversation_choice.latest(thread, speaker)
    if current is not None:
        current.closed_at = timezone.now()
        current.save(update_fields=["closed_at"])
    return bot_texts.started()


def _talk(said: _Said, speaker: Speaker) -> None:
    text = said.message.text or said.message.caption or ""
    answer: Callable[[_Said, Speaker, str], None]
    if text.strip():
        answer = _begin
    elif said.files.fetched is not None:
        answer = _keep
    else:
        answer_with(said.update, [_refusal(said.files)])
        return
    try:
        with transaction.atomic():
            answer(said, speaker, text)
    except Busy:
        raise  # the worker tries again later
    except TurnRefused as refusal:
        answer_with(said.update, [escape(str(refusal))])


def _refusal(files: Files) -> str:
    if files.too_large:
        return bot_texts.too_large()
    return bot_texts.lost() if files.lost else bot_texts.cannot_read()


def _begin(said: _Said, speaker: Speaker, text: str) -> None:
    """A turn, as on the web; its file, if there is one, hangs on the user's message."""
    before = conversation_choice.latest(said.thread, speaker)
    goes_on = conversation_choice.goes_on(before, speaker, said.message.said_at)
    turn = begin(
        speaker.user,
        said.thread.space_id,
        text,
        conversation_id=before.pk if before is not None and goes_on else None,
        start=None
        if goes_on
        else conversation_choice.opening(said.thread, speaker, before),
        received=said.received,
    )
    _attach(turn.message.pk, said.files)
    inbox.advance(said.update, State.TURN_STORED, reply_id=turn.reply_id)


def _keep(said: _Said, speaker: Speaker, text: str) -> None:
    """A file without a word: it is kept, and no model is asked."""
    assert said.files.fetched is not None  # noqa: S101 -- the caller's case
    answer = bot_texts.kept(said.files.fetched.kind)
    conversation = _conversation(said, speaker)
    message = store_without_reply(conversation, answer, said.received, text)
    _attach(message.pk, said.files)
    answer_with(said.update, [escape(answer)])


def _conversation(said: _Said, speaker: Speaker) -> Conversation:
    before = conversation_choice.latest(said.thread, speaker)
    if before is not None and conversation_choice.goes_on(
        before, speaker, said.message.said_at
    ):
        return before
    opening = conversation_choice.opening(said.thread, speaker, before)
    name = said.files.fetched.name if said.files.fetched else ""
    return begin_conversation(speaker.user, said.thread.space_id, name, opening)


def _attach(message_id: UUID, files: Files) -> None:
    if files.fetched is not None:
        Attachment.objects.create(
            message_id=message_id,
            kind=files.fetched.kind,
            name=files.fetched.name,
            content_type=files.fetched.content_type,
            size=len(files.fetched.content),
            content=files.fetched.content,
        )
