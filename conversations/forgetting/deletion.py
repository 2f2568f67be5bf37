"""Delete a conversation. Facts from it stay, unless they are to be forgotten."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from conversations.channels import channel_of
from conversations.models import Conversation, MessageIndex, SummaryJob, Thread
from conversations.outdated.check import check_before_deletion
from conversations.proofs.noting import note_conversation
from memory import service
from memory.models import JournalLine, MemoryEvent
from people.deletion import announce_deletion
from people.scope import Scope, retraction_scope


def count_facts_in(conversations: Iterable[Conversation]) -> int:
    """The number of facts that no other conversation of their users stated."""
    return sum(len(keys) for keys in _stated_in(conversations).values())


@transaction.atomic
def forget_facts_in(conversations: Iterable[Conversation]) -> int:
    """Forget the facts that these conversations alone stated; return how many."""
    stated = _stated_in(conversations)
    for scope, keys in stated.items():
        service.erase(scope, keys)
    return sum(map(len, stated.values()))


def _stated_in(conversations: Iterable[Conversation]) -> dict[Scope, list[UUID]]:
    """Keys of facts, by user and space."""
    messages: dict[Scope, list[UUID]] = defaultdict(list)
    for conversation in conversations:
        if conversation.user_id is not None:
            scope = retraction_scope(conversation.user_id, conversation.space_id)
            messages[scope] += conversation.messages.values_list("pk", flat=True)
    return {scope: service.stated_only_in(scope, messages[scope]) for scope in messages}


@transaction.atomic
def delete_conversation(
    conversation: Conversation, *, forget: bool = False
) -> list[UUID]:
    """Delete all its rows; return active replies, whose runners must stop.

    With `forget` the facts stated in it alone are forgotten, too.
    """
    Thread.objects.lock_for(conversation.pk)
    if forget:
        forget_facts_in([conversation])
    check_before_deletion(conversation)
    note_conversation(conversation)
    streaming = list(
        conversation.messages.filter(status="streaming").values_list("pk", flat=True)
    )
    # In the order in which a turn locks them.
    MessageIndex.objects.filter(message__conversation=conversation).delete()
    JournalLine.objects.of_messages(conversation.messages.values("pk")).delete()
    if conversation.user_id:
        MemoryEvent.objects.erase_texts(conversation.user_id, conversation.space_id)
    SummaryJob.objects.filter(episode__conversation=conversation).delete()
    service.drop_runs(list(conversation.episodes.values_list("pk", flat=True)))
    thread = conversation.thread
    conversation.delete()
    # Threads with an inbox stay: messages may be waiting, and done ones stay known.
    if channel_of(thread).inbox is None and not thread.conversations.exists():
        thread.delete()
    announce_deletion()
    return streaming
