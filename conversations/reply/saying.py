"""Put messages behind what was said in a thread. Only for whoever has locked the thread.

A turn waits for these statements, so there is one for each table, however many messages.
"""

from django.utils import timezone

from conversations.models import Conversation, Episode, Message, Thread


def say(thread: Thread, conversation: Conversation, *messages: Message) -> None:
    """Store messages that know all but their place, in this order."""
    said_at = max((m.created_at for m in messages if _of_user(m)), default=None)
    episode = _episode(thread, conversation)
    for message in messages:
        message.thread, message.conversation = thread, conversation
        message.episode, message.seq = episode, thread.next_seq
        thread.next_seq += 1
    Message.objects.bulk_create(messages)
    thread.save(update_fields=["next_seq"])
    conversation.last_message_at = messages[-1].created_at
    conversation.save(update_fields=["last_message_at"])
    if said_at is not None:
        episode.last_user_message_at = said_at
        episode.save(update_fields=["last_user_message_at"])


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


def _episode(thread: Thread, conversation: Conversation) -> Episode:
    """The thread's active chapter, which is in the conversation where one speaks."""
    active = None
    if thread.next_seq > 1:  # else nobody has spoken yet
        active = thread.episodes.filter(status=Episode.Status.ACTIVE).first()
    if active is not None and active.conversation_id == conversation.pk:
        return active
    if active is not None:
        active.status, active.ended_at = Episode.Status.CLOSED, timezone.now()
        active.save(update_fields=["status", "ended_at"])
    return Episode.objects.create(thread=thread, conversation=conversation)
