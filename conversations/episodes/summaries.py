"""When summaries are due, which are read for a prompt, and which must be rewritten.

They cover the index of messages, without superseded ones and those not remembered
(decision 27).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from conversations.channels import channel_of
from conversations.models import (
    Conversation,
    Episode,
    Message,
    MessageIndex,
    Summary,
    SummaryJob,
)
from meddie.jobs.registry import announce
from memory.models import EpisodicMemory
from people.scope import Scope

UNSUMMED = 10  # the last messages, which are in no chunk (S4-12)
Kind = Summary.Kind


@dataclass(frozen=True, slots=True)
class WorkingMemory:
    summary: str = ""
    open_loops: tuple[str, ...] = ()


def closed(episode: Episode) -> None:
    """Make the job of the final summary, in the transaction that closes the episode."""
    if channel_of(episode.thread).summed_up:
        put_jobs([SummaryJob(kind=Kind.FINAL, episode=episode)])


def reopen(episode: Episode) -> None:
    """Let an episode go on, without its final summary, in a transaction."""
    Episode.objects.filter(pk=episode.pk).update(
        status=Episode.Status.ACTIVE, ended_at=None
    )
    SummaryJob.objects.filter(episode=episode, kind=Kind.FINAL).delete()
    final = episode.summaries.filter(kind=Kind.FINAL)
    EpisodicMemory.objects.filter(pk__in=final.values("memory")).delete()
    final.delete()
    if channel_of(episode.thread).summed_up:
        put_jobs([SummaryJob(kind=Kind.RUNNING, episode=episode)])


def after_turn(reply: Message, *, crowded: bool = False) -> None:
    """Make the jobs that are due, in the transaction that ends a remembered turn.

    `crowded`: messages were left out of the prompt for want of room.
    """
    enough = 1 if crowded else settings.SUMMARY_MESSAGES
    if reply.seq < enough:  # the number of all messages of the thread so far
        return
    newer = Message.objects.filter(
        thread=reply.thread_id,
        seq__gt=Coalesce(Subquery(chunk_end(reply.thread_id)), 0),
        index__isnull=False,
        emergency_note="",
    )
    running = Summary.objects.filter(episode=reply.episode_id, kind=Kind.RUNNING)
    end = Coalesce(Subquery(running.values("last_seq")[:1]), 0)
    untold = Q(episode=reply.episode_id, seq__gt=end)
    found = newer.aggregate(all=Count("pk"), untold=Count("pk", filter=untold))
    due = [Kind.CHUNK] if found["all"] >= settings.CHUNK_MESSAGES else []
    due += [Kind.RUNNING] if found["untold"] >= enough else []
    put_jobs(SummaryJob(kind=kind, episode_id=reply.episode_id) for kind in due)


def working_memory(conversation: Conversation) -> WorkingMemory:
    """The newest summary of the current or last episode, one statement."""
    newest = Summary.objects.filter(
        conversation=conversation, kind__in=[Kind.RUNNING, Kind.FINAL], stale=False
    )
    found = newest.exclude(text="").order_by("-last_seq", "kind").first()
    if found is None:
        return WorkingMemory()
    loops = found.data.get("open_loops") or found.data.get("open_questions") or []
    return WorkingMemory(found.text, tuple(map(str, loops)))


def rewrite(message_ids: Collection[UUID], further: Collection[UUID] = ()) -> None:
    """Have the summaries of these messages, and the `further` ones, written again.

    In a transaction, after the messages were taken out of the index.
    """
    if not message_ids and not further:
        return
    named = Q(pk__in=further)
    covered = Message.objects.filter(
        pk__in=message_ids,
        thread=OuterRef("thread"),
        seq__range=(OuterRef("first_seq"), OuterRef("last_seq")),
    )
    threads = Message.objects.filter(pk__in=message_ids).values("thread")
    # A worker that has read a message loses its lease and writes nothing.
    of_named = Summary.objects.filter(named).values("thread")
    jobs = SummaryJob.objects.filter(
        Q(episode__thread__in=threads) | Q(episode__thread__in=of_named)
    )
    jobs.release()
    # A dead one keeps the raw answer.
    jobs.filter(state=SummaryJob.State.DEAD).delete()
    found = list(Summary.objects.filter(Exists(covered) | named))
    memories = [summary.memory_id for summary in found if summary.memory_id]
    EpisodicMemory.objects.filter(pk__in=memories).delete()
    Summary.objects.filter(pk__in=[summary.pk for summary in found]).update(
        text="", data={}, stale=True, memory=None
    )
    _blank(Episode.objects.filter(pk__in=[summary.episode_id for summary in found]))
    due = {(summary.kind, summary.episode_id) for summary in found}
    put_jobs(SummaryJob(kind=kind, episode_id=key) for kind, key in sorted(due))


def erase_summaries(scope: Scope) -> None:
    """Forget all that was said so far; chunks keep their ranges."""
    own = {"user_id": scope.user_id, "space_id": scope.space_id}
    conversations = Conversation.objects.filter(**own)
    MessageIndex.objects.filter(**own).delete()
    # Without its job a worker writes nothing.
    SummaryJob.objects.filter(episode__conversation__in=conversations).delete()
    found = Summary.objects.filter(conversation__in=conversations)
    found.exclude(kind=Kind.CHUNK).delete()
    found.update(text="", data={}, stale=False, memory=None)
    _blank(Episode.objects.filter(conversation__in=conversations))


def chunk_end(thread_id: UUID) -> QuerySet[Summary, int]:
    """The number of the last message that is in a chunk."""
    chunks = Summary.objects.filter(thread=thread_id, kind=Kind.CHUNK)
    return chunks.order_by("-last_seq").values_list("last_seq", flat=True)[:1]


def put_jobs(jobs: Iterable[SummaryJob]) -> None:
    """Store jobs unless they wait already, and replace dead ones."""
    made = list(jobs)
    if not made:
        return
    for job in made:
        same = SummaryJob.objects.filter(kind=job.kind, episode_id=job.episode_id)
        same.filter(state=SummaryJob.State.DEAD).delete()
    SummaryJob.objects.bulk_create(made, ignore_conflicts=True)
    announce(*made)


def put_title_job(conversation_id: UUID) -> None:
    """Have a conversation titled when its user has background calls again."""
    episodes = Episode.objects.filter(conversation=conversation_id)
    first = episodes.order_by("started_at")[:1]
    put_jobs(SummaryJob(kind=SummaryJob.TITLE, episode=episode) for episode in first)


def _blank(episodes: QuerySet[Episode]) -> None:
    episodes.update(topic_label="", summary_vector=None, summary_model="")
