"""Answers that used what has changed since, and the jobs that look for them."""

import uuid
from collections.abc import Collection
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message
from meddie.jobs.job import Job, JobQuerySet
from meddie.row_names import dated_name
from people.models import Space


class OutdatedAnswerQuerySet(models.QuerySet["OutdatedAnswer"]):
    def of_sources(self, sources: Collection[uuid.UUID]) -> Self:
        return self.filter(source__in=sources)


class OutdatedAnswer(models.Model):
    """`source` is the key of a memory, of a profile fact, or of a text of a file.

    Texts are read from it when the answer is shown, so a forgotten one is in no mark.
    """

    class Change(models.TextChoices):
        CORRECTED = "corrected", _("corrected")
        MOVED = "moved", _("about another")
        FORGOTTEN = "forgotten", _("forgotten")
        FILE_DELETED = "file_deleted", _("file deleted")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(
        Message,
        models.CASCADE,
        related_name="outdated",
        verbose_name=_("answer"),
        db_index=False,  # conversations_outdated_once serves it
    )
    source = models.UUIDField(_("what it used"))
    change = models.CharField(_("change"), max_length=12, choices=Change)
    changed_at = models.DateTimeField(_("changed"))

    objects = OutdatedAnswerQuerySet.as_manager()

    class Meta:
        verbose_name = _("outdated answer")
        verbose_name_plural = _("outdated answers")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "source"], name="conversations_outdated_once"
            ),
        ]
        indexes = [
            models.Index(fields=["source"], name="conversations_outdated_source"),
        ]

    def __str__(self) -> str:
        return dated_name(self.get_change_display(), self.changed_at)


class AnswerCheck(Job):
    """Looks for answers that used a fact. Its key is that of the fact."""

    QUEUE = "answers"
    CHECK: ClassVar[str] = "check"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+"
    )
    space = models.ForeignKey(Space, models.CASCADE, null=True, related_name="+")

    objects = JobQuerySet["AnswerCheck"].as_manager()

    class Meta:
        verbose_name = _("check of answers")
        verbose_name_plural = _("checks of answers")
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="conversations_answercheck_due",
            ),
        ]

    def find_payer(self) -> uuid.UUID | None:
        return self.user_id
