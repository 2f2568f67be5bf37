"""The memory settings of a space."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Space


class MemoryPolicyQuerySet(models.QuerySet["MemoryPolicy"]):
    def of(self, space_id: uuid.UUID) -> "MemoryPolicy":
        """The policy of a space, or an unsaved one with the defaults."""
        return self.filter(space_id=space_id).first() or MemoryPolicy(space_id=space_id)


class MemoryPolicy(models.Model):
    class RankingName(models.TextChoices):
        CHAT = "chat", _("chat, calibrated for the embedding model")
        CHAT_LITERAL = "chat_literal", _("chat, to the letter of the document")
        FUSED = "fused", _("fused, with speakers, neighbours and sessions")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.OneToOneField(Space, models.CASCADE, related_name="memory_policy")
    ranking = models.CharField(
        _("ranking of facts"),
        max_length=16,
        choices=RankingName,
        default=RankingName.CHAT,
    )
    also_known_tokens = models.PositiveIntegerField(
        _("tokens for further facts"),
        default=1000,
        help_text=_("For the newest facts that a search did not find; 0 for none."),
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
                condition=models.Q(ranking__in=["chat", "chat_literal", "fused"]),
                name="memory_policy_ranking_known",
            ),
        ]

    def __str__(self) -> str:
        return str(self.space_id)
