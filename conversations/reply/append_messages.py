"""Append messages to a locked thread, with one statement per table."""

from collections.abc import Sequence
from uuid import UUID

from conversations.episodes.switching import assign_episodes
from conversations.models import Conversation, MemoryReference, Message, Thread


def append_messages(
    thread: Thread, conversation: Conversation, *messages: Message
) -> None:
    """Store messages in order; set their thread, conversation, episode and seq."""
    is_new = thread.next_seq == 1
    assigned = assign_episodes(thread, conversation, messages)
    for message in messages:
        message.thread, message.conversation = thread, conversation
        message.seq = thread.next_seq
        thread.next_seq += 1
    Message.objects.bulk_create(messages)
    assigned.store()
    is_stored = not thread._state.adding  # noqa: SLF001 -- Django documents it
    thread.save(update_fields=["next_seq"] if is_stored else None)
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
