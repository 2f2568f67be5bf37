"""Put messages behind what was said in a thread. Only for whoever has locked the thread.

A turn waits for these statements, so there is one for each table, however many messages,
and none for a row that is new and says it all.
"""

from datetime import datetime

from django.utils import timezone

from conversations.models import Conversation, Episode, Message, Thread


def say(thread: Thread, conversation: Conversation, *messages: Message) -> None:
    """Store messages that know all but their place, in this order."""
    begins = thread.next_seq == 1
    said_at = max((m.created_at for m in messages if _of_user(m)), default=None)
    episode = _episode(thread, conversation, said_at)
    for message in messages:
        message.thread, message.conversation = thread, conversation
        message.episode, message.seq = episode, thread.next_seq
        thread.next_seq += 1
    Message.objects.bulk_create(messages)
    thread.save(update_fields=["next_seq"])
    if not begins:
        conversation.last_message_at = messages[-1].created_at
        conversation.save(update_fields=["last_message_at"])


def say_of_notes(reply: Message, content: str, **fields: object) -> Message:
    """Add the line that tells of a change to a person's notes, behind a reply."""
    thread = Thread.objects.lock_for(reply.conversation_id)
    assert thread is not None  # noqa: S101 -- the reply's row is locked
    line = Message(
        role=Message.Role.SYSTEM, content=content, answers=reply.answers, **fields
    )
    say(thread, reply.conversation, line)
    return line


def _of_user(message: Message) -> bool:
    return message.role == Message.Role.USER


def _episode(
    thread: Thread, conversation: Conversation, said_at: datetime | None
) -> Episode:
    """The thread's active chapter, which is in the conversation where one speaks."""
    active = _active(thread)
    if active is not None and active.conversation_id == conversation.pk:
        if said_at is not None:
            active.last_user_message_at = said_at
            active.save(update_fields=["last_user_message_at"])
        return active
    if active is not None:
        active.status, active.ended_at = Episode.Status.CLOSED, timezone.now()
        active.save(update_fields=["status", "ended_at"])
    return Episode.objects.create(
        thread=thread, conversation=conversation, last_user_message_at=said_at
    )


def _active(thread: Thread) -> Episode | None:
    if thread.next_seq == 1:  # nobody has spoken yet
        return None
    return thread.episodes.filter(status=Episode.Status.ACTIVE).first()
