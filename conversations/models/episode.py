"""An automatic chapter inside a conversation; at most one of a thread is active."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Conversation
from conversations.models.thread import Thread


class Episode(models.Model):
    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        CLOSED = "closed", _("closed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="episodes")
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="episodes"
    )
    status = models.CharField(max_length=8, choices=Status, default=Status.ACTIVE)
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    last_user_message_at = models.DateTimeField(null=True, blank=True)

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
        return str(self.pk)
