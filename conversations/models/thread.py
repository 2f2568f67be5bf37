"""The ordered message sequence of a chat, or of one author in another channel.

The writer of a reply holds the thread's lease, which expires without renewal.
"""

import uuid
from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from conversations.channels import channel_of, choices
from people.models import Space

LEASE = timedelta(seconds=20)  # without renewal
UNUSED = Q(lease_holder=None) | Q(leased_until__lt=Now())


class ThreadQuerySet(models.QuerySet["Thread"]):
    def lease_to(self, holder: uuid.UUID) -> bool:
        """Take or renew the lease; False while another holder has it (decision 11)."""
        free = UNUSED | Q(lease_holder=holder)
        return bool(
            self.filter(free).update(lease_holder=holder, leased_until=Now() + LEASE)
        )

    def unused(self) -> Self:
        """Those in which no reply is being written."""
        return self.filter(UNUSED)

    def leased_to(self, holder: uuid.UUID) -> Self:
        """Includes an expired lease that was not taken over."""
        return self.filter(lease_holder=holder)

    def give_back(self) -> bool:
        """Release the lease; False if there is none."""
        return bool(self.update(lease_holder=None, leased_until=None))

    def lock_for(self, conversation_id: uuid.UUID) -> "Thread | None":
        """Lock the conversation's thread, before any dependent row (decision 10)."""
        return (
            self.select_for_update(of=("self",))
            .filter(conversations=conversation_id)
            .first()
        )


class Thread(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="threads")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="threads",
    )
    channel = models.CharField(max_length=16, choices=choices)
    external_id = models.CharField(max_length=64)
    told_of_edits = models.BooleanField(
        default=False, help_text=_("The chat was told that edits are not read.")
    )
    next_seq = models.PositiveIntegerField(default=1)
    lease_holder = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
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

    @property
    def badge(self) -> str:
        """The channel, where lists name it."""
        channel = channel_of(self)
        return str(channel.label) if channel.named else ""
