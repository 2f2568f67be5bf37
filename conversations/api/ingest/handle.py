"""Take the inbox's messages of other channels into their threads."""

from django.db import transaction

from conversations import message_search
from conversations.api.models import IngestedMessage
from conversations.inbox import Inbox
from conversations.models import Conversation, Message
from conversations.new_conversation import Start, begin_conversation
from conversations.reply.append_messages import (
    append_messages,
    judge_message,
    leave_to_memory,
)
from meddie.threads import run_db
from memory.models import MemoryPolicy
from people.scope import NotAMember, scope_for


async def handle_ingested(ingested: IngestedMessage) -> None:
    """Raises LeaseLost."""
    await run_db(append_ingested, ingested)


def append_ingested(ingested: IngestedMessage) -> None:
    """Store the message in its thread, once. Raises LeaseLost."""
    message = Message(
        pk=ingested.pk,
        role=Message.Role.USER,
        content=ingested.payload["text"],
        created_at=ingested.stated_at,
    )
    judge_message(message)
    _append(ingested, message)


@transaction.atomic
def _append(ingested: IngestedMessage, message: Message) -> None:
    ingested.hold()
    thread, channel = ingested.thread, ingested.channel
    try:
        room = ingested.payload["room"]
        scope = scope_for(thread.user, thread.space_id, channel=channel, room=room)
    except NotAMember:
        ingested.succeed("not_a_member")
        return
    if not scope.writes:
        ingested.succeed("memory_off")
        return
    append_messages(thread, _conversation(ingested), message)
    policy = MemoryPolicy.objects.of(scope.space_id)
    leave_to_memory(scope, policy, message, thread.user, ingested=True)
    message_search.index(scope, [message])
    ingested.succeed()


def _conversation(ingested: IngestedMessage) -> Conversation:
    """The thread's, which lists on the web do not show."""
    thread = ingested.thread
    conversation = thread.conversations.first()
    if conversation is None:
        start = Start(thread=thread)
        title = ingested.channel
        conversation = begin_conversation(thread.user, thread.space_id, title, start)
    return conversation


INBOX = Inbox(IngestedMessage, handle=handle_ingested)
