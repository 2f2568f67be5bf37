"""The rows that receipts name."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Model

from conversations.models import AttachmentText, Message, Receipt
from memory.models import EpisodicMemory, facts_for
from people.models import User

VECTORS = ("embedding", "near")


def retrieved_rows(receipts: Iterable[Receipt], viewer: User) -> dict[UUID, Model]:
    """By key. Only facts have texts as their names."""
    keys = [receipt.object_id for receipt in receipts]
    others: list[Model] = [
        *Message.objects.filter(pk__in=keys).defer("content"),
        *EpisodicMemory.objects.filter(pk__in=keys).defer("content", *VECTORS),
        *AttachmentText.objects.filter(pk__in=keys).defer("content", *VECTORS),
    ]
    return {row.pk: row for row in others} | facts_for(viewer, keys)
