"""The inbox of a Telegram bot: each update is a row before anything is done about it.

The row is the job. Its state says how far it got, so that whoever takes it up after a
crash goes on from there; what is sent stands in rows of its own, each with Telegram's
receipt. What is deleted (a conversation, a link, an account) takes along what it was about
to say.
"""

import uuid
from typing import Any, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message
from conversations.models.thread import Thread
from people.models import TelegramBot, TelegramLink


class TelegramUpdateQuerySet(models.QuerySet["TelegramUpdate"]):
    def unfinished(self) -> Self:
        """What something still has to be done about."""
        return self.filter(ended_at=None)

    def due(self) -> Self:
        """Unfinished, and not waiting for a later time."""
        return self.unfinished().filter(available_at__lte=timezone.now())

    def in_order(self) -> Self:
        """As Telegram numbered them."""
        return self.order_by("update_id")


class TelegramUpdate(models.Model):
    class State(models.TextChoices):
        RECEIVED = "received", _("received")
        TURN_STORED = "turn", _("turn stored")
        REPLY_STORED = "reply", _("reply stored")
        DONE = "done", _("done")
        DEAD = "dead", _("dead letter")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    bot = models.ForeignKey(TelegramBot, models.CASCADE, related_name="updates")
    update_id = models.BigIntegerField()
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="telegram_updates")
    payload: "models.JSONField[Any, Any]" = models.JSONField(
        default=dict, blank=True, help_text=_("Emptied when it is done.")
    )
    state = models.CharField(
        _("state"), max_length=8, choices=State, default=State.RECEIVED
    )
    link = models.ForeignKey(
        TelegramLink,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Whose answer it is; empty for a stranger's."),
    )
    reply = models.ForeignKey(
        Message, models.CASCADE, null=True, blank=True, related_name="+"
    )
    attempts = models.PositiveSmallIntegerField(
        _("attempts"), default=0, help_text=_("That failed since it last got on.")
    )
    begun = models.PositiveSmallIntegerField(
        default=0, help_text=_("Attempts of whose end nothing is known.")
    )
    available_at = models.DateTimeField(_("due"), default=timezone.now)
    error = models.CharField(_("error"), max_length=64, blank=True)
    received_at = models.DateTimeField(_("received"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = TelegramUpdateQuerySet.as_manager()

    class Meta:
        verbose_name = _("Telegram update")
        verbose_name_plural = _("Telegram updates")
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "update_id"], name="conversations_telegram_update_once"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["done", "dead"], ended_at__isnull=False)
                | models.Q(state__in=["received", "turn", "reply"], ended_at=None),
                name="conversations_telegram_update_ended",
            ),
        ]
        indexes = [
            models.Index(
                fields=["thread", "update_id"],
                condition=models.Q(ended_at=None),
                name="conversations_telegram_waiting",
            ),
            models.Index(fields=["ended_at"], name="conversations_telegram_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.update_id} {self.state}"


class TelegramPart(models.Model):
    """One message to send. Its words are dropped once everything has been sent."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    update = models.ForeignKey(TelegramUpdate, models.CASCADE, related_name="parts")
    number = models.PositiveSmallIntegerField()
    html = models.TextField(blank=True)
    undo = models.UUIDField(
        null=True, blank=True, help_text=_("The profile update that a button undoes.")
    )
    uncertain = models.BooleanField(
        default=False, help_text=_("Telegram may have it already.")
    )
    telegram_message_id = models.BigIntegerField(null=True, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("Telegram part")
        verbose_name_plural = _("Telegram parts")
        constraints = [
            models.UniqueConstraint(
                fields=["update", "number"], name="conversations_telegram_part_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.update_id}/{self.number}"
