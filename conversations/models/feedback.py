"""What a user thinks of a reply, for staff."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message
from meddie.row_names import dated_name
from people.models import Space

LONGEST_REASON = 1000  # characters


class Feedback(models.Model):
    class Rating(models.TextChoices):
        GOOD = "good", _("good")
        BAD = "bad", _("bad")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="feedback",
        verbose_name=_("user"),
    )
    space = models.ForeignKey(
        Space, models.CASCADE, related_name="feedback", verbose_name=_("space")
    )
    message = models.ForeignKey(
        Message, models.CASCADE, related_name="feedback", verbose_name=_("reply")
    )
    rating = models.CharField(_("rating"), max_length=4, choices=Rating)
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "user"], name="conversations_feedback_unique"
            ),
        ]

    def __str__(self) -> str:
        return dated_name(self.get_rating_display(), self.updated_at)
