"""Automatic chapters of conversations, and their summaries.

At most one episode of a thread is active.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from conversations.models.conversation import Conversation, Thread
from meddie.jobs.job import Job, JobQuerySet
from meddie.row_names import dated_name
from memory.models import EpisodicMemory
from memory.models.embedded import DIMENSIONS

KINDS = ("running", "chunk", "final")


class Episode(models.Model):
    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        CLOSED = "closed", _("closed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="episodes")
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="episodes"
    )
    status = models.CharField(
        _("status"), max_length=8, choices=Status, default=Status.ACTIVE
    )
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    last_user_message_at = models.DateTimeField(
        _("last message of the user"), null=True, blank=True
    )
    topic_label = models.CharField(_("topic"), max_length=255, blank=True)
    # Of the running summary; empty before the first.
    summary_vector = VectorField(dimensions=DIMENSIONS, null=True, blank=True)
    summary_model = models.CharField(max_length=128, blank=True)

    class Meta:
        verbose_name = _("episode")
        verbose_name_plural = _("episodes")
        constraints = [
            models.UniqueConstraint(
                fields=["thread"],
                condition=models.Q(status="active"),
                name="conversations_episode_one_active",
            ),
        ]

    def __str__(self) -> str:
        return dated_name(_("episode"), self.started_at)


class EpisodeReason(models.TextChoices):
    """Why a user message continues its episode or begins it."""

    FIRST = "first", _("first message")
    CONVERSATION = "conversation", _("another conversation")
    TIME_GAP = "time_gap", _("long pause")
    MARKER = "marker", _("announced new topic")
    TOPIC_SHIFT = "topic_shift", _("new topic")
    OFF_TOPIC = "off_topic", _("maybe a new topic")
    STAY = "stay", _("no change")


class Summary(models.Model):
    """Without a text if nothing of its range may be told."""

    class Kind(models.TextChoices):
        RUNNING = "running", _("running")
        CHUNK = "chunk", _("chunk")
        FINAL = "final", _("final")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="summaries")
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="summaries"
    )
    episode = models.ForeignKey(Episode, models.CASCADE, related_name="summaries")
    first_seq = models.PositiveIntegerField(_("first message"))
    last_seq = models.PositiveIntegerField(_("last message"))
    text = models.TextField(_("text"), blank=True)
    data: "models.JSONField[dict[str, object]]" = models.JSONField(
        _("details"), default=dict, blank=True
    )
    stale = models.BooleanField(
        _("stale"), default=False, help_text=_("Emptied, and to be written again.")
    )
    memory = models.ForeignKey(
        EpisodicMemory,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="summaries",
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("summary")
        verbose_name_plural = _("summaries")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=KINDS),
                name="conversations_summary_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(first_seq__lte=models.F("last_seq")),
                name="conversations_summary_range_forwards",
            ),
            models.UniqueConstraint(
                fields=["thread", "first_seq"],
                condition=models.Q(kind="chunk"),
                name="conversations_summary_chunk_once",
            ),
            models.UniqueConstraint(
                fields=["episode", "kind"],
                condition=~models.Q(kind="chunk"),
                name="conversations_summary_one_of_episode",
            ),
        ]
        indexes = [
            models.Index(
                fields=["thread", "last_seq"], name="conversations_summary_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.first_seq}-{self.last_seq}"


class SummaryJobQuerySet(JobQuerySet["SummaryJob"]):
    def release(self) -> int:
        """Let running jobs begin again; their workers lose the lease."""
        running = self.filter(state=Job.State.RUNNING)
        return running.update(
            state=Job.State.WAITING, lease_holder=None, leased_until=None
        )


class SummaryJob(Job):
    """Brings the summaries of one kind of an episode up to date, or writes a title."""

    QUEUE = "summaries"
    TITLE: ClassVar[str] = "title"  # of the conversation

    episode = models.ForeignKey(Episode, models.CASCADE, related_name="summary_jobs")

    objects = SummaryJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("summary job")
        verbose_name_plural = _("summary jobs")
        constraints = [
            models.UniqueConstraint(
                fields=["episode", "kind"],
                condition=~models.Q(state="done"),
                name="conversations_summaryjob_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="conversations_summaryjob_due",
            ),
        ]

    def find_payer(self) -> uuid.UUID | None:
        return self.episode.conversation.user_id
