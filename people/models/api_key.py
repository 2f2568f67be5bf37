"""Keys for the API of a space, and the external users that a proxy names."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.space import Space

KEY_NAME_LIMIT = 100


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def of_programs(self) -> Self:
        return self.filter(revoked_at=None, program__isnull=False)

    def usable(self) -> Self:
        """Keys of active members that are not revoked."""
        member = {
            "user__is_active": True,
            "user__memberships__space": models.F("space"),
        }
        return self.filter(revoked_at=None, **member)


class ApiKey(models.Model):  # type: ignore[django-manager-missing]
    """A secret that acts for its user in one space."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="api_keys")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_keys"
    )
    name = models.CharField(_("name"), max_length=KEY_NAME_LIMIT, blank=True)
    prefix = models.CharField(_("begins with"), max_length=16)
    hash = models.CharField(max_length=64)
    # Whose tokens act for the key; the secret itself is told to no one then.
    program = models.ForeignKey(
        "people.Program",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="keys",
        db_index=False,  # programs are looked for by their user's few keys
    )
    trusted_proxy = models.BooleanField(
        _("trusted proxy"),
        default=False,
        help_text=_("May name other users by header."),
    )
    calls_per_minute = models.PositiveIntegerField(_("calls per minute"), default=600)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    # Of the minute, with its seconds, once a call is counted.
    calls_left: tuple[int, int] = (0, 60)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        constraints = [
            models.UniqueConstraint(fields=["hash"], name="people_apikey_hash_unique"),
        ]

    def __str__(self) -> str:
        return self.name if self.program_id else f"{self.prefix}…"


class ExternalUser(models.Model):
    """A user of a trusted proxy. Their account here has no login.

    They have a membership, which is needed for a scope, and is not shown.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="external_users")
    external_id = models.CharField(_("ID at the proxy"), max_length=255)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="external"
    )
    created_at = models.DateTimeField(_("first seen"), auto_now_add=True)

    class Meta:
        verbose_name = _("external user")
        verbose_name_plural = _("external users")
        constraints = [
            models.UniqueConstraint(
                fields=["space", "external_id"],
                name="people_externaluser_space_id_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.external_id
