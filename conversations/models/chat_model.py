"""What is known of a model that answers, by the name that the settings give it."""

import uuid
from typing import Any

from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

ENOUGH = 10
"""Replies in a row without a block, after which a model is taken to write none (DESIGN 4.6)."""


class ChatModelQuerySet(models.QuerySet["ChatModel"]):
    def writes_no_block(self, name: str) -> bool:
        return self.filter(name=name, without_block__gte=ENOUGH).exists()

    def count_reply(self, name: str, *, has_block: bool) -> None:
        """Of a reply that might have noted something. Most calls change no row."""
        known = self.filter(name=name)
        if has_block:
            known.filter(without_block__gt=0).update(without_block=0)
        elif not known.filter(without_block__lt=ENOUGH).update(
            without_block=F("without_block") + 1
        ):
            self.get_or_create(name=name, defaults={"without_block": 1})

    def keep_trial(self, name: str, steps: list[dict[str, Any]], at: Any) -> None:
        """Keep how it did when it was tried; that it writes no block is known at once."""
        noted = any(one["name"] == "block" and one["outcome"] != "no" for one in steps)
        self.update_or_create(
            name=name,
            defaults={
                "trial": steps,
                "tried_at": at,
                "without_block": 0 if noted else ENOUGH,
            },
        )


class ChatModel(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=200)
    without_block = models.PositiveSmallIntegerField(
        _("replies in a row without a block"), default=0
    )
    trial = models.JSONField(
        _("how it did when it was tried"), default=list, blank=True
    )
    tried_at = models.DateTimeField(_("tried at"), null=True, blank=True)

    objects = ChatModelQuerySet.as_manager()

    class Meta:
        verbose_name = _("chat model")
        verbose_name_plural = _("chat models")
        constraints = [
            models.UniqueConstraint(
                fields=["name"], name="conversations_chatmodel_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def notes_facts(self) -> bool:
        """Whether it has not shown that it writes no block."""
        return self.without_block < ENOUGH
