"""What is ordered: one Telegram chat in a Space, one web conversation, one API chat.

Message sequence, window and "one reply at a time" hang on it: a thread has at most one
streaming message, whose heartbeat says that somebody writes it.
"""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Space


class ThreadQuerySet(models.QuerySet["Thread"]):
    def lock_for(self, conversation_id: uuid.UUID) -> "Thread | None":
        """Lock the conversation's thread: always before any row that hangs on it, so
        that no two transactions wait for each other."""
        return (
            self.select_for_update(of=("self",))
            .filter(conversations=conversation_id)
            .first()
        )


class Thread(models.Model):
    class Channel(models.TextChoices):
        WEB = "web", _("web")
        TELEGRAM = "telegram", "Telegram"
        API = "api", "API"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="threads")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="threads",
    )
    channel = models.CharField(max_length=16, choices=Channel)
    external_id = models.CharField(max_length=64)
    next_seq = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = ThreadQuerySet.as_manager()

    class Meta:
        verbose_name = _("thread")
        verbose_name_plural = _("threads")
        constraints = [
            models.UniqueConstraint(
                fields=["space", "channel", "external_id"],
                name="conversations_thread_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.external_id}"
