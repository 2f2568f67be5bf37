"""Store the messages and the reply of a call in the thread of its chat."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Greatest
from django.utils import timezone

from conversations import message_search
from conversations.api.channel import API
from conversations.api.openai.branches import BranchDifference, find_difference
from conversations.api.openai.memories import UsedMemory
from conversations.api.openai.schema import ApiRequest
from conversations.api.openai.unfinished import unfinished_reply
from conversations.emergencies import find_emergency, without_emergency
from conversations.episodes import summaries
from conversations.episodes.topics import weigh_topic
from conversations.limits import take_room
from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import Start, begin_conversation
from conversations.reply.append_messages import (
    CONTEXT_LENGTH,
    CONTEXT_MESSAGES,
    append_messages,
    judge_message,
    leave_to_memory,
)
from conversations.reply.finish import Followups, Outcome, set_usage, store_receipt
from conversations.reply.idle_threads import STALE_AFTER
from conversations.reply.turn import memory_of_author
from meddie.ai.events import Usage
from memory import service
from memory.models import MemoryPolicy
from people.models import ApiKey, User
from people.scope import NotAMember, Scope, member_scope, retraction_scope

MOST_STORED = 1000  # newest messages of a request that are stored
CAPTURED = 20  # newest messages of a request that teach something
Status, Role = Message.Status, Message.Role


@dataclass(frozen=True, slots=True)
class ApiChat:
    """Where and when a call is stored; without an `id` in a thread of key and user."""

    key: ApiKey
    user: User
    id: str
    began: datetime = field(default_factory=timezone.now)

    @property
    def external_id(self) -> str:
        named = ["chat", self.id] if self.id else ["key", str(self.key.pk)]
        parts = json.dumps([str(self.user.pk), *named])
        return hashlib.sha256(parts.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """The stored message to answer, the row of its reply, and what that replaces."""

    message_id: UUID
    reply_id: UUID
    conversation_id: UUID
    writes: bool
    replaced: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A reply, maybe unfinished."""

    text: str
    usage: Usage
    outcome: Outcome
    at: datetime = field(default_factory=timezone.now)


@transaction.atomic
def store_question(
    scope: Scope, chat: ApiChat, asked: ApiRequest, note: str
) -> StoredQuestion:
    """Store the new messages of a call; of edited ones withdraw what they taught.

    The reply is interrupted until it is finished: this process may be killed. Raises
    NoRoomForText for messages before the newest, which was counted with the call.
    """
    conversation = _conversation(chat, asked)
    thread = conversation.thread
    users = conversation.messages.current().filter(role=Role.USER)
    users = users.only("seq", "content")
    if chat.id:
        stored = list(users.in_order())
        difference = find_difference([m.content for m in stored], asked.sent)
    else:
        stored = list(users.order_by("-seq")[:1])
        place = 0 if stored and _is_repeated(stored[0], asked) else None
        difference = BranchDifference(len(stored), len(asked.sent) - 1, place)
    if difference.known is not None:
        return _answer_again(scope, chat, conversation, stored[difference.known], note)
    first = max(difference.first_new, len(asked.sent) - MOST_STORED)
    edited = difference.kept if difference.kept < len(stored) else None
    messages = _new_messages(scope, asked, first, edited)
    if earlier := [message.content for message in messages[:-1]]:
        take_room(chat.user.pk, *earlier)
    if edited is not None:
        _replace_from(stored[edited], chat)
        _open_again(messages, thread, stored[:edited])
    reply = unfinished_reply(messages[-1], note)
    append_messages(thread, conversation, *messages, reply)
    _capture(scope, chat, asked, messages, first)
    return StoredQuestion(messages[-1].pk, reply.pk, conversation.pk, scope.writes)


def _answer_again(
    scope: Scope, chat: ApiChat, conversation: Conversation, known: Message, note: str
) -> StoredQuestion:
    replies = Message.objects.current().filter(answers=known, role=Role.ASSISTANT)
    # Not those of another model that is asked at the same time.
    replies = replies.filter(created_at__lt=chat.began)
    replies = replies.exclude(heartbeat_at__gt=timezone.now() - STALE_AFTER)
    replaced = tuple(replies.values_list("pk", flat=True))
    reply = unfinished_reply(known, note)
    append_messages(conversation.thread, conversation, reply)
    return StoredQuestion(known.pk, reply.pk, conversation.pk, scope.writes, replaced)


@transaction.atomic
def finish_reply(
    question: StoredQuestion, said: Said, memory: UsedMemory
) -> Followups | None:
    """Store the reply; None if the conversation was deleted or the reply is stored."""
    emergency = find_emergency(said.text)
    thread = Thread.objects.lock_for(question.conversation_id)
    unfinished: Any = Message.objects.exclude(heartbeat_at=None)
    unfinished = unfinished.select_related("conversation__user", "answers__episode")
    unfinished = unfinished.annotate(memory_on=memory_of_author())
    reply = unfinished.filter(pk=question.reply_id).first()
    if thread is None or reply is None:
        return None
    message = reply.answers
    if question.replaced:
        replaced = Message.objects.filter(pk__in=question.replaced)
        replaced.update(status=Status.SUPERSEDED)
        message_search.remove(question.replaced)
    superseded = message.status == Status.SUPERSEDED  # edited meanwhile
    if not superseded:
        weigh_topic(message, memory.known.query)
        reply.episode = message.episode
    reply.thread, reply.created_at = thread, said.at
    message.conversation = reply.conversation
    reply.content, reply.emergency = said.text, emergency
    reply.status = Status.SUPERSEDED if superseded else said.outcome.status
    reply.error, reply.heartbeat_at = said.outcome.error, None
    reply.lookup = memory.lookup.query if memory.lookup else ""
    set_usage(reply, said.usage)
    reply.save()
    Conversation.objects.filter(pk=question.conversation_id).update(
        last_message_at=Greatest("last_message_at", reply.created_at)
    )
    return _learnt(message, reply, memory, writes=question.writes)


