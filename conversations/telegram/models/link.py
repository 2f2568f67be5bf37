"""The bot of a space, the Telegram ids of its members, and the codes that link them."""

import uuid
from datetime import timedelta
from typing import Self

from django.conf import settings
from django.core.validators import URLValidator
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from meddie.crypto import EncryptedField, KeyLost
from people.models import Person, Space
from people.models.token import Token, TokenQuerySet


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

    A link to a user counts only once that user has confirmed it (decision 31).
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


class TelegramLinkCode(Token):
    """A code that links a member's Telegram id."""

    LIFETIME = timedelta(minutes=15)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="telegram_codes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="telegram_codes"
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TokenQuerySet["TelegramLinkCode"].as_manager()

    class Meta(Token.Meta):
        verbose_name = _("Telegram link code")
        verbose_name_plural = _("Telegram link codes")

    def __str__(self) -> str:
        return f"{self.user} / {self.space}"


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
