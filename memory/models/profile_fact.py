"""Structured facts about a user: one active value per category and key."""

import hashlib
import re
import uuid
from datetime import datetime
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name
from memory import visibility
from memory.copies import withhold_copies
from memory.models.memory import NAME_LENGTH, Memory
from people.models import Space
from people.scope import Scope

KEY_LIMIT = 64
VALUE_LIMIT = 200
DIGEST = re.compile(r"[0-9a-f]{64}")
SHARE = (MinValueValidator(0.0), MaxValueValidator(1.0))


def key_digest(category: str, key: str) -> str:
    return hashlib.sha256(f"{category}/{key}".encode()).hexdigest()


class ProfileFactQuerySet(models.QuerySet["ProfileFact"]):
    def owned_by(self, scope: Scope) -> Self:
        return self.filter(visibility.in_scope(scope))

    def active(self) -> Self:
        return self.filter(active=True)

    def superseded(self) -> Self:
        """Without withdrawn ones."""
        superseded = Memory.RetiredReason.SUPERSEDED
        return self.filter(retired_reason=superseded, withdrawn=False)

    def withdrawn(self) -> Self:
        return self.filter(withdrawn=True)

    def retracted(self) -> Self:
        return self.filter(retired_reason=Memory.RetiredReason.RETRACTED)

    def of_key(self, fact: "ProfileFact") -> Self:
        """The versions of a fact."""
        owner = {"user_id": fact.user_id, "space_id": fact.space_id}
        return self.filter(**owner, category=fact.category, key=fact.key)

    def tombstones(self, category: str, key: str) -> Self:
        """Retracted facts of the key, also those of which only its digest is known."""
        same = models.Q(category=category, key=key)
        return self.retracted().filter(same | models.Q(key=key_digest(category, key)))

    def by_importance(self) -> Self:
        return self.order_by("-importance", "-stated_at", "category", "key")

    def retract(self, at: datetime) -> int:
        """Retract what is not retracted yet, as of `at`."""
        return self.exclude(retired_reason=Memory.RetiredReason.RETRACTED).update(
            active=False,
            retired_reason=Memory.RetiredReason.RETRACTED,
            retired_at=at,
            withdrawn=False,
            updated_at=timezone.now(),
        )

    def blank(self) -> int:
        """Blank the values, in a transaction; the keys remain against late jobs."""
        facts = self.exclude(value="")
        withhold_copies(list(facts))
        return facts.update(value="")


class ProfileFact(models.Model):
    """`message_id` is the message that stated it, `withdrawn` with an older version.

    A tombstone from before a restore has a digest as its key.
    """

    former = ""  # the value that it replaced, where a line tells of it

    class Category(models.TextChoices):
        IDENTITY = "identity", _("identity")
        PREFERENCE = "preference", _("preference")
        CONSTRAINT = "constraint", _("constraint")
        INSTRUCTION = "instruction", _("instruction")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="profile_facts",
        db_index=False,  # memory_profile_fact_key serves it
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="profile_facts")
    category = models.CharField(_("category"), max_length=16, choices=Category)
    key = models.CharField(_("key"), max_length=KEY_LIMIT)
    value = models.CharField(_("value"), max_length=VALUE_LIMIT)
    confidence = models.FloatField(_("confidence"), default=1.0, validators=SHARE)
    importance = models.FloatField(_("importance"), default=0.8, validators=SHARE)
    origin = models.CharField(_("origin"), max_length=16, choices=Memory.Origin)
    channel = models.CharField(max_length=16, blank=True)
    message_id = models.UUIDField(_("message"), null=True, blank=True)
    stated_at = models.DateTimeField(_("stated"), default=timezone.now)
    active = models.BooleanField(_("active"), default=True)
    retired_reason = models.CharField(
        _("retired because"),
        max_length=16,
        choices=Memory.RetiredReason,
        blank=True,
        default="",
    )
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)
    withdrawn = models.BooleanField(default=False)
    inserted_at = models.DateTimeField(_("stored"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    objects = ProfileFactQuerySet.as_manager()

    class Meta:
        verbose_name = _("profile fact")
        verbose_name_plural = _("profile facts")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space", "category", "key"],
                condition=models.Q(active=True),
                name="memory_profile_fact_one_active",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(active=True, retired_reason="", retired_at__isnull=True)
                    | models.Q(
                        active=False,
                        retired_reason__in=["superseded", "archived", "retracted"],
                        retired_at__isnull=False,
                    )
                ),
                name="memory_profile_fact_active_unless_retired",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    category__in=["identity", "preference", "constraint", "instruction"]
                ),
                name="memory_profile_fact_category_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["user", "space", "category", "key"],
                name="memory_profile_fact_key",
            ),
        ]

    def __str__(self) -> str:
        if self.value:
            return Truncator(self.content).chars(NAME_LENGTH)
        return dated_name(_("profile fact"), self.stated_at)

    @property
    def content(self) -> str:
        """The line of a prompt; empty when the value is blanked."""
        return f"{self.key}: {self.value}" if self.value else ""

    @property
    def digest(self) -> str:
        """That of its category and key."""
        buried = DIGEST.fullmatch(self.key)
        return self.key if buried else key_digest(self.category, self.key)

    def retire(self, reason: str, at: datetime | None = None) -> None:
        self.active, self.retired_reason = False, reason
        self.retired_at = at or timezone.now()
        self.save()

    def restore(self) -> None:
        self.active, self.retired_reason, self.retired_at = True, "", None
        self.withdrawn = False
        self.save()
