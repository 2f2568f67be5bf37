"""Links to sheets for a doctor, and who opened them (`conversations.web.sheet`)."""

import uuid
from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name
from people.models import Person, Space
from people.models.token import CLOCKS_DIFFER

ENDED_LINKS_STAY = timedelta(days=30)
"""After its end, with its openings."""


class SheetLinkQuerySet(models.QuerySet["SheetLink"]):
    def open(self) -> Self:
        """Not ended, of active members of the space, about people who are still there."""
        return self.filter(
            models.Q(person=None) | models.Q(person__deleted_at=None),
            ended_at=None,
            expires_at__gt=timezone.now(),
            created_at__lte=timezone.now() + CLOCKS_DIFFER,
            user__is_active=True,
            space__memberships__user=models.F("user"),
        )


class SheetLink(models.Model):
    """The link and its code are shown once; `code_hash` is that of both together.

    `items` has the keys of ticked lines and their headings, and no text of a fact.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    space = models.ForeignKey(Space, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="+")
    items: "models.JSONField[dict[str, str]]" = models.JSONField(default=dict)
    questions = models.TextField(_("questions"), blank=True)
    token_hash = models.CharField(max_length=64)
    code_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    ended_at = models.DateTimeField(
        _("ended"), null=True, help_text=_("By its owner, or by too many wrong codes.")
    )

    objects = SheetLinkQuerySet.as_manager()

    class Meta:
        verbose_name = _("link to a sheet")
        verbose_name_plural = _("links to sheets")
        constraints = [
            models.UniqueConstraint(
                fields=["token_hash"], name="conversations_sheetlink_token_unique"
            ),
        ]

    def __str__(self) -> str:
        return dated_name(self._meta.verbose_name, self.created_at)

    @property
    def is_open(self) -> bool:
        now = timezone.now()
        is_valid = self.created_at <= now + CLOCKS_DIFFER and self.expires_at > now
        return self.ended_at is None and is_valid

    @classmethod
    def clean_up(cls) -> None:
        past = timezone.now() - ENDED_LINKS_STAY
        over = models.Q(ended_at__lt=past) | models.Q(expires_at__lt=past)
        cls.objects.filter(over).delete()


class SheetOpening(models.Model):
    """A code that was typed: from which network, and whether it was right."""

    link = models.ForeignKey(SheetLink, models.CASCADE, related_name="openings")
    at = models.DateTimeField(_("at"), auto_now_add=True)
    address = models.CharField(_("address"), max_length=45, blank=True)
    right = models.BooleanField(_("right code"))

    class Meta:
        verbose_name = _("opening of a sheet")
        verbose_name_plural = _("openings of sheets")
        ordering = ("at",)

    def __str__(self) -> str:
        return dated_name(self._meta.verbose_name, self.at)
