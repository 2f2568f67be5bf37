"""Bots, linked accounts, and the inbox of a bot.

Of an update `state` says whether it is worked on, `stage` what is stored of it already.
"""

import hashlib
import uuid
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.core.validators import URLValidator
from django.db import models
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models import Message, Thread
from conversations.models.inbox import InboxUpdate, InboxUpdateQuerySet
from meddie.crypto import EncryptedField, KeyLost
from people.models import Person, Space

CODE_LIFETIME = timedelta(minutes=15)


def default_api_url() -> str:
    return settings.TELEGRAM_API_URL


class TelegramBot(models.Model):
    """Requests with the token go to `api_url`, which only staff change."""

    class Error(models.TextChoices):
        WRONG_TOKEN = "wrong_token", _("Telegram no longer knows the token")
        REFUSED = "refused", _("Telegram refused the request")
        TOO_MANY = "too_many", _("Telegram asked to slow down")
        ELSEWHERE = "elsewhere", _("another program fetches the bot's messages")
        UNREACHABLE = "unreachable", _("Telegram could not be reached")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.OneToOneField(Space, models.CASCADE, related_name="telegram_bot")
    bot_id = models.BigIntegerField(_("number at Telegram"))
    username = models.CharField(_("username"), max_length=64)
    token = EncryptedField()
    secret = EncryptedField()
    api_url = models.CharField(
        _("address of the Bot API"),
        max_length=200,
        default=default_api_url,
        validators=[URLValidator(schemes=["http", "https"])],
    )
    polled = models.BooleanField(_("polled"), default=False)
    error = models.CharField(
        _("last problem"), max_length=16, choices=Error, blank=True
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("Telegram bot")
        verbose_name_plural = _("Telegram bots")
        constraints = [
            models.UniqueConstraint(
                fields=["bot_id"], name="telegram_bot_bot_id_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"@{self.username}"

    @property
    def token_end(self) -> str:
        """The token's last characters; empty if its key is lost."""
        try:
            return str(self.token)[-4:]
        except KeyLost:
            return ""


class TelegramLinkQuerySet(models.QuerySet["TelegramLink"]):
    def pending(self) -> Self:
        """Links that their user has not confirmed."""
        return self.filter(user__isnull=False, confirmed_at=None)

    def awaiting(self) -> Self:
        """Pending links whose user is a member of the space."""
        here = self.pending().filter(space__memberships__user=F("user"))
        here = here.select_related("space__telegram_bot", "asked_by")
        here = here.defer("space__telegram_bot__token", "space__telegram_bot__secret")
        return here.order_by("created_at", "pk")


class TelegramLink(models.Model):
    """A Telegram id in a space. Without a user there is no memory.

    A link to a user counts only once that user has confirmed it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="telegram_links")
    telegram_id = models.BigIntegerField(_("Telegram ID"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="telegram_links",
        verbose_name=_("user"),
    )
    person = models.ForeignKey(
        Person,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="telegram_links",
        verbose_name=_("person"),
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("asked by"),
        help_text=_("The admin who linked the ID; empty for a user's own code."),
    )
    confirmed_at = models.DateTimeField(
        _("confirmed"),
        null=True,
        blank=True,
        help_text=_("When the user confirmed that the Telegram account is theirs."),
    )
    blocked_at = models.DateTimeField(
        _("blocked"),
        null=True,
        blank=True,
        help_text=_("When Telegram said that they have blocked the bot."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TelegramLinkQuerySet.as_manager()

    class Meta:
        verbose_name = _("Telegram link")
        verbose_name_plural = _("Telegram links")
        constraints = [
            models.UniqueConstraint(
                fields=["space", "telegram_id"],
                name="telegram_link_space_id_unique",
                violation_error_message=_("This Telegram ID is already linked here."),
            ),
            models.CheckConstraint(
                condition=models.Q(telegram_id__gt=0),
                name="telegram_link_id_positive",
            ),
        ]

    def __str__(self) -> str:
        return str(self.telegram_id)

    @property
    def is_pending(self) -> bool:
        return self.user_id is not None and self.confirmed_at is None


class TelegramLinkCodeQuerySet(models.QuerySet["TelegramLinkCode"]):
    def open(self) -> Self:
        return self.filter(used_at=None, expires_at__gt=timezone.now())

    def matching(self, code: str) -> Self:
        return self.filter(code_hash=hash_code(code))


def code_expiry() -> datetime:
    return timezone.now() + CODE_LIFETIME


def hash_code(code: str) -> str:
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()


class TelegramLinkCode(models.Model):
    """A single-use code that links a member's Telegram id. Only its hash is stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="telegram_codes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="telegram_codes"
    )
    code_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"), default=code_expiry)
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    objects = TelegramLinkCodeQuerySet.as_manager()

    class Meta:
        verbose_name = _("Telegram link code")
        verbose_name_plural = _("Telegram link codes")
        constraints = [
            models.UniqueConstraint(
                fields=["code_hash"], name="telegram_code_hash_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} / {self.space}"


class TelegramUpdateQuerySet(InboxUpdateQuerySet["TelegramUpdate"]):
    def for_work(self) -> Self:
        # A token that cannot be decrypted must fail the attempt, not the inbox.
        return (
            super().for_work().select_related("bot").defer("bot__token", "bot__secret")
        )

    def untouched(self) -> Self:
        return super().untouched().filter(stage=TelegramUpdate.Stage.RECEIVED)


class TelegramUpdate(InboxUpdate):
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
        message = self.payload.get("message", {})
        return str(message.get("text") or message.get("caption") or "")

    @property
    def stated_at(self) -> datetime:
        sent = self.payload.get("message", {}).get("date")
        return self.created_at if sent is None else datetime.fromtimestamp(sent, UTC)

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
