"""What is known of a model that answers, by the name that the settings give it."""

import uuid
from typing import Any, Self

from django.db import connection, models
from django.utils.translation import gettext_lazy as _

ENOUGH_REPLIES = 10
"""Replies in a row without a block, after which a model is taken to write none (DESIGN 4.6)."""


COUNT = """
INSERT INTO conversations_chatmodel AS known (id, name, without_block, trial)
VALUES (%s, %s, 1, '[]')
ON CONFLICT ON CONSTRAINT conversations_chatmodel_unique
DO UPDATE SET without_block = known.without_block + 1 WHERE known.without_block < %s
"""


class ChatModelQuerySet(models.QuerySet["ChatModel"]):
    def silent(self) -> Self:
        """Models that are taken to write no block."""
        return self.filter(without_block__gte=ENOUGH_REPLIES)

    def count_reply(self, name: str, *, has_block: bool) -> None:
        """Of a reply that might have noted something, in one statement."""
        if has_block:
            self.filter(name=name, without_block__gt=0).update(without_block=0)
            return
        with connection.cursor() as cursor:
            cursor.execute(COUNT, [uuid.uuid4(), name, ENOUGH_REPLIES])

    def keep_trial(self, name: str, steps: list[dict[str, Any]], at: Any) -> None:
        """Keep how it did when it was tried; that it writes no block is known at once."""
        noted = any(
            step["name"] == "block" and step["outcome"] != "no" for step in steps
        )
        self.update_or_create(
            name=name,
            defaults={
                "trial": steps,
                "tried_at": at,
                "without_block": 0 if noted else ENOUGH_REPLIES,
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
        return self.without_block < ENOUGH_REPLIES
