"""Store what a message asks for: a turn for the model, or a fixed answer."""

import re
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import get_language

from conversations.attachments import storage
from conversations.attachments.texts import keep_transcript
from conversations.emergencies import emergency_note, find_emergency
from conversations.models import Conversation, Thread
from conversations.new_conversation import Start, begin_conversation
from conversations.refusals import Busy, TurnRefused
from conversations.reply.revise import edit_received
from conversations.reply.turn import Turn, begin, clean, store_without_reply
from conversations.telegram import bot_texts, contents, conversation_choice, links
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.format import escape, to_parts
from conversations.telegram.incoming import (
    Incoming,
    in_language_of,
    replied_by,
    row_of,
    speaker_of,
)
from conversations.telegram.links import AlreadyLinked, Speaker
from conversations.telegram.models import TelegramPart, TelegramUpdate
from meddie.ai.provider import current_provider

Stage = TelegramUpdate.Stage
# A whole message: `/newsletter` is not `/new`.
COMMAND = re.compile(
    r"/(start|help|new)(?:@(\w{1,64}))?(?:[ \n]+([A-Za-z0-9_-]{1,64}))?"
)


@dataclass(frozen=True, slots=True)
class Command:
    """`start`, `help` or `new`; `code` comes from a deep link."""

    name: str
    code: str = ""


@transaction.atomic
def accept_message(incoming: Incoming) -> None:
    """Store what a message asks for, and the stage. Raises LeaseLost, Busy."""
    update = incoming.update
    update.hold()
    speaker = speaker_of(update)
    if speaker is not None:
        update.link_id = speaker.link_id
        if not incoming.message.is_in_group:
            links.clear_blocked(speaker.link_id)
    with in_language_of(speaker, restored(update.payload)):
        is_edit = update.kind == TelegramUpdate.Kind.EDIT
        if is_edit and speaker is not None:
            _accept_edit(incoming, speaker)
        else:
            _accept(incoming, speaker)
    rest = TelegramUpdate.objects.untouched().filter(pk__in=incoming.others)
    rest.join(update)


def _accept_edit(incoming: Incoming, speaker: Speaker) -> None:
    """The last version counts, and is answered."""
    update = incoming.update
    old = row_of(incoming.thread, incoming.message.message_id, speaker.user)
    if old is None:
        told = "" if incoming.message.is_in_group else bot_texts.edit_not_known()
        _answer(update, told)
        return
    files, known = (
        incoming.files.stored,
        old.attachments.values_list("sha256", flat=True),
    )
    if {file.sha256 for file in files} - set(known):
        _store_message(incoming, speaker)  # what replaces it is read like a new one
        return
    for file in files:  # the same, which is with the first version
        storage.remove_attachment(file)
    if not incoming.text or clean(incoming.text) == old.content:
        _answer(update, "")
        return
    old.conversation.user = speaker.user
    try:
        with transaction.atomic():
            turn = edit_received(old, incoming.text, incoming.received)
    except Busy:
        raise  # the worker tries again later
    except TurnRefused as refusal:
        _answer(update, escape(str(refusal)))
        return
    _add_note(update, turn)
    if not update.thread.told_of_edits:
        _add_part(update, f"<i>{bot_texts.edits_count()}</i>")
        Thread.objects.filter(pk=update.thread_id).update(told_of_edits=True)
    update.reply_id = turn.reply_id
    update.advance(Stage.TURN_STORED)


def _accept(incoming: Incoming, speaker: Speaker | None) -> None:
    update, message = incoming.update, incoming.message
    telegram_id = restored(update.payload).sender.id
    command = None
    if not message.forward_origin:
        command = parse_command(message.text or "", update.bot.username)
    if message.is_in_group and (speaker is None or command is not None):
        _answer(update, _in_group(command, incoming, speaker))
    elif command is not None and command.code:
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
            _add_part(update, bot_texts.hello(speaker, update.thread.space))


def _in_group(
    command: Command | None, incoming: Incoming, speaker: Speaker | None
) -> str:
    """Nothing for people without a link."""
    if speaker is None or command is None:
        return ""
    if command.name == "new":
        return _run_command(command.name, incoming.thread, speaker)
    return bot_texts.in_groups(incoming.update.bot.username)


def _answer(update: TelegramUpdate, html: str) -> None:
    if html:
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
            return bot_texts.welcome(known, thread.space)
        return bot_texts.code_received(link.user, thread.space.name, telegram_id)


def _run_command(name: str, thread: Thread, speaker: Speaker) -> str:
    if name == "start":
        return bot_texts.welcome(speaker, thread.space)
    if name == "help":
        return bot_texts.commands()
    current = conversation_choice.latest(thread, speaker)
    if current is not None:
        current.closed_at = timezone.now()
        current.save(update_fields=["closed_at"])
    return bot_texts.started()


def _store_message(incoming: Incoming, speaker: Speaker) -> None:
    is_mute = not incoming.files.stored and not incoming.text.strip()
    if is_mute or (incoming.only_shares and not current_provider().connected):
        problem = next(iter(incoming.files.problems), bot_texts.cannot_read)
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


def _begin_turn(incoming: Incoming, speaker: Speaker) -> None:
    choice, files = _choose(incoming, speaker), incoming.files
    turn = begin(
        speaker.user,
        incoming.thread.space_id,
        incoming.text,
        conversation_id=choice.pk if isinstance(choice, Conversation) else None,
        start=choice if isinstance(choice, Start) else None,
        received=incoming.received,
        files=[file.pk for file in files.stored],
        forwarded_from=contents.forwarded_from(incoming.message),
        replied=replied_by(incoming, speaker.user),
    )
    if files.stored and files.transcript:
        keep_transcript(turn.message, files.transcript)
    _add_note(incoming.update, turn)
    told = dict.fromkeys(problem() for problem in files.problems)
    if len(incoming.messages) > len(files.stored) > 0:
        told[bot_texts.files_missing(len(files.stored), len(incoming.messages))] = None
    for problem in told:
        _add_part(incoming.update, f"<i>{escape(problem)}</i>")
    incoming.update.reply_id = turn.reply_id
    incoming.update.advance(Stage.TURN_STORED)


def _add_note(update: TelegramUpdate, turn: Turn) -> None:
    if not update.parts.exists():  # else the note was sent early
        for html in to_parts(turn.reply.emergency_note):
            _add_part(update, html)


def _keep_recording(incoming: Incoming, speaker: Speaker) -> None:
    [file] = incoming.files.stored
    answer, choice = bot_texts.not_heard(), _choose(incoming, speaker)
    if not isinstance(choice, Conversation):
        space_id = incoming.thread.space_id
        choice = begin_conversation(speaker.user, space_id, file.name, choice)
    message = store_without_reply(choice, answer, incoming.received, "")
    storage.attach(message, [file.pk])
    _answer(incoming.update, escape(answer))


def _choose(incoming: Incoming, speaker: Speaker) -> Conversation | Start:
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
