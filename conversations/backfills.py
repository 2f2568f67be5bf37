"""Jobs for old conversations: facts and summaries that were not wanted at their time.

Repeated, they make jobs only for what has none and left nothing. Workers do the rest.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from conversations.episodes.reading import next_chunk
from conversations.episodes.summaries import closed, put_jobs
from conversations.models import (
    Conversation,
    Episode,
    Message,
    Summary,
    SummaryJob,
    Thread,
)
from conversations.new_conversation import NotFound
from conversations.reply.background import capture_message
from conversations.reply.turn import scope_of
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from people.models import Space, User


@dataclass(frozen=True, slots=True)
class Which:
    """All conversations that are remembered, or those of a user or space."""

    user: User | None = None
    space: Space | None = None

    def conversations(self) -> QuerySet[Conversation]:
        found = Conversation.objects.filter(remember=True, user__memory_on=True)
        found = found.filter(user=self.user) if self.user else found
        return found.filter(space=self.space) if self.space else found

    def summed_up(self) -> QuerySet[Conversation]:
        """Those of channels that are summed up."""
        return self.conversations().exclude(thread__channel=Thread.Channel.INGEST)


def uncaptured(which: Which) -> QuerySet[Message]:
    """Messages without a job and without a fact, the oldest first.

    Those before a wish to forget everything are left alone.
    """
    said = Message.objects.filter(
        conversation__in=which.conversations(),
        role=Message.Role.USER,
        status=Message.Status.DONE,
        teaches=True,
    ).exclude(content="")
    job = CaptureJob.objects.filter(source_id=OuterRef("pk"))
    fact = Memory.objects.filter(source_message=OuterRef("pk"))
    again = Memory.objects.filter(statements__message_id=OuterRef("pk"))
    wish = MemoryEvent.objects.filter(
        kind=MemoryEvent.Kind.FORGET,
        data__has_key="everything",
        user=OuterRef("conversation__user"),
        space=OuterRef("conversation__space"),
        created_at__gt=OuterRef("created_at"),
    )
    asked = Exists(job) | Exists(fact) | Exists(again) | Exists(wish)
    return said.exclude(asked).order_by("created_at", "pk")


def capture_old(which: Which) -> Iterator[Message]:
    """Make the jobs, also where the policy of the space wants none; yield their messages."""
    every = MemoryPolicy(background_capture=MemoryPolicy.BackgroundCapture.ALWAYS)
    related = ("conversation__user", "thread")
    for message in uncaptured(which).select_related(*related).iterator(500):
        with suppress(NotFound), transaction.atomic():
            scope = scope_of(message.conversation, message.thread)
            capture_message(scope, every, message)
            yield message


def unsummarised(which: Which) -> QuerySet[Episode]:
    """Closed episodes without a final summary, the oldest first."""
    final = Summary.objects.filter(episode=OuterRef("pk"), kind=Summary.Kind.FINAL)
    indexed = Message.objects.filter(episode=OuterRef("pk"), index__isnull=False)
    return (
        Episode.objects.filter(
            Exists(indexed),
            conversation__in=which.summed_up(),
            status=Episode.Status.CLOSED,
        )
        .exclude(Exists(final))
        .order_by("started_at", "pk")
    )


def unchunked(which: Which) -> Iterator[Episode]:
    """The last episode of each thread with so many messages that a chunk is due."""
    episodes = Episode.objects.filter(conversation__in=which.summed_up())
    last = episodes.order_by("thread", "-started_at", "pk").distinct("thread")
    for episode in last.iterator(500):
        if next_chunk(episode.thread_id) is not None:
            yield episode


def summarise_old(which: Which) -> Iterator[Episode]:
    """Make the jobs; yield their episodes."""
    for episode in unsummarised(which).iterator(500):
        with transaction.atomic():
            closed(episode)
        yield episode
    for episode in unchunked(which):
        with transaction.atomic():
            put_jobs([SummaryJob(kind=Summary.Kind.CHUNK, episode=episode)])
        yield episode
