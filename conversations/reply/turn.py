"""Begin a turn: store the message and an empty reply in one transaction."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import get_language

from conversations.attachments import storage
from conversations.emergencies import emergency_note
from conversations.limits import count_guest, count_message
from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import NotFound, Start, begin_conversation
from conversations.refusals import Blank, TooLong, TurnRefused
from conversations.reply.append_messages import (
    append_messages,
    judge_message,
    leave_to_memory,
)
from conversations.reply.idle_threads import idle_conversation, idle_thread
from meddie.text import storable
from memory.models import MemoryPolicy
from people.models import Membership, User
from people.scope import NotAMember, Scope, member_scope

LONGEST_MESSAGE = 20_000  # characters
LONGEST_NAME = 128  # of who wrote a forwarded message
LONGEST_QUOTE = 2000  # characters of what a message replies to


@dataclass(frozen=True, slots=True)
class Turn:
    """A started reply, the lease it is written under, and what its user may.

    Page and runner share the reply, so no field of it changes.
    """

    reply: Message
    lease: UUID  # on the web the reply's id
    scope: Scope
    policy: MemoryPolicy
    may_have_files: bool = True  # the message

    @property
    def reply_id(self) -> UUID:
        return self.reply.pk

    @property
    def conversation_id(self) -> UUID:
        return self.reply.conversation_id

    @property
    def message(self) -> Message:
        message = self.reply.answers
        assert message is not None  # noqa: S101 -- a reply of a turn answers
        return message

    @property
    def zone(self) -> ZoneInfo | None:
        """The user's time zone; the user was read when the turn began."""
        user = self.reply.conversation.user
        return user.zone if user else None


@dataclass(frozen=True, slots=True)
class Received:
    """The inbox's lease of the thread, and the sending time."""

    lease: UUID
    at: datetime


@dataclass(frozen=True, slots=True)
class Replied:
    """What a message replies to, and who wrote that; the user without a name."""

    quote: str
    quoted_from: str = ""
    row: Message | None = None


def check_length(text: str, *, has_files: bool = False) -> None:
    """Raises Blank, TooLong."""
    if not clean(text) and not has_files:
        raise Blank
    if len(clean(text)) > LONGEST_MESSAGE:
        raise TooLong


def clean(text: str) -> str:
    return storable(text.replace("\r\n", "\n")).strip()


@transaction.atomic
def begin(  # noqa: PLR0913 -- each channel knows something else
    user: User | None,
    space_id: UUID | None,
    text: str,
    *,
    conversation_id: UUID | None = None,
    start: Start | None = None,
    received: Received | None = None,
    key: UUID | None = None,
    files: Collection[UUID] = (),
    forwarded_from: str = "",
    replied: Replied | None = None,
) -> Turn:
    """Store a message and its empty reply.

    Without a `conversation_id` a conversation begins in the space as `start` says. `user`
    is None for a Telegram account without a user. `key` becomes the message's primary key (decision 15).
    Raises NotFound, TurnRefused, and IntegrityError if the key exists.
    """
    reply_id = uuid4()
    lease = received.lease if received else reply_id
    message = user_message(text, received, key, forwarded_from, replied)
    with note_on_refusal(message, user):
        check_length(text, has_files=bool(files))
        if conversation_id is not None:
            conversation = idle_conversation(user, space_id, conversation_id, lease)
            thread = conversation.thread
        elif space_id is None:
            raise NotFound
        else:
            start = start or Start()
            title = message.content or storage.name_of(user, files)
            conversation = begin_conversation(user, space_id, title, start, lease=lease)
            thread = conversation.thread
            if start.thread:
                thread = idle_thread(conversation, lease)
        scope = scope_of_member(conversation, thread, conversation.space.memory_on)
        count_turn(user, thread, message)
    reply = empty_reply(message, reply_id, user)
    append_messages(thread, conversation, message, reply, lease=lease)
    with note_on_refusal(message, user):
        storage.attach(message, files)
    turn = started_turn(reply, lease, scope, may_have_files=bool(files))
    leave_to_memory(scope, turn.policy, message, user)
    return turn


