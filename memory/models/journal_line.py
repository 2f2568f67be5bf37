"""Lines of journals for operators; the Markdown files are written from them."""

import uuid
from collections.abc import Collection
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from people.models import Space
from people.scope import Scope

LINE_LIMIT = 320  # characters, S3-18
AUTHOR_LIMIT = 64
IN_UTC = models.Func(
    models.Value("UTC"), "at", function="timezone", output_field=models.DateTimeField()
)


class JournalLineQuerySet(models.QuerySet["JournalLine"]):
    def unwritten(self) -> Self:
        return self.filter(written=False)

    def of_messages(
        self, message_ids: "Collection[uuid.UUID] | models.QuerySet[Any]"
    ) -> Self:
        return self.filter(pk__in=message_ids)

    def unwanted(self) -> Self:
        """Lines that the policies of their spaces do not journal."""
        wanted = models.Q(ingested=True) | models.Q(space__memory_policy__journal="all")
        never = models.Q(space__memory_policy__journal="never")
        return self.filter(never | ~wanted)

    def of_author(self, scope: Scope) -> Self:
        return self.filter(user_id=scope.user_id, space_id=scope.space_id)


class JournalLine(models.Model):
    """Of one message. A trigger empties the size of the file of a deleted line."""

    id = models.UUIDField(
        primary_key=True, editable=False, help_text=_("Of the message.")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,  # memory_journal_author serves it
    )
    space = models.ForeignKey(
        Space,
        models.CASCADE,
        related_name="+",
        db_index=False,  # memory_journal_order serves it
    )
    at = models.DateTimeField(_("stated"))
    day = models.GeneratedField(
        expression=Cast(IN_UTC, models.DateField()),
        output_field=models.DateField(),
        db_persist=True,
    )
    author = models.CharField(_("author"), max_length=AUTHOR_LIMIT)
    text = models.CharField(_("text"), max_length=LINE_LIMIT)
    ingested = models.BooleanField(_("through the ingestion API"), default=False)
    written = models.BooleanField(default=False)

    objects = JournalLineQuerySet.as_manager()

    class Meta:
        verbose_name = _("journal line")
        verbose_name_plural = _("journal lines")
        indexes = [
            models.Index(
                fields=["space", "day", "at", "id"], name="memory_journal_order"
            ),
            models.Index(fields=["user", "space"], name="memory_journal_author"),
            models.Index(
                fields=["space", "day"],
                condition=models.Q(written=False),
                name="memory_journal_unwritten",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class JournalFileQuerySet(models.QuerySet["JournalFile"]):
    def renew_snapshot(self, space_id: uuid.UUID) -> None:
        """Have the snapshot and the newest journal of a space written again."""
        newest = self.filter(space_id=space_id).order_by("-day").values("pk")[:1]
        self.filter(pk__in=newest).update(size=None)


class JournalFile(models.Model):
    """It is rewritten if its size is another."""

    id = models.BigAutoField(primary_key=True)
    space = models.ForeignKey(
        Space,
        models.CASCADE,
        related_name="+",
        db_index=False,  # memory_journalfile_unique serves it
    )
    day = models.DateField()
    size = models.PositiveBigIntegerField(null=True)

    objects = JournalFileQuerySet.as_manager()

    class Meta:
        verbose_name = _("journal file")
        verbose_name_plural = _("journal files")
        constraints = [
            models.UniqueConstraint(
                fields=["space", "day"], name="memory_journalfile_unique"
            ),
        ]
        indexes = [
            models.Index(
                fields=["space", "day"],
                condition=models.Q(size=None),
                name="memory_journalfile_stale",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.space_id} {self.day}"
