"""Programs that sign in by OAuth, with their codes and tokens (decision 62)."""

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from oauth2_provider.models import (
    AbstractAccessToken,
    AbstractApplication,
    AbstractGrant,
    AbstractRefreshToken,
)

from meddie.text import one_line
from people.models.api_key import KEY_NAME_LIMIT, ApiKey
from people.models.token import hash_token

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
MOST_ADDRESSES = 20
ADDRESSES_LIMIT = 4000  # characters


class HashedField(models.CharField):  # type: ignore[type-arg]
    """Stores the SHA-256 of a secret, and finds it by the secret."""

    def get_prep_value(self, value: Any) -> Any:
        return hash_token(super().get_prep_value(value))


class Program(AbstractApplication):  # type: ignore[misc]
    """A client of OAuth, as it has described itself."""

    def __str__(self) -> str:
        return str(self.name or self.place)

    @property
    def place(self) -> str:
        """Where its users are sent with a code, for people to read."""
        addresses = map(urlsplit, self.redirect_uris.split())
        return next((found.hostname or found.scheme for found in addresses), "")

    def clean(self) -> None:
        """Raises ValidationError, also for an address that sends codes in clear."""
        self.name = one_line(self.name)[:KEY_NAME_LIMIT]  # type: ignore[has-type]
        super().clean()
        addresses = self.redirect_uris.split()
        if self.authorization_grant_type != self.GRANT_AUTHORIZATION_CODE:
            raise ValidationError({"authorization_grant_type": "Not supported here."})
        if len(addresses) > MOST_ADDRESSES or len(self.redirect_uris) > ADDRESSES_LIMIT:
            raise ValidationError({"redirect_uris": "There are too many of them."})
        for address in map(urlsplit, addresses):
            if address.scheme == "http" and address.hostname not in LOOPBACK:
                text = "An http address is for this computer alone."
                raise ValidationError({"redirect_uris": text})


class ProgramCode(AbstractGrant):  # type: ignore[misc]
    """What a program gets by the browser, and exchanges for tokens within a minute."""

    code = HashedField(max_length=64, unique=True)
    key = models.ForeignKey(ApiKey, models.CASCADE, null=True, related_name="+")


class AccessToken(AbstractAccessToken):  # type: ignore[misc]
    """Without a key it is the right of a program to change its own description."""

    id_token = None
    key = models.ForeignKey(ApiKey, models.CASCADE, null=True, related_name="tokens")


class RefreshToken(AbstractRefreshToken):  # type: ignore[misc]
    class Meta(AbstractRefreshToken.Meta):  # type: ignore[misc]
        indexes = [models.Index(fields=["token_family"], name="people_token_family")]
