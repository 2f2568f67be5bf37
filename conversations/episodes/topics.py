"""Compare messages with the topic of their episode, once their vectors are known."""

from datetime import timedelta

from django.db.models import Max, QuerySet

from conversations.episodes import summaries
from conversations.episodes.switching import Shift, on_second_off_topic
from conversations.models import Episode, EpisodeReason, Message, MessageIndex
from memory import service
from memory.recall.query import Query
from memory.wording.dialogue import is_bare
from people.scope import retraction_scope


def weigh_topic(message: Message, query: Query) -> None:
    """Store how near a message is to its episode's summary; maybe begin an episode.

    A message is weighed once. One of few words says nothing about the topic. In the
    transaction that ends its turn, which has locked the thread.
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
    if similarity >= service.thresholds(query.model).topic:
        _unweighed(message).update(topic_similarity=similarity)
    else:
        _weigh_off_topic(message, similarity)


def _unweighed(message: Message) -> QuerySet[Message]:
    return Message.objects.filter(
        pk=message.pk, episode_reason=EpisodeReason.STAY, topic_similarity=None
    )


def _weigh_off_topic(message: Message, similarity: float) -> None:
    """The second such message in a row begins an episode with the first one."""
    active = _unweighed(message).filter(episode__status=Episode.Status.ACTIVE)
    weighed = active.select_related("episode").first()
    if weighed is None:
        return
    reason = EpisodeReason.OFF_TOPIC
    first = _last_off_topic(message)
    if first is not None:
        reason = on_second_off_topic(_shift(weighed.episode, first, message))
    active.update(topic_similarity=similarity, episode_reason=reason)
    if first is not None and reason == EpisodeReason.TOPIC_SHIFT:
        message.episode = _divide(weighed.episode, first, message)


def _last_off_topic(message: Message) -> Message | None:
    """The message that was weighed before this one, if it was off the topic."""
    weighed = Message.objects.current().filter(
        episode=message.episode_id,
        topic_similarity__isnull=False,
        seq__lt=message.seq,
    )
    last = weighed.in_order().last()
    return last if last and last.episode_reason == EpisodeReason.OFF_TOPIC else None


def _shift(episode: Episode, first: Message, second: Message) -> Shift:
    before = Message.objects.current().filter(episode=episode, seq__lt=first.seq)
    shifts = Message.objects.filter(
        thread=episode.thread_id,
        episode_reason=EpisodeReason.TOPIC_SHIFT,
        created_at__gt=second.created_at - timedelta(hours=1),
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
    MessageIndex.objects.filter(pk__in=keys).update(session=new.pk)
    conversation = episode.conversation
    assert conversation.user_id is not None  # noqa: S101 -- there is a vector
    scope = retraction_scope(conversation.user_id, conversation.space_id)
    service.move_run(scope, keys, new.pk)
    summaries.closed(episode)
    return new
