"""What should happen after a turn, as data; rung in one place, after the commit.

A bell that is not heard loses nothing: a title falls back to the first words, and a
periodic sweep picks up the rest.
"""

from dataclasses import dataclass
from uuid import UUID

from meddie import dispatch


@dataclass(frozen=True, slots=True)
class Followups:
    """Keys of what has work waiting."""

    title_for: UUID | None = None
    stale_ids: tuple[UUID, ...] = ()
    chat: UUID | None = None
    said: tuple[UUID, ...] = ()


def ring(followups: Followups) -> None:
    """Tell the workers."""
    if followups.title_for is not None:
        dispatch.enqueue("conversations.title_conversation", str(followups.title_for))
    if followups.stale_ids:
        dispatch.enqueue("memory.reembed", [str(pk) for pk in followups.stale_ids])
    if followups.chat is not None:
        dispatch.enqueue("conversations.drain_chat", str(followups.chat))
    if followups.said:
        dispatch.enqueue(
            "conversations.embed_messages", [str(pk) for pk in followups.said]
        )
