"""The inbox of a Telegram bot, and the messages to send for each update.

`state` says whether an update is worked on, `stage` what is stored of it already.
"""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models import Message, Thread
from conversations.models.inbox import InboxUpdate, InboxUpdateQuerySet
from conversations.telegram.models.link import TelegramBot, TelegramLink
from meddie.jobs.job import Job
from people.scope import Scope


class TelegramUpdateQuerySet(InboxUpdateQuerySet["TelegramUpdate"]):
    def for_work(self) -> Self:
        # A token that cannot be decrypted must fail the attempt, not the inbox.
        return (
            super().for_work().select_related("bot").defer("bot__token", "bot__secret")
        )

    def unread_of(self, scope: Scope) -> Self:
        """Of the user's chats, without those at work: the wish is in one of them."""
        links = TelegramLink.objects.filter(user=scope.user_id, space=scope.space_id)
        chats = [str(chat) for chat in links.values_list("telegram_id", flat=True)]
        waiting, received = Job.State.WAITING, TelegramUpdate.Stage.RECEIVED
        unread = models.Q(state=Job.State.DEAD)
        unread |= models.Q(state=waiting, stage=received)
        return self.filter(
            unread, thread__space=scope.space_id, thread__external_id__in=chats
        )

    def forget(self) -> None:
        TelegramPart.objects.filter(update__in=self).update(html="")
        super().forget()

    def untouched(self) -> Self:
        return super().untouched().filter(stage=TelegramUpdate.Stage.RECEIVED)

    def join(self, other: "TelegramUpdate") -> None:
        """End them: they are part of the message that another one stores."""
        self.update(
            state=Job.State.DONE,
            error="joined",
            payload={},
            reply=other.reply_id,
            updated_at=timezone.now(),
        )


class TelegramUpdate(InboxUpdate):
    QUEUE, WORKERS = "telegram", "chat"

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        BUTTON = "button", _("button")
        EDIT = "edit", _("edited message")

    class Stage(models.TextChoices):
        RECEIVED = "received", _("received")
        TURN_STORED = "turn", _("turn stored")
        REPLY_STORED = "reply", _("reply stored")

    ORDER = "update_id"
    MOST_ATTEMPTS: ClassVar[int] = 7  # about five minutes
    FIRST_PAUSE: ClassVar[timedelta] = timedelta(seconds=5)

    bot = models.ForeignKey(TelegramBot, models.CASCADE, related_name="updates")
    update_id = models.BigIntegerField()
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="telegram_updates")
    stage = models.CharField(
        _("stage"), max_length=8, choices=Stage, default=Stage.RECEIVED
    )
    link = models.ForeignKey(
        TelegramLink,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The link of the sender; empty for an unlinked account."),
    )
    reply = models.ForeignKey(
        Message, models.CASCADE, null=True, blank=True, related_name="+"
    )
    message_id = models.BigIntegerField(
        null=True, blank=True, help_text=_("Telegram's number of the message.")
    )
    topic = models.BigIntegerField(
        null=True, blank=True, help_text=_("Where in the chat it was written.")
    )
    album = models.CharField(
        max_length=255,
        blank=True,
        default="",
        db_default="",
        help_text=_("What pictures that were sent together share."),
    )

    objects = TelegramUpdateQuerySet.as_manager()

    class Meta:
        verbose_name = _("Telegram update")
        verbose_name_plural = _("Telegram updates")
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "update_id"], name="telegram_update_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["thread", "update_id"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="telegram_update_waiting",
            ),
            models.Index(
                fields=["updated_at"],
                condition=models.Q(state__in=["done", "dead"]),
                name="telegram_update_ended",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.update_id} {self.state}"

    @property
    def text(self) -> str:
        """What a message says; empty once the update is done."""
        return str(self._sent.get("text") or self._sent.get("caption") or "")

    @property
    def stated_at(self) -> datetime:
        sent = self._sent.get("edit_date") or self._sent.get("date")
        return self.created_at if sent is None else datetime.fromtimestamp(sent, UTC)

    @property
    def _sent(self) -> dict[str, Any]:
        sent = self.payload.get("message") or self.payload.get("edited_message") or {}
        return dict(sent)

    def find_author(self) -> uuid.UUID | None:
        links = TelegramLink.objects.filter(
            space=self.thread.space_id, telegram_id=self.thread.external_id
        )
        return links.values_list("user", flat=True).first()

    def advance(self, stage: str) -> None:
        """Save the next stage and reset failures. The caller holds the update."""
        self.stage, self.attempts, self.crashes, self.error = stage, 0, 0, ""
        self.save()


class TelegramPart(models.Model):
    """One message to send; its text is blanked once all parts are sent."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    update = models.ForeignKey(TelegramUpdate, models.CASCADE, related_name="parts")
    number = models.PositiveSmallIntegerField()
    html = models.TextField(blank=True)
    undo = models.UUIDField(
        null=True,
        blank=True,
        help_text=_("The line or profile update that a button undoes."),
    )
    reply = models.ForeignKey(
        Message,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The reply whose end the line follows in this message."),
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
                fields=["update", "number"], name="telegram_part_number"
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)
