"""What should happen after a turn, as data.

Sweeps find the rows of lost tasks.
"""

from dataclasses import dataclass
from uuid import UUID

from conversations.models import MessageIndex
from meddie import dispatch
from meddie.jobs.registry import QUEUES
from memory.models import Memory


@dataclass(frozen=True, slots=True)
class Followups:
    """Keys of the rows with pending work."""

    title_for: UUID | None = None
    stale_ids: tuple[UUID, ...] = ()  # memories without a current vector
    chat: tuple[str, UUID] | None = None  # queue and thread of updates that may wait
    indexed: tuple[UUID, ...] = ()  # messages without a vector


def enqueue_followups(followups: Followups) -> None:
    if followups.title_for is not None:
        dispatch.enqueue("conversations.title_conversation", str(followups.title_for))
    if followups.stale_ids:
        Memory.embed_later(followups.stale_ids)
    if followups.chat is not None:
        queue, thread_id = followups.chat
        QUEUES[queue].ring([thread_id])
    if followups.indexed:
        MessageIndex.embed_later(followups.indexed)
