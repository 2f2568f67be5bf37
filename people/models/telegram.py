"""A space's Telegram bot, and the Telegram ids of its members."""

import hashlib
import uuid
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.core.validators import URLValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.crypto import EncryptedField, KeyLost
from people.models.person import Person
from people.models.space import Space
from people.models.user import User

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
                fields=["bot_id"], name="people_telegrambot_bot_id_unique"
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

    def awaiting(self, user: User) -> Self:
        """Pending links of a user, in spaces that they are a member of."""
        here = self.pending().filter(user=user, space__memberships__user=user)
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
                name="people_telegramlink_space_id_unique",
                violation_error_message=_("This Telegram ID is already linked here."),
            ),
            models.CheckConstraint(
                condition=models.Q(telegram_id__gt=0),
                name="people_telegramlink_id_positive",
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
                fields=["code_hash"], name="people_telegramlinkcode_hash_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} / {self.space}"
