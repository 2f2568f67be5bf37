"""Events of memory, for staff only. They are deleted with the user.

They have no text of a memory. Log lines carry ids and counts only.
"""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Space


class MemoryEvent(models.Model):
    class Kind(models.TextChoices):
        DECISION = "memory_decision", _("decision")
        EMBEDDING_ERROR = "memory_embedding_error", _("embedding failed")
        BLOCK_ERROR = "memory_block_error", _("unreadable block")
        FORGET = "memory_forget", _("forgotten")
        RESTORE = "memory_restore", _("restored")
        INSPECTION = "inspection", _("looked at by staff")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=32, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memory_events"
    )
    space = models.ForeignKey(
        Space, models.CASCADE, null=True, related_name="memory_events"
    )
    data: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("memory event")
        verbose_name_plural = _("memory events")
        indexes = [
            models.Index(fields=["-created_at"], name="memory_event_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
