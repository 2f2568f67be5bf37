"""Conversations that were had, for tests and for the pictures of the pages."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from conversations.models import Conversation, Episode, Message, Thread
from people.models import Space, User


def start_conversation(
    user: User, space: Space, *, title: str = "", days_ago: float = 0, **fields: Any
) -> Conversation:
    """A conversation without messages, on the web or another `channel`."""
    key = fields.pop("pk", None)
    channel = fields.pop("channel", "web")
    thread = Thread.objects.create(
        space=space, user=user, channel=channel, external_id=_next_id()
    )
    conversation = Conversation(
        thread=thread,
        space=space,
        user=user,
        title=title,
        last_message_at=timezone.now() - timedelta(days=days_ago),
        **fields,
    )
    if key is not None:
        conversation.pk = key
    conversation.save()
    Episode.objects.create(conversation=conversation, thread=thread)
    return conversation


def say(
    conversation: Conversation,
    role: str,
    content: str,
    status: str = "done",
    **fields: Any,
) -> Message:
    """Add a message to the end."""
    thread = Thread.objects.get(pk=conversation.thread_id)
    message = Message.objects.create(
        thread=thread,
        conversation=conversation,
        episode=conversation.episodes.get(),
        seq=thread.next_seq,
        role=role,
        content=content,
        status=status,
        **fields,
    )
    thread.next_seq += 1
    thread.save()
    return message


def exchange(
    conversation: Conversation, text: str, reply: str, status: str = "done"
) -> Message:
    """A user message and its reply; returns the reply."""
    message = say(conversation, Message.Role.USER, text)
    return say(conversation, Message.Role.ASSISTANT, reply, status, answers=message)


def many(conversation: Conversation, count: int) -> None:
    """Questions and answers at the end, numbered, in one go."""
    thread = Thread.objects.get(pk=conversation.thread_id)
    episode, first = conversation.episodes.get(), thread.next_seq
    Message.objects.bulk_create(
        Message(
            thread=thread,
            conversation=conversation,
            episode=episode,
            seq=first + 2 * number + (role == Message.Role.ASSISTANT),
            role=role,
            content=f"{'Question' if role == Message.Role.USER else 'Answer'} {number}",
        )
        for number in range(count)
        for role in (Message.Role.USER, Message.Role.ASSISTANT)
    )
    Thread.objects.filter(pk=thread.pk).update(next_seq=first + 2 * count)


_last_id = 0


def _next_id() -> str:
    global _last_id  # noqa: PLW0603 -- a counter for unique ids
    _last_id += 1
    return f"conversation-{_last_id}"
