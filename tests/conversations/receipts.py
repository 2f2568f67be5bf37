"""Receipts made by hand, and what receipts say."""

from typing import Any
from uuid import UUID

from conversations.models import Message, Receipt
from conversations.models.receipt import Retrieved


def receive(
    reply: Message,
    key: UUID,
    *,
    kind: str = "memory",
    section: str = "remembered",
    rank: int = 1,
    score: float = 1,
    injected: bool = True,
) -> Receipt:
    """Note a row in the receipt of a reply, and return the receipt."""
    receipt, _ = Receipt.objects.get_or_create(message=reply)
    receipt.add(kind, section, [(key, score)], int(injected), ranked_after=rank - 1)
    receipt.save()
    return receipt


def retrieved(kind: str | None = None, **replies: Any) -> list[Retrieved]:
    """The rows of receipts, by rank."""
    receipts = Receipt.objects.filter(**replies)
    rows = (row for receipt in receipts for row in receipt.rows())
    chosen = (row for row in rows if kind in (None, row.kind))
    return sorted(chosen, key=lambda row: row.rank)
