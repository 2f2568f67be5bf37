"""Append messages to a locked thread, and leave them to memory."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from conversations.emergencies import find_emergency
from conversations.episodes.switching import assign_episodes
from conversations.models import (
    Conversation,
    Episode,
    MemoryReference,
    Message,
    Thread,
)
from conversations.models.conversation import THREAD_LEASE
from memory import service
from memory.models import MemoryPolicy
from memory.values import Provenance
from memory.wording.dialogue import announces_topic, is_off_record
from people.models import User
from people.scope import Scope

CONTEXT_MESSAGES = 4
CONTEXT_LENGTH = 1000  # characters of each


# A statement for each table takes three times as long.
ADVANCE = """
WITH thread AS (
    UPDATE conversations_thread
       SET next_seq = %(next_seq)s,
           lease_holder = coalesce(%(lease)s::uuid, lease_holder),
           leased_until = CASE WHEN %(lease)s::uuid IS NULL THEN leased_until
                               ELSE statement_timestamp() + %(length)s END
     WHERE id = %(thread)s
), episode AS (
    UPDATE conversations_episode
       SET status = %(status)s, ended_at = %(ended_at)s::timestamptz,
           last_user_message_at = %(said_at)s::timestamptz
     WHERE id = %(episode)s::uuid
)
UPDATE conversations_conversation SET last_message_at = %(at)s WHERE id = %(conversation)s
"""


def append_messages(
    thread: Thread,
    conversation: Conversation,
    *messages: Message,
    lease: UUID | None = None,
) -> None:
    """Store messages in order; set their thread, conversation, episode and seq.

    The thread is locked or new, and is leased to `lease`.
    """
    assigned = assign_episodes(thread, conversation, messages)
    for message in messages:
        message.thread, message.conversation = thread, conversation
        message.seq = thread.next_seq
        thread.next_seq += 1
    if thread._state.adding:  # noqa: SLF001 -- Django documents it
        thread.save(force_insert=True)
    else:
        conversation.last_message_at = messages[-1].created_at
        _advance(thread, conversation, assigned.known, lease)
    assigned.store(messages)


def _advance(
    thread: Thread,
    conversation: Conversation,
    episode: Episode | None,
    lease: UUID | None,
) -> None:
    values: dict[str, Any] = {
        "thread": thread.pk,
        "next_seq": thread.next_seq,
        "lease": lease,
        "length": THREAD_LEASE,
        "conversation": conversation.pk,
        "at": conversation.last_message_at,
        "episode": episode.pk if episode else None,
        "status": episode.status if episode else "",
        "ended_at": episode.ended_at if episode else None,
        "said_at": episode.last_user_message_at if episode else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(ADVANCE, values)


def judge_message(message: Message) -> None:
    """Judge a message of the user, before the thread is locked to append it."""
    message.emergency = find_emergency(message.content)
    message.opens_topic = announces_topic(message.content)
    message.off_record = is_off_record(message.content_to_keep)


def append_line(
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
    name_facts(line, memories, profile_facts)
    return line


def name_facts(
    line: Message, memories: Sequence[UUID], profile_facts: Sequence[UUID]
) -> None:
    """Let a line name these facts and no others."""
    line.references.all().delete()
    named = [
        *({"memory_id": key} for key in memories),
        *({"profile_fact_id": key} for key in profile_facts),
    ]
    MemoryReference.objects.bulk_create(
        MemoryReference(message=line, position=position, **row)
        for position, row in enumerate(named)
    )


def leave_to_memory(
    scope: Scope,
    policy: MemoryPolicy,
    message: Message,
    user: User | None,
    context: Iterable[tuple[str, str]] | None = None,
    *,
    ingested: bool = False,
) -> None:
    """Leave a message to capture and to the journal, as the policy of the space wants.

    In the transaction that stores it. `context` is what was said before it, as role and
    text without emergencies, if that is not what its conversation has.
    """
    if message.off_record:
        return
    if policy.captures(scope.channel):
        leave_to_capture(scope, message, context)
    if user is not None:
        author, at = user.get_short_name(), message.created_at
        text = message.content_to_keep
        service.journal(
            scope, message.pk, at, author, text, policy=policy, ingested=ingested
        )


def leave_to_capture(
    scope: Scope, message: Message, context: Iterable[tuple[str, str]] | None = None
) -> None:
    """Leave a message to extraction, with any policy, unless it is off the record."""
    if message.off_record:
        return
    provenance = Provenance(
        origin="background",
        stated_at=message.created_at,
        message_id=message.pk,
        run_id=message.episode_id,
        person_id=message.conversation.person_id,
    )
    lines = list(_context(message) if context is None else context)
    policy = MemoryPolicy(background_capture=MemoryPolicy.BackgroundCapture.ALWAYS)
    text = message.content_to_keep
    service.capture_later(scope, text, provenance, lines, policy=policy)


def _context(message: Message) -> list[tuple[str, str]]:
    earlier = (
        Message.objects.current()
        .filter(
            conversation=message.conversation_id,
            seq__lt=message.seq,
            role__in=[Message.Role.USER, Message.Role.ASSISTANT],
            off_record=False,
        )
        .exclude(content="")
        .order_by("-seq")
        .only("role", "content", "emergency", "forwarded_from")[:CONTEXT_MESSAGES]
    )
    return [(m.role, m.content_to_keep[:CONTEXT_LENGTH]) for m in reversed(earlier)]
