"""The search index of messages; vectors follow after the turn (decision 43)."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from uuid import UUID

from django.db import transaction

from conversations.attachments.in_prompt import files_of, with_surrogates
from conversations.episodes import summaries
from conversations.models import Conversation, Message, MessageIndex
from people.scope import Scope

INDEXED_ROLES = {Message.Role.USER, Message.Role.ASSISTANT}
LONGEST_INDEXED = 20_000  # characters; a tsvector has at most one megabyte


def index(scope: Scope, messages: Iterable[Message]) -> tuple[UUID, ...]:
    """Index the finished messages of a turn; return their keys."""
    if scope.user_id is None or not scope.writes:
        return ()
    rows = [
        _row(message, text) for message in messages if (text := _searchable(message))
    ]
    for row in rows:
        row.user_id, row.space_id = scope.user_id, scope.space_id
    MessageIndex.objects.bulk_create(rows, ignore_conflicts=True)
    return tuple(row.pk for row in rows)


def remove(message_ids: Collection[UUID], stating: Collection[UUID] = ()) -> None:
    """Messages are found and summed up no more, and these summaries are written again.

    In a transaction.
    """
    MessageIndex.objects.filter(pk__in=message_ids).delete()
    summaries.rewrite(message_ids, stating)


def index_again(scope: Scope, message_ids: Collection[UUID]) -> None:
    """Index messages that were removed, and sum them up. In a transaction."""
    own = {"user_id": scope.user_id, "space_id": scope.space_id, "remember": True}
    on = {"user__memory_on": True, "space__memory_on": True}
    conversations = Conversation.objects.filter(**own, **on)
    messages = Message.objects.filter(
        pk__in=message_ids, conversation__in=conversations
    )
    if keys := index(replace(scope, writes=True), messages):
        summaries.rewrite(keys)
        transaction.on_commit(partial(MessageIndex.embed_later, keys))


def _searchable(message: Message) -> str:
    """The text to index; empty if the message is not to be found."""
    if message.status != Message.Status.DONE or message.withheld or message.off_record:
        return ""
    if message.role == Message.Role.USER and not message.content:
        return with_surrogates("", files_of([message])[message.pk])
    return message.content_to_find if message.role in INDEXED_ROLES else ""


def _row(message: Message, text: str) -> MessageIndex:
    return MessageIndex(
        message=message,
        session=message.episode_id,
        place=message.seq,
        speaker=message.role,
        content=text[:LONGEST_INDEXED],
        stated_at=message.created_at,
    )
