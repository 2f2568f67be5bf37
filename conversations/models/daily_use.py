"""How many messages a user sent on a day (UTC)."""

from django.conf import settings
from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _


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
