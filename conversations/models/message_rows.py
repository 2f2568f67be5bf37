"""Rows about messages: what was retrieved, the search index, feedback, and their number."""

import uuid
from collections.abc import Collection
from typing import Self

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


class ReceiptQuerySet(models.QuerySet["Receipt"]):
    def used_in(self, message_ids: Collection[uuid.UUID]) -> Self:
        """Memories that were found for replies and in their prompts, or looked up."""
        return self.filter(
            message__in=message_ids,
            kind=Receipt.Kind.MEMORY,
            section__in=(Receipt.Section.REMEMBERED, Receipt.Section.LOOKED_UP),
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
        counted = used.values_list("object_id").annotate(
            number=models.Count("message", distinct=True)
        )
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
        LOOKED_UP = "looked_up", _("searched by the model")

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
                fields=["message", "kind", "object_id", "section"],
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
