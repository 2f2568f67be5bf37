"""The audit of replacements."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.memory import Memory
from memory.models.profile_fact import ProfileFact
from memory.reasons import Reason


class MemoryUpdate(models.Model):
    """The audit of replacements, never read by recall (S1-06).

    `old` and `new` are memories, `old_fact` and `new_fact` facts of the profile.
    """

    # Reasons of replacements by a memory that states as much or more.
    FULLER = frozenset({Reason.REFINED, Reason.DUPLICATE})

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memory_updates"
    )
    old = models.ForeignKey(
        Memory, models.CASCADE, null=True, related_name="updates_away"
    )
    new = models.ForeignKey(
        Memory, models.CASCADE, null=True, related_name="updates_here"
    )
    old_fact = models.ForeignKey(
        ProfileFact, models.CASCADE, null=True, related_name="updates_away"
    )
    new_fact = models.ForeignKey(
        ProfileFact, models.CASCADE, null=True, related_name="updates_here"
    )
    reason = models.CharField(_("reason"), max_length=255)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("memory update")
        verbose_name_plural = _("memory updates")

    def __str__(self) -> str:
        return self.reason
