"""Begin a turn: the user's message and the empty reply, in one transaction.

Nothing of a turn is lost once `begin` has returned: the message is stored, and the
reply is a row that a sweep finds should this process die.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from conversations import message_search
from conversations.limits import count_guest, count_message
from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import NotFound, Opening, begin_conversation
from conversations.refusals import Blank, Busy, TooLong
from conversations.reply.append_messages import say
from conversations.reply.stale_replies import interrupt_stale
from memory import service
from people.models import User
from people.scope import retraction_scope

LONGEST_MESSAGE = 20_000
"""Characters of one message."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply as it was begun, and whose lease of the thread it is written under: its
    own on the web.

    It knows its message, conversation and user, and nobody changes a field of them: the
    page that shows it and the runner that writes it look at it at the same time. The
    person is read when the prompt is: another reply may have been noting something.
    """

    reply: Message
    lease: UUID

    @property
    def reply_id(self) -> UUID:
        return self.reply.pk

    @property
    def conversation_id(self) -> UUID:
        return self.reply.conversation_id

    @property
    def message(self) -> Message:
        """What the user said."""
        message = self.reply.answers
        assert message is not None  # noqa: S101 -- a reply of a turn answers
        return message

    @property
    def asks(self) -> str:
        """What memory will be asked, for the embedding model to begin at once; empty
        where there is no memory to ask."""
        user = self.reply.conversation.user
        return self.message.content if user is not None and user.memory_on else ""


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
def begin(  # noqa: PLR0913 -- each channel knows something else
    user: User | None,
    space_id: UUID,
    text: str,
    *,
    conversation_id: UUID | None = None,
    opening: Opening | None = None,
    arrival: Arrival | None = None,
    key: UUID | None = None,
) -> Turn:
    """Store a message and the reply that is to be written.

    Without a `conversation_id` a new conversation begins, as `opening` says. Without a
    user it is somebody's whom a channel knows and no account does. With a `key` the
    message is stored under that. Raises NotFound, Busy, Blank, TooLong, LimitReached,
    and IntegrityError if there is a message with that key.
    """
    text = cleaned(text)
    reply_id = uuid4()
    lease = arrival.lease if arrival else reply_id
    if conversation_id is not None:
        conversation = _own(user, space_id, conversation_id)
        thread = _idle_thread(conversation, lease)
    else:
        opening = opening or Opening()
        conversation = begin_conversation(user, space_id, text, opening, lease=lease)
        thread = conversation.thread
        if opening.thread:
            thread = _idle_thread(conversation, lease)
    _count(user, thread)
    message = _said(text, arrival, key)
    reply = _waiting(message, reply_id)
    say(thread, conversation, message, reply)
    return Turn(reply, lease)


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
    message_search.remove([reply.pk])
    new = _waiting(reply.answers, new_id)
    say(thread, conversation, new)
    return Turn(new, new_id)


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
    service.withdraw(retraction_scope(user.pk, space_id), gone)
    message_search.remove(gone)
    message = _said(text)
    reply = _waiting(message, new_id)
    say(thread, old.conversation, message, reply)
    old.attachments.update(message=message)
    return Turn(reply, new_id)


@transaction.atomic
def resume(reply_id: UUID, lease: UUID) -> Turn | None:
    """Have a reply written from its start that whoever wrote it left unfinished.

    None when it came to an end, is gone, or the thread is leased to somebody else.
    """
    known = Message.objects.select_related("conversation__user", "thread", "answers")
    reply = known.filter(pk=reply_id).first()
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
    return Turn(reply, lease)


@transaction.atomic
def remark(turn_of: Conversation, answer: str, arrival: Arrival, text: str) -> Message:
    """Store a message that no model reads, and what is answered to it: a file, say.

    Returns the user's message, which may be empty. Raises Busy, LimitReached.
    """
    thread = _idle_thread(turn_of, arrival.lease)
    _count(turn_of.user, thread)
    message = _said(text, arrival)
    role = Message.Role.ASSISTANT
    say(thread, turn_of, message, Message(role=role, content=answer, answers=message))
    return message


def _said(
    text: str, arrival: Arrival | None = None, key: UUID | None = None
) -> Message:
    at = arrival.at if arrival else timezone.now()
    return Message(
        pk=key or uuid4(), role=Message.Role.USER, content=text, created_at=at
    )


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
    conversation.user = user
    return conversation


def _own_message(user: User, space_id: UUID, pk: UUID, role: str) -> Message:
    message = (
        Message.objects.current()
        .filter(
            pk=pk,
            role=role,
            conversation__in=Conversation.objects.of(user.pk, space_id),
        )
        .select_related("conversation", "answers")
        .first()
    )
    if message is None:
        raise NotFound
    message.conversation.user = user
    return message


def _idle_thread(conversation: Conversation, lease: UUID) -> Thread:
    """The thread, locked and leased, with no reply being written in it. Raises Busy."""
    thread = Thread.objects.lock_for(conversation.pk)
    if thread is None:
        raise NotFound
    running = thread.messages.filter(status=Message.Status.STREAMING)
    if running.exists() and not interrupt_stale(thread=thread):
        raise Busy
    if not Thread.objects.filter(pk=thread.pk).lease_to(lease):
        raise Busy
    return thread


def _waiting(message: Message, reply_id: UUID) -> Message:
    """The reply that is to be written, still empty."""
    return Message(
        pk=reply_id,
        role=Message.Role.ASSISTANT,
        answers=message,
        status=Message.Status.STREAMING,
        heartbeat_at=timezone.now(),
    )
