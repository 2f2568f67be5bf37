"""A user, who signs in with an email address."""

import uuid
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from zoneinfo import TZPATH, ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from people.models.token import Token, TokenQuerySet


class UserManager(BaseUserManager["User"]):
    def create_user(
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Without a password the user cannot sign in."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        return self.create_user(
            email, password, is_staff=True, is_superuser=True, **fields
        )

    def get_by_natural_key(self, username: str | None) -> "User":
        """Ignores case."""
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing]
    class Units(models.TextChoices):
        BROWSER = "", _("as in my browser")
        METRIC = "metric", _("kilograms and centimetres")
        IMPERIAL = "imperial", _("pounds, feet and inches")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(_("email address"), unique=True)
    name = models.CharField(pgettext_lazy("person", "name"), max_length=255, blank=True)
    locale = models.CharField(
        _("language"), max_length=2, choices=settings.LANGUAGES, default="en"
    )
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    units = models.CharField(
        _("units"), max_length=8, choices=Units, default=Units.BROWSER, blank=True
    )
    memory_on = models.BooleanField(
        _("remember what I tell Meddie"),
        default=True,
        help_text=_("When off, nothing is remembered and nothing is brought back."),
    )
    instructions = models.TextField(
        _("How should Meddie answer?"),
        max_length=1500,
        blank=True,
        help_text=_(
            "Such as the tone, the length, or what to keep in mind. It holds for your own"
            " conversations in all spaces; no other member sees it."
        ),
    )
    answer_notices = models.BooleanField(
        _("tell me when an earlier answer used something that I have corrected since"),
        default=True,
        db_default=True,
        help_text=_(
            "It is marked above the answer and, on Telegram, sent to the chat."
        ),
    )
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(Lower("email"), name="people_user_email_unique"),
        ]

    def __str__(self) -> str:
        return self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        has_new_password = self._password is not None  # type: ignore[attr-defined] # Django sets it
        super().save(*args, **kwargs)
        if has_new_password:  # perhaps another one asked for the change
            EmailChange.objects.filter(user=self).delete()

    def clean(self) -> None:
        super().clean()
        self.email = self.email.lower()

    def get_short_name(self) -> str:
        """The name, or the address up to the @."""
        return self.name or self.email.partition("@")[0]

    def adopt_time_zone(self, browser_zone: str) -> None:
        """Take the browser's at the first sign-in, unless another one was chosen."""
        found = current_name(browser_zone)
        if found and self.last_login is None and self.time_zone == "UTC":
            self.time_zone = found
            self.save(update_fields=["time_zone"])

    @property
    def zone(self) -> ZoneInfo:
        """The time zone, or UTC if this machine does not know its name."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")


class EmailChange(Token):
    """A new address to be confirmed."""

    LIFETIME = timedelta(days=1)

    user = models.OneToOneField(
        User, models.CASCADE, primary_key=True, related_name="email_change"
    )
    email = models.EmailField(_("email address"))

    objects = TokenQuerySet["EmailChange"].as_manager()

    class Meta(Token.Meta):
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")

    def __str__(self) -> str:
        return str(self.pk)


class DeletedUser(models.Model):
    """The key of a deleted user, so that a restored back-up loses the user again."""

    id = models.UUIDField(primary_key=True, editable=False)
    deleted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "deleted users"

    def __str__(self) -> str:
        return str(self.pk)


class Erasure(models.Model):
    """What was deleted besides users, so that a restored back-up loses it again.

    `content` is what a space had of a user.
    """

    class Kind(models.TextChoices):
        SPACE = "space"
        MEMBERSHIP = "membership"
        CONTENT = "content"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=16, choices=Kind)
    user = models.UUIDField(null=True)
    space = models.UUIDField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "erasures"

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


@cache
def zone_names() -> frozenset[str]:
    """Without aliases, if this machine has the list."""
    rows = [line.split("\t") for line in _lines("zone.tab") if line[0] != "#"]
    known = available_timezones()
    return frozenset({row[2] for row in rows} & known or known) | {"UTC"}


def current_name(name: str) -> str:
    """The listed name of a zone or of its alias; else empty."""
    found = name if name in zone_names() else _links().get(name, "")
    return found if found in zone_names() else ""


@cache
def _links() -> dict[str, str]:
    links = (line.split() for line in _lines("tzdata.zi") if line.startswith("L "))
    return {alias: name for _, name, alias in links}


def _lines(file: str) -> list[str]:
    found = [
        path for path in (Path(folder, file) for folder in TZPATH) if path.is_file()
    ]
    return found[0].read_text().splitlines() if found else []
