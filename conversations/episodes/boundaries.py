"""When a message begins an episode. Times are those of the messages."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from conversations.models.episode import EpisodeDecision

TIME_GAP = timedelta(hours=8)
"""A longer pause begins an episode and, on Telegram, a conversation (S0-50, S2-23)."""
Reason = EpisodeDecision.Reason


@dataclass(frozen=True, slots=True)
class Chapter:
    """The active episode before a message arrives."""

    conversation_id: UUID
    last_user_message_at: datetime | None


def on_arrival(
    chapter: Chapter | None, conversation_id: UUID, sent_at: datetime
) -> EpisodeDecision.Reason:
    """Decide by pause and conversation. Each is enough."""
    if chapter is None:
        return Reason.FIRST
    last = chapter.last_user_message_at
    if last is not None and sent_at - last > TIME_GAP:
        return Reason.TIME_GAP
    if chapter.conversation_id != conversation_id:
        return Reason.CONVERSATION
    return Reason.STAY
