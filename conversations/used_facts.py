"""What the user told that was found for a reply and used in it."""

from collections.abc import Sequence

from django.db.models import OuterRef, Subquery

from conversations.models import Conversation, Message, Receipt
from memory import service
from memory.models import Memory
from people.scope import retraction_scope


def add_used_facts(conversation: Conversation, messages: Sequence[Message]) -> None:
    """Set `used_facts` of replies, in one query, where the space shows them.

    Without forgotten facts, and without those of others.
    """
    replies = {m.pk: m for m in messages if m.role == Message.Role.ASSISTANT}
    if not (replies and conversation.user_id and conversation.space.memory_page):
        return
    scope = retraction_scope(conversation.user_id, conversation.space_id)
    told = Memory.objects.owned_by(scope).filter(pk=OuterRef("object_id"))
    told = told.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    receipts = Receipt.objects.used_in(replies).annotate(
        text=Subquery(told.values("content")[:1])
    )
    found = receipts.exclude(text=None).order_by("rank")
    for key, text in found.values_list("message_id", "text"):
        reply = replies[key]
        reply.used_facts = [*reply.used_facts, service.in_second_person(text)]
