"""Rows about messages: the search index, feedback, and their number."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message
from meddie.row_names import dated_name
from memory.models.embedded import Embedded, simple_tsvector
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


class MessageIndex(Embedded):
    message = models.OneToOneField(
        Message,
        models.CASCADE,
        primary_key=True,
        db_column="id",
        related_name="index",
    )
    # The index on both below serves it.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="+")
    session = models.UUIDField(help_text="The episode that it was said in.")
    place = models.PositiveIntegerField(help_text="The message's number in its thread.")
    speaker = models.CharField(max_length=9, help_text="The role of who spoke.")
    content = models.TextField()
    content_tsv = simple_tsvector("content")
    stated_at = models.DateTimeField()

    class Meta:
        db_table = "message_index"
        verbose_name_plural = "message index"
        indexes = [
            models.Index(fields=["user", "space"], name="message_index_user_space"),
            models.Index(fields=["embedding_model"], name="message_index_model"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class DailyUse(models.Model):
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="daily_use"
    )
    day = models.DateField(_("day"))
    messages = models.PositiveIntegerField(_("messages"), default=0)
    calls = models.PositiveIntegerField(_("background calls"), default=0)
    stored = models.PositiveBigIntegerField(
        _("stored"),
        default=0,
        help_text=_("Bytes at the end of the day, with some that were deleted since."),
    )

    class Meta:
        verbose_name = _("daily use")
        verbose_name_plural = _("daily use")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "day"], name="conversations_dailyuse_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {date_format(self.day)}"
