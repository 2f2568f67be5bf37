"""Assign messages to episodes. The caller has locked the thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from conversations.episodes import summaries
from conversations.episodes.boundaries import Chapter, Reason, on_arrival
from conversations.models import Conversation, Episode, EpisodeDecision, Message, Thread
from memory import service

Status = Episode.Status


@dataclass(slots=True)
class Assignment:
    """What is to be stored after the messages themselves."""

    decisions: list[EpisodeDecision] = field(default_factory=list)
    closed: list[Episode] = field(default_factory=list)

    def store(self) -> None:
        EpisodeDecision.objects.bulk_create(self.decisions)
        for episode in self.closed:
            summaries.closed(episode)


def assign_episodes(
    thread: Thread, conversation: Conversation, messages: Sequence[Message]
) -> Assignment:
    """Set the episode of each message, and decide for the user's.

    Replies and lines belong to the episode of the message that they answer.
    """
    assigned = Assignment()
    known = episode = None
    begun: list[Episode] = []
    if any(message.role == Message.Role.USER for message in messages):
        known = episode = _active(thread)
    for message in messages:
        if message.role != Message.Role.USER:
            assert message.answers is not None  # noqa: S101 -- all others answer
            message.episode_id = message.answers.episode_id
            continue
        reason = _reason(episode, conversation, message)
        if episode is None or reason != Reason.STAY:
            if episode is not None:
                episode.status, episode.ended_at = Status.CLOSED, message.created_at
                assigned.closed.append(episode)
            episode = Episode(
                thread=thread, conversation=conversation, started_at=message.created_at
            )
            begun.append(episode)
        last = episode.last_user_message_at or message.created_at
        episode.last_user_message_at = max(last, message.created_at)
        message.episode = episode
        assigned.decisions.append(
            EpisodeDecision(message=message, episode=episode, reason=reason)
        )
    if known is not None:
        known.save(update_fields=["status", "ended_at", "last_user_message_at"])
    if begun:
        Episode.objects.bulk_create(begun)
    return assigned


def _active(thread: Thread) -> Episode | None:
    if thread.next_seq == 1:  # the thread has no messages yet
        return None
    return thread.episodes.filter(status=Status.ACTIVE).first()


def _reason(
    episode: Episode | None, conversation: Conversation, message: Message
) -> EpisodeDecision.Reason:
    chapter = (
        Chapter(episode.conversation_id, episode.last_user_message_at)
        if episode
        else None
    )
    return on_arrival(
        chapter,
        conversation.pk,
        message.created_at,
        announced=service.announces_topic(message.content),
    )
