"""Assign messages to episodes, and close those that are idle."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F

from conversations.episodes import summaries
from conversations.models import Conversation, Episode, EpisodeReason, Message, Thread

TIME_GAP = timedelta(hours=settings.EPISODE_HOURS)
"""A longer pause begins an episode and, on Telegram, a conversation (S0-50, S2-23)."""

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
) -> EpisodeReason:
    """Decide by pause, conversation and words. Each is enough (S2-26)."""
    if chapter is None:
        return EpisodeReason.FIRST
    last = chapter.last_user_message_at
    if last is not None and sent_at - last > TIME_GAP:
        return EpisodeReason.TIME_GAP
    if chapter.conversation_id != conversation_id:
        return EpisodeReason.CONVERSATION
    return EpisodeReason.MARKER if announced else EpisodeReason.STAY


def on_second_off_topic(shift: Shift) -> EpisodeReason:
    """Decide on the second message in a row that is off the topic (S2-27)."""
    flaps = (
        shift.messages < LEAST_MESSAGES
        or shift.age < LEAST_AGE
        or shift.shifts >= MOST_SHIFTS
    )
    return EpisodeReason.OFF_TOPIC if flaps else EpisodeReason.TOPIC_SHIFT


Status = Episode.Status


@dataclass(slots=True)
class Assignment:
    """`known` is the episode of the messages before, changed; `begun` are new ones."""

    known: Episode | None = None
    begun: list[Episode] = field(default_factory=list)
    closed: list[Episode] = field(default_factory=list)
    idle: Episode | None = None  # was closed for its pause, and has its last job

    def store(self, messages: Sequence[Message]) -> None:
        """All but `known`, and with them the messages."""
        if self.begun:
            Episode.objects.bulk_create(self.begun)
        Message.objects.bulk_create(messages)
        for episode in self.closed:
            if episode is not self.idle:
                summaries.closed(episode)
        if self.idle is not None and self.idle not in self.closed:
            summaries.reopen(self.idle)


def assign_episodes(
    thread: Thread, conversation: Conversation, messages: Sequence[Message]
) -> Assignment:
    """Set the episode of each message, and decide for the user's. Stores nothing.

    Replies and lines belong to the episode of the message that they answer.
    """
    assigned = Assignment()
    episode = None
    if any(message.role == Message.Role.USER for message in messages):
        assigned.known = episode = _last(thread)
        if episode is not None and episode.status == Status.CLOSED:
            assigned.idle = episode
    for message in messages:
        if message.role != Message.Role.USER:
            assert message.answers is not None  # noqa: S101 -- all others answer
            message.episode_id = message.answers.episode_id
            continue
        reason = _reason(episode, conversation, message)
        if episode is None or reason != EpisodeReason.STAY:
            if episode is not None:
                paused = reason == EpisodeReason.TIME_GAP
                ended = _pause_end(episode) if paused else message.created_at
                episode.status, episode.ended_at = Status.CLOSED, ended
                assigned.closed.append(episode)
            episode = Episode(
                thread=thread, conversation=conversation, started_at=message.created_at
            )
            assigned.begun.append(episode)
        last = episode.last_user_message_at or message.created_at
        episode.last_user_message_at = max(last, message.created_at)
        message.episode, message.episode_reason = episode, reason
    return assigned


def close_idle(now: datetime) -> int:
    """Close episodes whose pause is long, so that they are summed up; return how many.

    The next message decides as if they were still open.
    """
    idle = Episode.objects.filter(
        status=Status.ACTIVE, last_user_message_at__lt=now - TIME_GAP
    )
    return sum(map(_close_if_idle, idle.order_by("last_user_message_at")[:500]))


@transaction.atomic
def _close_if_idle(found: Episode) -> bool:
    """A message that is being answered may be late."""
    unused = Thread.objects.filter(pk=found.thread_id).unused()
    if not unused.select_for_update(skip_locked=True).exists():
        return False
    same = {"status": Status.ACTIVE, "last_user_message_at": found.last_user_message_at}
    episode = Episode.objects.filter(pk=found.pk, **same).first()
    if episode is None:
        return False
    episode.status, episode.ended_at = Status.CLOSED, _pause_end(episode)
    episode.save(update_fields=["status", "ended_at"])
    summaries.closed(episode)
    return True


def _pause_end(episode: Episode) -> datetime:
    assert episode.last_user_message_at is not None  # noqa: S101 -- a pause since then
    return episode.last_user_message_at + TIME_GAP


def _last(thread: Thread) -> Episode | None:
    """The active episode, or the last one that was closed for its pause."""
    if thread.next_seq == 1:  # the thread has no messages yet
        return None
    idle = thread.episodes.filter(ended_at=F("last_user_message_at") + TIME_GAP)
    newest = idle.order_by("-last_user_message_at", "-started_at")
    return thread.episodes.filter(status=Status.ACTIVE).first() or newest.first()


def _reason(
    episode: Episode | None, conversation: Conversation, message: Message
) -> EpisodeReason:
    chapter = (
        Chapter(episode.conversation_id, episode.last_user_message_at)
        if episode
        else None
    )
    return on_arrival(
        chapter,
        conversation.pk,
        message.created_at,
        announced=message.opens_topic,
    )
