"""Store what a message asks for: a turn for the model, or a fixed answer."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import get_language

from conversations.attachments import storage
from conversations.attachments.problems import NEEDS_PROVIDER, PROBLEMS
from conversations.attachments.texts import keep_transcript
from conversations.emergencies import emergency_note, find_emergency
from conversations.models import Attachment, Conversation, Thread
from conversations.new_conversation import Start, begin_conversation
from conversations.refusals import Busy, FileRefused, TurnRefused
from conversations.reply.turn import (
    LONGEST_MESSAGE,
    Received,
    begin,
    store_without_reply,
)
from conversations.telegram import bot_texts, conversation_choice, links
from conversations.telegram.bot_api.schema import IncomingMessage, Update, restored
from conversations.telegram.files import Fetched
from conversations.telegram.format import escape, to_parts
from conversations.telegram.links import AlreadyLinked, Speaker
from conversations.telegram.models import TelegramPart, TelegramUpdate
from meddie.ai.provider import current_provider

Stage = TelegramUpdate.Stage
AUDIO = Attachment.Kind.AUDIO
# A whole message: `/newsletter` is not `/new`.
COMMAND = re.compile(
    r"/(start|help|new)(?:@(\w{1,64}))?(?:[ \n]+([A-Za-z0-9_-]{1,64}))?"
)


@dataclass(frozen=True, slots=True)
class Command:
    """`start`, `help` or `new`; `code` comes from a deep link."""

    name: str
    code: str = ""


class Unlinked(Exception):
    """The Telegram id no longer belongs to the user of the answer."""


@dataclass(frozen=True, slots=True)
class Files:
    """The stored file of a message, or why there is none."""

    stored: Attachment | None = None
    transcript: str = ""
    problem: Callable[[], str] | None = None  # in the sender's language


@dataclass(frozen=True, slots=True)
class _Incoming:
    update: TelegramUpdate
    message: IncomingMessage
    files: Files

    @property
    def text(self) -> str:
        """What was written, or said to Meddie and not only sent."""
        spoken = self.message.voice or self.message.video_note
        words = self.files.transcript if spoken else ""
        return self.written or (words if len(words) <= LONGEST_MESSAGE else "")

    @property
    def written(self) -> str:
        return self.message.text or self.message.caption or ""

    @property
    def is_unheard(self) -> bool:
        file, words = self.files.stored, self.written or self.files.transcript
        return not words.strip() and file is not None and file.kind == AUDIO

    @property
    def thread(self) -> Thread:
        return self.update.thread

    @property
    def received(self) -> Received:
        lease = self.update.lease_holder
        assert lease is not None  # noqa: S101 -- `hold` has checked it
        return Received(lease, self.message.sent_at)


def speaker_of(update: TelegramUpdate) -> Speaker | None:
    # Looked up at each step: links and memberships can end.
    sender = restored(update.payload).sender
    return links.speaker(update.thread.space_id, sender.id)


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
        return Files(problem=refusal.__str__)
    unread = stored.kind != Attachment.Kind.DOCUMENT
    if unread and not current_provider().reads_files:
        return Files(stored, problem=PROBLEMS[NEEDS_PROVIDER].__str__)
    return Files(stored)


@transaction.atomic
def accept_message(update: TelegramUpdate, files: Files) -> None:
    """Store what a message asks for, and the stage. Raises LeaseLost, Busy."""
    update.hold()
    payload = restored(update.payload)
    speaker = links.speaker(update.thread.space_id, payload.sender.id)
    if speaker is not None:
        update.link_id = speaker.link_id
        links.clear_blocked(speaker.link_id)
    with in_language_of(speaker, payload):
        if payload.message is None:
            _answer_edit(update)
        else:
            _accept(_Incoming(update, payload.message, files), speaker)


def _answer_edit(update: TelegramUpdate) -> None:
    if not update.thread.told_of_edits:
        _add_part(update, bot_texts.edits_not_read())
        update.thread.told_of_edits = True
        update.thread.save(update_fields=["told_of_edits"])
    update.advance(Stage.REPLY_STORED)


def _accept(incoming: _Incoming, speaker: Speaker | None) -> None:
    update, telegram_id = incoming.update, restored(incoming.update.payload).sender.id
    command = parse_command(incoming.message.text or "", update.bot.username)
    if command is not None and command.code:
        _answer(update, _link(update.thread, telegram_id, command.code))
    elif speaker is None:
        emergency = find_emergency(incoming.text)
        note = emergency_note(incoming.text, emergency, get_language() or "")
        pending = links.is_pending(update.thread.space_id, telegram_id)
        told = bot_texts.pending_account if pending else bot_texts.unknown_account
        unknown = told(telegram_id)
        _answer(update, "\n\n".join([*to_parts(note), unknown]))
    elif command is not None:
        _answer(update, _run_command(command.name, update.thread, speaker))
    else:
        first = not update.thread.conversations.filter(user=speaker.user).exists()
        _store_message(incoming, speaker)
        if first and speaker.added_by_admin:
            # Else an admin could read what a sender takes for their own chat.
            _add_part(update, bot_texts.hello(speaker, update.thread.space.name))


def _answer(update: TelegramUpdate, html: str) -> None:
    _add_part(update, html)
    update.advance(Stage.REPLY_STORED)


def _add_part(update: TelegramUpdate, html: str) -> None:
    number = update.parts.count() + 1
    TelegramPart.objects.create(update=update, number=number, html=html)


def _link(thread: Thread, telegram_id: int, code: str) -> str:
    try:
        link = links.redeem(thread.space_id, telegram_id, code)
    except AlreadyLinked:
        return bot_texts.already_linked()
    if link is None or link.user is None:
        return bot_texts.invalid_link()
    with translation.override(link.user.locale):
        known = links.speaker(thread.space_id, telegram_id)
        if known is not None:
            return bot_texts.welcome(known, thread.space.name)
        return bot_texts.code_received(link.user, thread.space.name, telegram_id)


def _run_command(name: str, thread: Thread, speaker: Speaker) -> str:
    if name == "start":
        return bot_texts.welcome(speaker, thread.space.name)
    if name == "help":
        return bot_texts.commands()
    current = conversation_choice.latest(thread, speaker)
    if current is not None:
        current.closed_at = timezone.now()
        current.save(update_fields=["closed_at"])
    return bot_texts.started()


def _store_message(incoming: _Incoming, speaker: Speaker) -> None:
    if not incoming.text.strip() and incoming.files.stored is None:
        problem = incoming.files.problem or bot_texts.cannot_read
        _answer(incoming.update, escape(problem()))
        return
    try:
        with transaction.atomic():
            store = _keep_recording if incoming.is_unheard else _begin_turn
            store(incoming, speaker)
    except Busy:
        raise  # the worker tries again later
    except TurnRefused as refusal:
        _answer(incoming.update, escape(str(refusal)))


def _begin_turn(incoming: _Incoming, speaker: Speaker) -> None:
    choice = _choose(incoming, speaker)
    turn = begin(
        speaker.user,
        incoming.thread.space_id,
        incoming.text,
        conversation_id=choice.pk if isinstance(choice, Conversation) else None,
        start=choice if isinstance(choice, Start) else None,
        received=incoming.received,
        files=[incoming.files.stored.pk] if incoming.files.stored else (),
    )
    if incoming.files.stored and incoming.files.transcript:
        keep_transcript(turn.message, incoming.files.transcript)
    if not incoming.update.parts.exists():  # else the note was sent early
        for html in to_parts(turn.reply.emergency_note):
            _add_part(incoming.update, html)
    if incoming.files.problem is not None:
        _add_part(incoming.update, f"<i>{escape(incoming.files.problem())}</i>")
    incoming.update.reply_id = turn.reply_id
    incoming.update.advance(Stage.TURN_STORED)


def _keep_recording(incoming: _Incoming, speaker: Speaker) -> None:
    file = incoming.files.stored
    assert file is not None  # noqa: S101 -- the caller's case
    answer, choice = bot_texts.not_heard(), _choose(incoming, speaker)
    if not isinstance(choice, Conversation):
        space_id = incoming.thread.space_id
        choice = begin_conversation(speaker.user, space_id, file.name, choice)
    message = store_without_reply(choice, answer, incoming.received, "")
    storage.attach(message, [file.pk])
    _answer(incoming.update, escape(answer))


def _choose(incoming: _Incoming, speaker: Speaker) -> Conversation | Start:
    thread, sent_at = incoming.thread, incoming.message.sent_at
    return conversation_choice.choose_conversation(thread, speaker, sent_at)


def parse_command(text: str, username: str) -> Command | None:
    """None for other text and other bots' commands."""
    match = COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    name, bot, code = match.groups()
    if bot and bot.lower() != username.lower():
        return None
    if code and name != "start":
        return None
    return Command(name, code or "")