@transaction.atomic
def resume(reply_id: UUID, lease: UUID) -> Turn | None:
    """Restart an unfinished reply; None if it is ended, deleted or leased elsewhere.

    Raises NotFound if the user has left the space.
    """
    known = Message.objects.select_related(
        *("conversation__user", "conversation__space__memory_policy"),
        *("thread", "answers__episode"),
    )
    reply = known.filter(pk=reply_id).first()
    if reply is None:
        return None
    thread = Thread.objects.lock_for(reply.conversation_id)
    if thread is None or thread.lease_holder != lease:
        return None
    unfinished = Message.objects.filter(
        pk=reply_id,
        answers__isnull=False,
        status__in=[Message.Status.STREAMING, Message.Status.INTERRUPTED],
    )
    if not unfinished.update(
        status=Message.Status.STREAMING,
        content="",
        error="",
        heartbeat_at=timezone.now(),
    ):
        return None
    return started_turn(reply, lease, scope_of(reply.conversation, thread))


@transaction.atomic
def store_without_reply(
    conversation: Conversation, answer: str, received: Received, text: str
) -> Message:
    """Store a message that no model reads, and a fixed answer.

    Returns the user's message, which may be empty. Raises Busy, LimitReached.
    """
    thread = idle_thread(conversation, received.lease)
    message = user_message(text, received)
    count_turn(conversation.user, thread, message)
    reply = Message(role=Message.Role.ASSISTANT, content=answer, answers=message)
    append_messages(thread, conversation, message, reply, lease=received.lease)
    return message


def scope_of(conversation: Conversation, thread: Thread) -> Scope:
    """Raises NotFound if the user is no member."""
    memory_on = None
    if conversation.user_id:
        place = conversation.user_id, conversation.space_id
        memory_on = Membership.objects.active(*place).memory_on().first()
    return scope_of_member(conversation, thread, memory_on)


def scope_of_member(
    conversation: Conversation,
    thread: Thread,
    memory_on: bool | None,  # noqa: FBT001 -- as `member_scope` has it
) -> Scope:
    """Raises NotFound if the user is no member."""
    try:
        return member_scope(
            conversation.user,
            conversation.space_id,
            memory_on,
            channel=thread.channel,
            remember=conversation.remember,
        )
    except NotAMember as error:
        raise NotFound from error


def memory_of_author() -> Subquery:
    """Of a message: whether the memory of its space is on; NULL for no member."""
    place = OuterRef("conversation__user"), OuterRef("conversation__space")
    return Subquery(Membership.objects.active(*place).memory_on())


def started_turn(
    reply: Message, lease: UUID, scope: Scope, *, may_have_files: bool = True
) -> Turn:
    policy = MemoryPolicy.of_space(reply.conversation.space)
    return Turn(reply, lease, scope, policy, may_have_files)


def user_message(
    text: str,
    received: Received | None = None,
    key: UUID | None = None,
    forwarded_from: str = "",
    replied: Replied | None = None,
) -> Message:
    """The message as it is stored, and judged. Its text is cut at the limit."""
    replied = replied or Replied("")
    message = Message(
        pk=key or uuid4(),
        role=Message.Role.USER,
        content=clean(text)[:LONGEST_MESSAGE],
        created_at=received.at if received else timezone.now(),
        forwarded_from=clean(forwarded_from)[:LONGEST_NAME],
        replies_to=replied.row,
        quote=clean(replied.quote)[:LONGEST_QUOTE],
        quoted_from=clean(replied.quoted_from)[:LONGEST_NAME],
    )
    judge_message(message)
    return message


@contextmanager
def note_on_refusal(message: Message, user: User | None) -> Iterator[None]:
    """Add the note about an emergency to a refusal of the message."""
    try:
        yield
    except TurnRefused as refusal:
        refusal.emergency_note = _note_for(message, user)
        raise


def empty_reply(message: Message, reply_id: UUID, user: User | None) -> Message:
    return Message(
        pk=reply_id,
        role=Message.Role.ASSISTANT,
        answers=message,
        emergency_note=_note_for(message, user),
        status=Message.Status.STREAMING,
        heartbeat_at=timezone.now(),
    )


def _note_for(message: Message, user: User | None) -> str:
    locale = user.locale if user else get_language() or ""
    return emergency_note(message.content, message.emergency, locale)


def count_turn(user: User | None, thread: Thread, message: Message) -> None:
    if user is None:
        count_guest(thread)
    else:
        count_message(user.pk, message.content)
