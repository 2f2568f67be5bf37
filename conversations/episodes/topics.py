"""Compare messages with the topic of their episode, once their vectors are known."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Max, QuerySet

from conversations.episodes import summaries
from conversations.episodes.switching import Reason, Shift, on_second_off_topic
from conversations.models import Episode, EpisodeDecision, Message, MessageIndex, Thread
from memory.context import is_bare
from memory.episodes import move_run
from memory.recall.query import Query
from memory.recall.thresholds import thresholds
from people.scope import retraction_scope


def weigh_topic(message: Message, query: Query) -> None:
    """Store how near a message is to its episode's summary; maybe begin an episode.

    A message is weighed once. One of few words says nothing about the topic.
    """
    episode = message.episode
    if (
        query.said is None
        or episode.summary_vector is None
        or episode.summary_model != query.model
        or query.overview
        or is_bare(message.content)
    ):
        return
    similarity = float(query.said @ episode.summary_vector)
    if similarity >= thresholds(query.model).topic:
        _unweighed(message).update(similarity=similarity)
    else:
        _weigh_off_topic(message, similarity)


def _unweighed(message: Message) -> QuerySet[EpisodeDecision]:
    return EpisodeDecision.objects.filter(
        message=message, reason=Reason.STAY, similarity=None
    )


@transaction.atomic
def _weigh_off_topic(message: Message, similarity: float) -> None:
    """The second such message in a row begins an episode with the first one."""
    thread = Thread.objects.lock_for(message.conversation_id)
    active = _unweighed(message).filter(episode__status=Episode.Status.ACTIVE)
    decision = active.select_related("episode").first()
    if thread is None or decision is None:
        return
    decision.similarity, decision.reason = similarity, Reason.OFF_TOPIC
    first = _last_off_topic(message)
    if first is not None:
        decision.reason = on_second_off_topic(_shift(decision.episode, first, message))
    decision.save(update_fields=["similarity", "reason"])
    if first is not None and decision.reason == Reason.TOPIC_SHIFT:
        message.episode = _divide(decision.episode, first, message)


def _last_off_topic(message: Message) -> Message | None:
    """The message that was weighed before this one, if it was off the topic."""
    weighed = EpisodeDecision.objects.filter(
        episode=message.episode_id,
        similarity__isnull=False,
        message__seq__lt=message.seq,
    ).exclude(message__status=Message.Status.SUPERSEDED)
    last = weighed.select_related("message").order_by("message__seq").last()
    return last.message if last and last.reason == Reason.OFF_TOPIC else None


def _shift(episode: Episode, first: Message, second: Message) -> Shift:
    before = Message.objects.current().filter(episode=episode, seq__lt=first.seq)
    shifts = EpisodeDecision.objects.filter(
        episode__thread=episode.thread_id,
        reason=Reason.TOPIC_SHIFT,
        message__created_at__gt=second.created_at - timedelta(hours=1),
    )
    return Shift(
        messages=before.count(),
        age=second.created_at - episode.started_at,
        shifts=shifts.count(),
    )


def _divide(episode: Episode, first: Message, second: Message) -> Episode:
    """Close the episode before `first`; move what follows to a new one."""
    kept = Message.objects.filter(episode=episode, seq__lt=first.seq)
    last = kept.filter(role=Message.Role.USER).aggregate(at=Max("created_at"))
    episode.status, episode.ended_at = Episode.Status.CLOSED, first.created_at
    episode.last_user_message_at = last["at"]
    episode.save(update_fields=["status", "ended_at", "last_user_message_at"])
    new = Episode.objects.create(
        thread=episode.thread,
        conversation=episode.conversation,
        started_at=first.created_at,
        last_user_message_at=second.created_at,
    )
    moved = Message.objects.filter(episode=episode, seq__gte=first.seq)
    keys = list(moved.values_list("pk", flat=True))
    moved.update(episode=new)
    EpisodeDecision.objects.filter(message__in=keys).update(episode=new)
    MessageIndex.objects.filter(pk__in=keys).update(session=new.pk)
    conversation = episode.conversation
    assert conversation.user_id is not None  # noqa: S101 -- there is a vector
    scope = retraction_scope(conversation.user_id, conversation.space_id)
    move_run(scope, keys, new.pk)
    summaries.closed(episode)
    return new
