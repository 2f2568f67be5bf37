"""What a Space wants of its memory. A column comes with the feature that needs it."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Space


class MemoryPolicyQuerySet(models.QuerySet["MemoryPolicy"]):
    def of(self, space_id: uuid.UUID) -> "MemoryPolicy":
        """The policy of a space; the default one, not stored, where none was chosen."""
        return self.filter(space_id=space_id).first() or MemoryPolicy(space_id=space_id)


class MemoryPolicy(models.Model):
    class RecallProfile(models.TextChoices):
        CHAT = "chat", _("chat, calibrated for the embedding model")
        CHAT_LITERAL = "chat_literal", _("chat, to the letter of the document")
        FUSED = "fused", _("fused, with speakers, neighbours and sessions")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.OneToOneField(Space, models.CASCADE, related_name="memory_policy")
    recall_profile = models.CharField(
        _("ranking of facts"),
        max_length=16,
        choices=RecallProfile,
        default=RecallProfile.CHAT,
    )
    inline_capture = models.BooleanField(
        _("remember what replies note down"), default=True
    )

    objects = MemoryPolicyQuerySet.as_manager()

    class Meta:
        verbose_name = _("memory policy")
        verbose_name_plural = _("memory policies")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    recall_profile__in=["chat", "chat_literal", "fused"]
                ),
                name="memory_policy_profile_known",
            ),
        ]

    def __str__(self) -> str:
        return str(self.space_id)
