"""Delete a conversation and all that belongs to it. Facts stay, without their source."""

from uuid import UUID

from django.db import transaction

from conversations.models import Conversation, Thread
from memory import service


@transaction.atomic
def delete_conversation(conversation: Conversation) -> list[UUID]:
    """Messages, episodes, receipts and waiting captures go with it.

    Returns the keys of replies that were being written, for their runner to be told.
    """
    Thread.objects.lock_for(conversation.pk)
    streaming = list(
        conversation.messages.filter(status="streaming").values_list("pk", flat=True)
    )
    service.drop_runs(list(conversation.episodes.values_list("pk", flat=True)))
    thread = conversation.thread
    conversation.delete()
    # A Telegram chat goes on without it: other messages may be waiting there.
    if thread.channel != Thread.Channel.TELEGRAM and not thread.conversations.exists():
        thread.delete()
    return streaming
