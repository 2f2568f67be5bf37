"""Secrets that are shown once. Their rows store the SHA-256 only."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# A row from further in the future was made before the clock was put back.
CLOCKS_DIFFER = timedelta(minutes=1)
Row = TypeVar("Row", bound="Token")


def new_token() -> str:
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class TokenQuerySet(models.QuerySet[Row]):
    def open(self) -> Self:
        now = timezone.now()
        return self.filter(
            used_at=None,
            expires_at__gt=now,
            expires_at__lte=now + self.model.LIFETIME + CLOCKS_DIFFER,
        )

    def with_token(self, token: str) -> Self:
        return self.filter(token_hash=hash_token(token))


class Token(models.Model):
    """A token that can be used once, before it expires."""

    LIFETIME: ClassVar[timedelta]

    token_hash = models.CharField(max_length=64)
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["token_hash"], name="%(app_label)s_%(class)s_token_unique"
            ),
        ]

    @classmethod
    def mint(cls) -> tuple[str, dict[str, Any]]:
        """A new token, and the fields of its row."""
        token = new_token()
        expires_at = timezone.now() + cls.LIFETIME
        return token, {"token_hash": hash_token(token), "expires_at": expires_at}

    @property
    def is_open(self) -> bool:
        left = self.expires_at - timezone.now()
        is_valid = timedelta() < left <= self.LIFETIME + CLOCKS_DIFFER
        return self.used_at is None and is_valid

    def use(self) -> None:
        self.used_at = timezone.now()
        self.save(update_fields=["used_at"])