def _conversation(chat: ApiChat, asked: ApiRequest) -> Conversation:
    """The chat's conversation, whose thread is locked."""
    place = {
        "space_id": chat.key.space_id,
        "channel": API.name,
        "external_id": chat.external_id,
    }
    own = Conversation.objects.filter(**{f"thread__{k}": v for k, v in place.items()})
    own = own.select_related("thread", "space__memory_policy")
    if known := own.select_for_update(of=("thread",)).first():
        return known
    threads = Thread.objects.select_for_update(of=("self",)).filter(**place)
    new = Thread(user=chat.user, **place)
    Thread.objects.bulk_create([new], ignore_conflicts=True)
    thread = threads.get()
    conversation = own.first()
    if conversation is None:
        title = asked.sent[0] if chat.id else chat.key.name
        start = Start(thread=thread)
        conversation = begin_conversation(chat.user, chat.key.space_id, title, start)
    conversation.thread = thread
    return conversation


def _is_repeated(last: Message, asked: ApiRequest) -> bool:
    """Whether a call without a chat asks again for the reply to the last message."""
    if not asked.asks:
        return asked.question == last.content
    answered = last.replies.filter(role=Role.ASSISTANT, status=Status.DONE)
    return asked.question == last.content != "" and not answered.exists()


def _replace_from(edited: Message, chat: ApiChat) -> None:
    replaced = Message.objects.filter(thread=edited.thread_id, seq__gte=edited.seq)
    replaced_ids = list(replaced.values_list("pk", flat=True))
    replaced.update(status=Status.SUPERSEDED)
    scope = retraction_scope(chat.user.pk, chat.key.space_id)
    service.withdraw(scope, replaced_ids)
    message_search.remove(replaced_ids)


def _new_messages(
    scope: Scope, asked: ApiRequest, first: int, edited: int | None
) -> list[Message]:
    """Stated in their order. What was answered elsewhere was not said now (decision 32).

    `edited` is the place of a message that replaces a stored one.
    """
    now = timezone.now()
    oldest = len(asked.sent) - asked.unanswered
    messages = [
        Message(
            role=Role.USER,
            content=text,
            teaches=scope.writes and (place >= oldest or place == edited),
            created_at=now + timedelta(microseconds=place),
        )
        for place, text in enumerate(asked.sent[first:], start=first)
    ]
    for message in messages:
        judge_message(message)
    return messages


def _open_again(
    messages: Sequence[Message], thread: Thread, kept: Sequence[Message]
) -> None:
    """Give messages of an earlier branch the date that they had in it."""
    replaced = Message.objects.filter(
        thread=thread,
        role=Role.USER,
        status=Status.SUPERSEDED,
        seq__gt=kept[-1].seq if kept else 0,
        content__in=[message.content for message in messages],
    )
    former = list(replaced.in_order().only("content", "created_at", "teaches"))
    for message in messages:
        same = (earlier for earlier in former if earlier.content == message.content)
        if before := next(same, None):
            former.remove(before)
            message.created_at, message.teaches = before.created_at, before.teaches


def _capture(
    scope: Scope,
    chat: ApiChat,
    asked: ApiRequest,
    messages: Sequence[Message],
    first: int,
) -> None:
    """`first` is the place of the first message among the user's."""
    if not scope.writes:
        return
    policy = MemoryPolicy.of_space(messages[0].conversation.space)
    places = [place for place, line in enumerate(asked.lines) if line.role == "user"]
    teaching = [pair for pair in enumerate(messages, start=first) if pair[1].teaches]
    for number, message in teaching[-CAPTURED:]:
        before = asked.lines[: places[number]][-CONTEXT_MESSAGES:]
        context = [
            (line.role, without_emergency(line.text[:CONTEXT_LENGTH]))
            for line in before
        ]
        leave_to_memory(scope, policy, message, chat.user, context)


def _learnt(
    message: Message, reply: Any, memory: UsedMemory, *, writes: bool
) -> Followups:
    conversation = reply.conversation
    try:
        scope = member_scope(
            conversation.user,
            conversation.space_id,
            reply.memory_on,
            channel=API.name,
            remember=conversation.remember and writes and message.teaches,
        )
    except NotAMember:
        return Followups()
    store_receipt(reply, memory.known, memory.used, memory.lookup)
    indexed = message_search.index(scope, [message, reply])
    if scope.writes:
        summaries.after_turn(reply)
    return Followups(stale_ids=memory.known.found.stale_ids, indexed=indexed)
