"""Begin a turn: the user's message and the empty reply, in one transaction.

Nothing of a turn is lost once `begin` has returned: the message is stored, and the
reply is a row that a sweep finds should this process die.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from conversations import indexing
from conversations.beginning import NotFound, Opening, begin_conversation
from conversations.limits import count_guest, count_message
from conversations.models import Conversation, Episode, Message, Thread
from conversations.reply.interruption import interrupt_stale
from memory.capture.withdrawal import withdraw
from people.models import User

LONGEST_MESSAGE = 20_000
"""Characters of one message."""


class Busy(Exception):
    """A reply is being written in this thread."""


class Blank(Exception):
    """There is nothing in the message."""


class TooLong(Exception):
    """The message is longer than LONGEST_MESSAGE."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One user message and the reply to it, by their keys, and whose lease of the
    thread the reply is written under: its own on the web."""

    conversation_id: UUID
    user_message_id: UUID
    reply_id: UUID
    lease: UUID


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a message came that waited in an inbox: under which lease of the thread, and
    when it was said."""

    lease: UUID
    at: datetime


def cleaned(text: str) -> str:
    """The message as it is stored. Raises Blank, TooLong."""
    text = text.replace("\r\n", "\n").replace("\0", "").strip()
    if not text:
        raise Blank
    if len(text) > LONGEST_MESSAGE:
        raise TooLong
    return text


@transaction.atomic
def begin(
    user: User | None,
    space_id: UUID,
    text: str,
    *,
    conversation_id: UUID | None = None,
    opening: Opening | None = None,
    arrival: Arrival | None = None,
) -> Turn:
    """Store a message and the reply that is to be written.

    Without a `conversation_id` a new conversation begins, as `opening` says. Without a
    user it is somebody's whom a channel knows and no account does. Raises NotFound,
    Busy, Blank, TooLong, and LimitReached of `conversations.limits`.
    """
    text = cleaned(text)
    if conversation_id is None:
        conversation = begin_conversation(user, space_id, text, opening or Opening())
    else:
        conversation = _own(user, space_id, conversation_id)
    reply_id = uuid4()
    lease = arrival.lease if arrival else reply_id
    thread = _idle_thread(conversation, lease)
    _count(user, thread)
    at = {"created_at": arrival.at} if arrival else {}
    message = _say(thread, conversation, Message.Role.USER, content=text, **at)
    return _await_reply(thread, message, reply_id, lease)


@transaction.atomic
def regenerate(user: User, space_id: UUID, reply_id: UUID) -> Turn:
    """Write the last reply anew; the old one is kept as superseded.

    Raises NotFound, Busy, Blank, LimitReached.
    """
    reply = _own_message(user, space_id, reply_id, Message.Role.ASSISTANT)
    conversation = reply.conversation
    new_id = uuid4()
    thread = _idle_thread(conversation, new_id)
    last = conversation.messages.current().filter(role=Message.Role.ASSISTANT)
    if reply.answers is None or last.in_order().last() != reply:
        raise NotFound
    if not reply.answers.content:
        raise Blank  # nothing but a file, which no model reads
    count_message(user.pk)
    reply.status = Message.Status.SUPERSEDED
    reply.save(update_fields=["status"])
    indexing.leave([reply.pk])
    return _await_reply(thread, reply.answers, new_id, new_id)


@transaction.atomic
def edit(user: User, space_id: UUID, message_id: UUID, text: str) -> Turn:
    """Say it differently: the message and all behind it are superseded, a new one sent.

    Raises NotFound, Busy, Blank, TooLong, LimitReached.
    """
    text = cleaned(text)
    old = _own_message(user, space_id, message_id, Message.Role.USER)
    new_id = uuid4()
    thread = _idle_thread(old.conversation, new_id)
    count_message(user.pk)
    behind = old.conversation.messages.filter(seq__gte=old.seq)
    behind.exclude(role=Message.Role.SYSTEM).update(status=Message.Status.SUPERSEDED)
    gone = list(behind.values_list("pk", flat=True))
    withdraw(user.pk, space_id, gone)
    indexing.leave(gone)
    message = _say(thread, old.conversation, Message.Role.USER, content=text)
    old.attachments.update(message=message)
    return _await_reply(thread, message, new_id, new_id)


