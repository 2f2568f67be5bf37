"""A space's Telegram bot."""

import uuid

from django.conf import settings
from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from meddie.crypto import EncryptedField, KeyLost
from people.models import Space


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
