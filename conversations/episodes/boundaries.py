"""When a message begins an episode. Times are those of the messages."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from conversations.models.episode import EpisodeDecision

TIME_GAP = timedelta(hours=8)
"""A longer pause begins an episode and, on Telegram, a conversation (S0-50, S2-23)."""
Reason = EpisodeDecision.Reason

# Brakes on topic shifts only (B-28).
LEAST_MESSAGES = 3
LEAST_AGE = timedelta(seconds=300)
MOST_SHIFTS = 10  # in an hour


@dataclass(frozen=True, slots=True)
class Chapter:
    """The active episode before a message arrives."""

    conversation_id: UUID
    last_user_message_at: datetime | None


@dataclass(frozen=True, slots=True)
class Shift:
    """A second message off the topic, and the episode up to the first one."""

    messages: int
    age: timedelta
    shifts: int  # of the thread in the last hour


def on_arrival(
    chapter: Chapter | None,
    conversation_id: UUID,
    sent_at: datetime,
    *,
    announced: bool,
) -> EpisodeDecision.Reason:
    """Decide by pause, conversation and words. Each is enough (S2-26)."""
    if chapter is None:
        return Reason.FIRST
    last = chapter.last_user_message_at
    if last is not None and sent_at - last > TIME_GAP:
        return Reason.TIME_GAP
    if chapter.conversation_id != conversation_id:
        return Reason.CONVERSATION
    return Reason.MARKER if announced else Reason.STAY


def on_second_off_topic(shift: Shift) -> EpisodeDecision.Reason:
    """Decide on the second message in a row that is off the topic (S2-27)."""
    flaps = (
        shift.messages < LEAST_MESSAGES
        or shift.age < LEAST_AGE
        or shift.shifts >= MOST_SHIFTS
    )
    return Reason.OFF_TOPIC if flaps else Reason.TOPIC_SHIFT