@transaction.atomic
def resume(reply_id: UUID, lease: UUID) -> Turn | None:
    """Have a reply written from its start that whoever wrote it left unfinished.

    None when it came to an end, is gone, or the thread is leased to somebody else.
    """
    reply = Message.objects.filter(pk=reply_id).first()
    if reply is None:
        return None
    thread = Thread.objects.lock_for(reply.conversation_id)
    if thread is None or thread.lease_holder != lease:
        return None
    left = Message.objects.filter(
        pk=reply_id,
        answers__isnull=False,
        status__in=[Message.Status.STREAMING, Message.Status.INTERRUPTED],
    )
    if not left.update(
        status=Message.Status.STREAMING,
        content="",
        error="",
        heartbeat_at=timezone.now(),
    ):
        return None
    assert reply.answers_id is not None  # noqa: S101 -- the filter says so
    return Turn(reply.conversation_id, reply.answers_id, reply_id, lease)


@transaction.atomic
def remark(turn_of: Conversation, answer: str, arrival: Arrival, text: str) -> Message:
    """Store a message that no model reads, and what is answered to it: a file, say.

    Returns the user's message, which may be empty. Raises Busy, LimitReached.
    """
    thread = _idle_thread(turn_of, arrival.lease)
    _count(turn_of.user, thread)
    role = Message.Role.USER
    message = _say(thread, turn_of, role, content=text, created_at=arrival.at)
    _say(thread, turn_of, Message.Role.ASSISTANT, content=answer, answers=message)
    return message


def _count(user: User | None, thread: Thread) -> None:
    if user is None:
        count_guest(thread)
    else:
        count_message(user.pk)


def _own(user: User | None, space_id: UUID, conversation_id: UUID) -> Conversation:
    own = (
        Conversation.objects.of(user.pk, space_id)
        if user
        else Conversation.objects.filter(user=None, space_id=space_id)
    )
    conversation = own.filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    return conversation


def _own_message(user: User, space_id: UUID, pk: UUID, role: str) -> Message:
    message = (
        Message.objects.current()
        .filter(
            pk=pk,
            role=role,
            conversation__in=Conversation.objects.of(user.pk, space_id),
        )
        .select_related("conversation__thread", "answers")
        .first()
    )
    if message is None:
        raise NotFound
    return message


def _idle_thread(conversation: Conversation, lease: UUID) -> Thread:
    """The thread, locked and leased, with no reply being written in it. Raises Busy."""
    thread = Thread.objects.lock_for(conversation.pk)
    if thread is None:
        raise NotFound
    interrupt_stale(thread=thread)
    if thread.messages.filter(status=Message.Status.STREAMING).exists():
        raise Busy
    if not Thread.objects.filter(pk=thread.pk).lease_to(lease):
        raise Busy
    return thread


def _say(
    thread: Thread, conversation: Conversation, role: str, **fields: object
) -> Message:
    episode = _episode(thread, conversation)
    message = Message.objects.create(
        thread=thread,
        conversation=conversation,
        episode=episode,
        seq=thread.next_seq,
        role=role,
        **fields,
    )
    thread.next_seq += 1
    thread.save(update_fields=["next_seq"])
    conversation.last_message_at = message.created_at
    conversation.save(update_fields=["last_message_at"])
    if role == Message.Role.USER:
        episode.last_user_message_at = message.created_at
        episode.save(update_fields=["last_user_message_at"])
    return message


def _episode(thread: Thread, conversation: Conversation) -> Episode:
    """The thread's active chapter, which is in the conversation where one speaks."""
    active = thread.episodes.filter(status=Episode.Status.ACTIVE).first()
    if active is not None and active.conversation_id == conversation.pk:
        return active
    if active is not None:
        active.status, active.ended_at = Episode.Status.CLOSED, timezone.now()
        active.save(update_fields=["status", "ended_at"])
    return Episode.objects.create(thread=thread, conversation=conversation)


def _await_reply(thread: Thread, message: Message, reply_id: UUID, lease: UUID) -> Turn:
    reply = _say(
        thread,
        message.conversation,
        Message.Role.ASSISTANT,
        pk=reply_id,
        answers=message,
        status=Message.Status.STREAMING,
        heartbeat_at=timezone.now(),
    )
    return Turn(message.conversation_id, message.pk, reply.pk, lease)


def say_of_notes(reply: Message, content: str, **fields: object) -> Message:
    """Add the line that tells of a change to a person's notes, behind a reply."""
    thread = Thread.objects.lock_for(reply.conversation_id)
    assert thread is not None  # noqa: S101 -- the reply's row is locked
    return _say(
        thread,
        reply.conversation,
        Message.Role.SYSTEM,
        content=content,
        answers=reply.answers,
        **fields,
    )
