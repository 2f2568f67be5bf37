"""What the user told that was used in a reply."""

from collections.abc import Sequence

from django.db.models import OuterRef, Subquery, TextField
from django.db.models.functions import Coalesce

from conversations.fact_texts import profile_text
from conversations.models import Conversation, Message, Receipt
from memory import service
from memory.models import Memory, ProfileFact
from people.scope import retraction_scope


def add_used_facts(conversation: Conversation, messages: Sequence[Message]) -> None:
    """Set `used_facts` of replies, in one query, where the space shows them.

    Without forgotten facts, and without those of others.
    """
    replies = {m.pk: m for m in messages if m.role == Message.Role.ASSISTANT}
    if not (replies and conversation.user_id and conversation.space.memory_page):
        return
    scope = retraction_scope(conversation.user_id, conversation.space_id)
    facts = ProfileFact.objects.owned_by(scope).filter(pk=OuterRef("object_id"))
    facts = facts.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    told = Memory.objects.owned_by(scope).filter(pk=OuterRef("object_id"))
    told = told.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    found = Receipt.objects.told_in(replies).annotate(
        fact_key=Subquery(facts.values("key")[:1]),
        text=Coalesce(
            Subquery(told.values("content")[:1]),
            Subquery(facts.values("value")[:1]),
            output_field=TextField(),
        ),
    )
    found = found.exclude(text=None).order_by("kind", "rank")
    for reply_id, key, text in found.values_list("message_id", "fact_key", "text"):
        line = profile_text(key, text) if key else service.shown_text(text)
        replies[reply_id].used_facts = [*replies[reply_id].used_facts, line]
