"""What was retrieved for a reply."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message


class Receipt(models.Model):
    """`object_id` is not a foreign key, as each kind has its own table."""

    class Kind(models.TextChoices):
        MEMORY = "memory", _("memory")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, models.CASCADE, related_name="receipts")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    object_id = models.UUIDField()
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    injected = models.BooleanField(default=True)

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "kind", "object_id"],
                name="conversations_receipt_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank} {self.kind} {self.object_id}"
