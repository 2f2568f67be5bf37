"""Delete a conversation. Facts from it stay, unless they are to be forgotten."""

from uuid import UUID

from django.db import transaction

from conversations.models import Conversation, MessageIndex, SummaryJob, Thread
from memory import service
from people.deletion import announce_deletion
from people.scope import Scope, retraction_scope

WITH_INBOX = (Thread.Channel.TELEGRAM, Thread.Channel.INGEST)


def facts_stated_in(conversation: Conversation) -> list[UUID]:
    """Keys of the user's facts that no other conversation stated."""
    if conversation.user_id is None:
        return []
    messages = list(conversation.messages.values_list("pk", flat=True))
    return service.stated_only_in(_scope(conversation, conversation.user_id), messages)


def _scope(conversation: Conversation, user_id: UUID) -> Scope:
    return retraction_scope(user_id, conversation.space_id)


@transaction.atomic
def delete_conversation(
    conversation: Conversation, *, forget: bool = False
) -> list[UUID]:
    """Delete all its rows; return active replies, whose runners must stop.

    With `forget` the facts stated in it alone are forgotten, too.
    """
    Thread.objects.lock_for(conversation.pk)
    if forget and conversation.user_id is not None:
        scope = _scope(conversation, conversation.user_id)
        service.erase_facts(scope, facts_stated_in(conversation))
    streaming = list(
        conversation.messages.filter(status="streaming").values_list("pk", flat=True)
    )
    # In the order in which a turn locks them.
    MessageIndex.objects.filter(message__conversation=conversation).delete()
    service.drop_journal(conversation.messages.values("pk"))
    SummaryJob.objects.filter(episode__conversation=conversation).delete()
    service.drop_runs(list(conversation.episodes.values_list("pk", flat=True)))
    thread = conversation.thread
    conversation.delete()
    # Threads with an inbox stay: messages may be waiting, and done ones stay known.
    if thread.channel not in WITH_INBOX and not thread.conversations.exists():
        thread.delete()
    announce_deletion()
    return streaming
