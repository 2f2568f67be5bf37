"""What should happen after a turn, as data; enqueued in one place, after the commit.

A task that does not arrive loses nothing: a title falls back to the first words, and
periodic sweeps find the rest.
"""

from dataclasses import dataclass
from uuid import UUID

from meddie import dispatch


@dataclass(frozen=True, slots=True)
class Followups:
    """Keys of the rows with pending work."""

    title_for: UUID | None = None
    stale_ids: tuple[UUID, ...] = ()
    """Memories without a vector of the current embedding model."""
    chat: UUID | None = None
    """A Telegram thread whose updates may have waited for the reply."""
    indexed: tuple[UUID, ...] = ()
    """Messages without a vector."""


def enqueue_followups(followups: Followups) -> None:
    """Enqueue one task per kind of work."""
    if followups.title_for is not None:
        dispatch.enqueue("conversations.title_conversation", str(followups.title_for))
    if followups.stale_ids:
        dispatch.enqueue("memory.reembed", [str(pk) for pk in followups.stale_ids])
    if followups.chat is not None:
        dispatch.enqueue("conversations.work_on_chat", str(followups.chat))
    if followups.indexed:
        dispatch.enqueue(
            "conversations.embed_messages", [str(pk) for pk in followups.indexed]
        )
