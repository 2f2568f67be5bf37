"""Which users know a memory (S1-04)."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.memory import Memory
from people.models import Space


class MemoryLink(models.Model):
    """The user and space that a memory is recalled for (S1-07)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="memory_links",
        db_index=False,  # memory_link_unique serves it
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="memory_links")
    memory = models.ForeignKey(Memory, models.CASCADE, related_name="links")
    # Whether the memory is another user's; set when saved.
    lent = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("memory link")
        verbose_name_plural = _("memory links")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space", "memory"], name="memory_link_unique"
            ),
        ]
        indexes = [
            models.Index(
                fields=["user", "space"],
                condition=models.Q(lent=True),
                name="memory_link_lent",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.lent = self.memory.user_id != self.user_id
        super().save(*args, **kwargs)
