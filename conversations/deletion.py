"""Delete a conversation. Facts from it stay."""

from uuid import UUID

from django.db import transaction

from conversations.models import Conversation, MessageIndex, SummaryJob, Thread
from memory import service
from people.deletion import announce_deletion


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
    # The thread of a Telegram chat stays: other messages may be waiting in it.
    if thread.channel != Thread.Channel.TELEGRAM and not thread.conversations.exists():
        thread.delete()
    announce_deletion()
    return streaming
