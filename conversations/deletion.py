"""Delete a conversation. Facts from it stay."""

from uuid import UUID

from django.db import transaction

from conversations.models import Conversation, MessageIndex, SummaryJob, Thread
from memory import service
from people.deletion import announce_deletion

WITH_INBOX = (Thread.Channel.TELEGRAM, Thread.Channel.INGEST)


@transaction.atomic
def delete_conversation(conversation: Conversation) -> list[UUID]:
    """Delete all its rows; return active replies, whose runners must stop."""
    Thread.objects.lock_for(conversation.pk)
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
