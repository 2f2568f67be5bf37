"""The inbox of other channels, such as group chat bots and transcripts of speech."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Thread
from conversations.models.inbox import InboxUpdate, InboxUpdateQuerySet
from memory.models.fact import CHANNEL_LIMIT


class IngestedMessageQuerySet(InboxUpdateQuerySet["IngestedMessage"]):
    pass


class IngestedMessage(InboxUpdate):
    """Its key is made of the space, the channel, its thread and the outside ID.

    The message that it becomes has the same key. The author is the user of the thread.
    """

    class Kind(models.TextChoices):
        TEXT = "text", _("text")
        VOICE = "voice", _("speech")

    QUEUE = "ingested"
    ORDER = "received_at"
    MOST_ATTEMPTS: ClassVar[int] = 10  # about half an hour
    FIRST_PAUSE: ClassVar[timedelta] = timedelta(seconds=5)

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="ingested_messages")
    channel = models.CharField(_("channel"), max_length=CHANNEL_LIMIT)
    external_id = models.CharField(_("outside ID"), max_length=255)
    stated_at = models.DateTimeField(_("stated"))
    received_at = models.DateTimeField(_("received"))
    trace: "models.JSONField[object, object]" = models.JSONField(
        _("trace"), default=dict, blank=True
    )

    objects = IngestedMessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("ingested message")
        verbose_name_plural = _("ingested messages")
        indexes = [
            models.Index(
                fields=["thread", "received_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="api_ingested_waiting",
            ),
            models.Index(
                fields=["updated_at"],
                condition=models.Q(state__in=["done", "dead"]),
                name="api_ingested_ended",
            ),
        ]

    @property
    def text(self) -> str:
        """Empty once the message is stored."""
        return str(self.payload.get("text", ""))
