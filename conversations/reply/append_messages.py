"""Append messages to a locked thread, with one statement per table."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from conversations.models import (
    Conversation,
    Episode,
    MemoryReference,
    Message,
    Thread,
)


def append_messages(
    thread: Thread, conversation: Conversation, *messages: Message
) -> None:
    """Store messages in order; set their thread, conversation, episode and seq."""
    is_new = thread.next_seq == 1
    sent = (m.created_at for m in messages if m.role == Message.Role.USER)
    episode = _episode(thread, conversation, max(sent, default=None))
    for message in messages:
        message.thread, message.conversation = thread, conversation
        message.episode, message.seq = episode, thread.next_seq
        thread.next_seq += 1
    Message.objects.bulk_create(messages)
    thread.save(update_fields=["next_seq"])
    if not is_new:
        conversation.last_message_at = messages[-1].created_at
        conversation.save(update_fields=["last_message_at"])


def append_notes_line(
    reply: Message,
    content: str,
    memories: Sequence[UUID] = (),
    profile_facts: Sequence[UUID] = (),
    **fields: object,
) -> Message:
    """Store a line that reports a change to memory or to a person's notes."""
    thread = Thread.objects.lock_for(reply.conversation_id)
    assert thread is not None  # noqa: S101 -- the reply's row is locked
    line = Message(
        role=Message.Role.SYSTEM, content=content, answers=reply.answers, **fields
    )
    append_messages(thread, reply.conversation, line)
    named = [
        *({"memory_id": key} for key in memories),
        *({"profile_fact_id": key} for key in profile_facts),
    ]
    MemoryReference.objects.bulk_create(
        MemoryReference(message=line, position=position, **row)
        for position, row in enumerate(named)
    )
    return line


def _episode(
    thread: Thread, conversation: Conversation, user_sent_at: datetime | None
) -> Episode:
    """The active episode, or a new one."""
    active = _active(thread)
    if active is not None and active.conversation_id == conversation.pk:
        if user_sent_at is not None:
            active.last_user_message_at = user_sent_at
            active.save(update_fields=["last_user_message_at"])
        return active
    if active is not None:
        active.status, active.ended_at = Episode.Status.CLOSED, timezone.now()
        active.save(update_fields=["status", "ended_at"])
    return Episode.objects.create(
        thread=thread, conversation=conversation, last_user_message_at=user_sent_at
    )


def _active(thread: Thread) -> Episode | None:
    if thread.next_seq == 1:  # the thread has no messages yet
        return None
    return thread.episodes.filter(status=Episode.Status.ACTIVE).first()
