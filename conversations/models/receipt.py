"""What was retrieved for a reply."""

import uuid
from collections.abc import Collection
from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message


class ReceiptQuerySet(models.QuerySet["Receipt"]):
    def used_in(self, message_ids: Collection[uuid.UUID]) -> Self:
        """Memories that were found for replies and in their prompts."""
        return self.filter(
            message__in=message_ids,
            kind=Receipt.Kind.MEMORY,
            section=Receipt.Section.REMEMBERED,
            injected=True,
        )

    def told_in(self, message_ids: Collection[uuid.UUID]) -> Self:
        profile = self.filter(
            message__in=message_ids, kind=Receipt.Kind.PROFILE_FACT, injected=True
        )
        return self.used_in(message_ids) | profile

    def count_uses(self, memory_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, int]:
        """In how many prompts memories were, by key."""
        used = self.filter(
            object_id__in=memory_ids, kind=Receipt.Kind.MEMORY, injected=True
        )
        counted = used.values_list("object_id").annotate(number=models.Count("pk"))
        return dict(counted)


class Receipt(models.Model):
    """`object_id` is not a foreign key, as each kind has its own table."""

    class Kind(models.TextChoices):
        MEMORY = "memory", _("memory")
        PROFILE_FACT = "profile_fact", _("profile fact")
        EPISODE = "episode", _("episode")
        MESSAGE = "message", _("message")
        ATTACHMENT = "attachment", _("attachment")
        LORE = "lore", _("lore")

    class Section(models.TextChoices):
        REMEMBERED = "remembered", _("remembered facts")
        ALSO_KNOWN = "also_known", _("also known")
        PROFILE = "profile", _("user profile")
        RECENT_CONTEXT = "recent_context", _("recent context")
        EARLIER = "earlier", _("earlier messages")
        FILES = "files", _("attached files")
        LORE = "lore", _("shared in this space")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, models.CASCADE, related_name="receipts")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    object_id = models.UUIDField()
    section = models.CharField(
        _("section"), max_length=16, choices=Section, default=Section.REMEMBERED
    )
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    injected = models.BooleanField(default=True)

    objects = ReceiptQuerySet.as_manager()

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "kind", "object_id"],
                name="conversations_receipt_unique",
            ),
        ]

        indexes = [
            models.Index(
                fields=["object_id"],
                condition=models.Q(kind__in=["memory", "profile_fact", "lore"]),
                name="conversations_receipt_object",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.get_kind_display()}"
