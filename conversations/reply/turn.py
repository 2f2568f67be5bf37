"""Begin a turn: the user's message and the empty reply, in one transaction.

Nothing of a turn is lost once `begin` has returned: the message is stored, and the
reply is a row that a sweep finds should this process die.
"""

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from conversations.limits import count_message
from conversations.models import Conversation, Episode, Message, Thread
from conversations.reply.interruption import interrupt_stale
from conversations.titles import first_words
from memory.capture.withdrawal import withdraw
from people.models import Person, User
from people.scope import NotAMember, scope_for

LONGEST_MESSAGE = 20_000
"""Characters of one message."""


class NotFound(Exception):
    """No such conversation, message or person for this user in this space."""


class Busy(Exception):
    """A reply is being written in this thread."""


class Blank(Exception):
    """There is nothing in the message."""


class TooLong(Exception):
    """The message is longer than LONGEST_MESSAGE."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One user message and the reply to it, by their keys."""

    conversation_id: UUID
    user_message_id: UUID
    reply_id: UUID


@dataclass(frozen=True, slots=True)
class Opening:
    """What a conversation that begins with this message should be like."""

    person_id: UUID | None = None
    remember: bool = True
    channel: str = Thread.Channel.WEB
    external_id: str | None = None


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
    user: User,
    space_id: UUID,
    text: str,
    *,
    conversation_id: UUID | None = None,
    opening: Opening | None = None,
) -> Turn:
    """Store a message and the reply that is to be written.

    Without a `conversation_id` a new conversation begins, as `opening` says. Raises
    NotFound, Busy, Blank, TooLong, and LimitReached of `conversations.limits`.
    """
    text = cleaned(text)
    if conversation_id is None:
        conversation = _open(user, space_id, text, opening or Opening())
    else:
        conversation = _own(user, space_id, conversation_id)
    thread = _idle_thread(conversation)
    count_message(user.pk)
    message = _say(thread, conversation, Message.Role.USER, content=text)
    return _await_reply(thread, conversation, message)


@transaction.atomic
def regenerate(user: User, space_id: UUID, reply_id: UUID) -> Turn:
    """Write the last reply anew; the old one is kept as superseded.

    Raises NotFound, Busy, LimitReached.
    """
    reply = _own_message(user, space_id, reply_id, Message.Role.ASSISTANT)
    conversation = reply.conversation
    thread = _idle_thread(conversation)
    last = conversation.messages.current().filter(role=Message.Role.ASSISTANT)
    if reply.answers is None or last.in_order().last() != reply:
        raise NotFound
    count_message(user.pk)
    reply.status = Message.Status.SUPERSEDED
    reply.save(update_fields=["status"])
    return _await_reply(thread, conversation, reply.answers)


@transaction.atomic
def edit(user: User, space_id: UUID, message_id: UUID, text: str) -> Turn:
    """Say it differently: the message and all behind it are superseded, a new one sent.

    Raises NotFound, Busy, Blank, TooLong, LimitReached.
    """
    text = cleaned(text)
    old = _own_message(user, space_id, message_id, Message.Role.USER)
    thread = _idle_thread(old.conversation)
    count_message(user.pk)
    behind = old.conversation.messages.filter(seq__gte=old.seq)
    behind.exclude(role=Message.Role.SYSTEM).update(status=Message.Status.SUPERSEDED)
    withdraw(user.pk, space_id, list(behind.values_list("pk", flat=True)))
    message = _say(thread, old.conversation, Message.Role.USER, content=text)
    return _await_reply(thread, old.conversation, message)


def _open(user: User, space_id: UUID, text: str, opening: Opening) -> Conversation:
    try:
        scope_for(user, space_id, channel=opening.channel)
    except NotAMember as error:
        raise NotFound from error
    person = None
    if opening.person_id is not None:
        person = Person.objects.in_space(space_id).filter(pk=opening.person_id).first()
        if person is None:
            raise NotFound
    key = uuid4()
    thread = Thread.objects.create(
        space_id=space_id,
        user=user,
        channel=opening.channel,
        external_id=opening.external_id or str(key),
    )
    conversation = Conversation.objects.create(
        pk=key,
        thread=thread,
        space_id=space_id,
        user=user,
        person=person,
        title=first_words(text),
        remember=opening.remember,
        last_message_at=timezone.now(),
    )
    Episode.objects.create(conversation=conversation)
    return conversation


def _own(user: User, space_id: UUID, conversation_id: UUID) -> Conversation:
    own = Conversation.objects.of(user.pk, space_id).select_related("thread")
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


def _idle_thread(conversation: Conversation) -> Thread:
    """The locked thread, with no reply being written in it. Raises Busy."""
    thread = Thread.objects.lock_for(conversation.pk)
    if thread is None:
        raise NotFound
    interrupt_stale(thread=thread)
    if thread.messages.filter(status=Message.Status.STREAMING).exists():
        raise Busy
    return thread


def _say(
    thread: Thread, conversation: Conversation, role: str, **fields: object
) -> Message:
    episode = conversation.episodes.get(status=Episode.Status.ACTIVE)
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
    return message


def _await_reply(thread: Thread, conversation: Conversation, message: Message) -> Turn:
    reply = _say(
        thread,
        conversation,
        Message.Role.ASSISTANT,
        answers=message,
        status=Message.Status.STREAMING,
        heartbeat_at=timezone.now(),
    )
    return Turn(conversation.pk, message.pk, reply.pk)


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
