"""Messages that Meddie sends to a chat unasked, about answers that it gave there."""

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models import Thread
from meddie.jobs.job import Job, JobQuerySet


class TelegramNotice(Job):
    """One message about answers that used the same; `source` is its key.

    The row stays for 30 days, so that the same is not told twice.
    """

    QUEUE, WORKERS = "telegram_notices", "chat"
    TELL: ClassVar[str] = "tell"
    MOST_ATTEMPTS: ClassVar[int] = 7

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="+")
    source = models.UUIDField()
    sending = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("Telegram may have it already, so it is not sent again."),
    )

    objects = JobQuerySet["TelegramNotice"].as_manager()

    class Meta:
        verbose_name = _("Telegram notice")
        verbose_name_plural = _("Telegram notices")
        constraints = [
            models.UniqueConstraint(
                fields=["thread", "source"], name="telegram_notice_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="telegram_notice_due",
            ),
        ]

    def find_payer(self) -> uuid.UUID | None:
        return None
