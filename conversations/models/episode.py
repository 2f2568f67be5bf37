"""Automatic chapters of conversations, and why each message is in its chapter.

At most one episode of a thread is active.
"""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from conversations.models.conversation import Conversation
from conversations.models.thread import Thread
from meddie.row_names import dated_name
from memory.models.embedded import DIMENSIONS


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


class EpisodeDecision(models.Model):
    """Why a user message continues its episode or begins it."""

    class Reason(models.TextChoices):
        FIRST = "first", _("first message")
        CONVERSATION = "conversation", _("another conversation")
        TIME_GAP = "time_gap", _("long pause")
        MARKER = "marker", _("announced new topic")
        TOPIC_SHIFT = "topic_shift", _("new topic")
        OFF_TOPIC = "off_topic", _("maybe a new topic")
        STAY = "stay", _("no change")

    message = models.OneToOneField(
        "conversations.Message",
        models.CASCADE,
        primary_key=True,
        related_name="episode_decision",
    )
    episode = models.ForeignKey(Episode, models.CASCADE, related_name="decisions")
    reason = models.CharField(_("reason"), max_length=12, choices=Reason)
    similarity = models.FloatField(
        _("similarity"),
        null=True,
        blank=True,
        help_text=_("Cosine of the message and the running summary."),
    )

    class Meta:
        verbose_name = _("episode decision")
        verbose_name_plural = _("episode decisions")

    def __str__(self) -> str:
        return self.get_reason_display()
