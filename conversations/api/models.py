"""What is received through the API: messages of other channels, and calls to repeat."""

import uuid
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Thread
from conversations.models.inbox import InboxUpdate, InboxUpdateQuerySet
from memory.models.fact import CHANNEL_LIMIT
from people.models import ApiKey


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


class AnsweredCall(models.Model):
    """The answer to a call with an Idempotency-Key, without texts, for a day."""

    KEPT: ClassVar[timedelta] = timedelta(days=1)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=255)
    digest = models.CharField(max_length=64)
    answer: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["key", "user", "name"], name="api_answeredcall_unique"
            ),
        ]
        indexes = [
            models.Index(fields=["created_at"], name="api_answeredcall_created"),
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def clean_up(cls) -> None:
        QuerySet(cls).filter(created_at__lt=timezone.now() - cls.KEPT).delete()
