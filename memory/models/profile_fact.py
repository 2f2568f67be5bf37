"""Structured facts about a user: one active value per category and key."""

import hashlib
import re
import uuid
from collections.abc import Sequence
from datetime import datetime
from types import MappingProxyType
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name
from memory import visibility
from memory.models.embedded import simple_tsvector
from memory.models.fact import SHARE, Fact, FactQuerySet, MadeStatement
from memory.models.memory import NAME_LENGTH, messages_in
from memory.values import PROFILE_KIND
from people.models import Space
from people.scope import Scope

KEY_LIMIT = 64
VALUE_LIMIT = 200
DIGEST = re.compile(r"[0-9a-f]{64}")


def key_digest(category: str, key: str) -> str:
    return hashlib.sha256(f"{category}/{key}".encode()).hexdigest()


class ProfileFactQuerySet(FactQuerySet["ProfileFact"]):
    BLANKED = MappingProxyType({"value": ""})

    def owned_by(self, scope: Scope) -> Self:
        return self.filter(visibility.in_scope(scope))

    def said_in(self, scope: Scope, room: str) -> Self:
        """In the user's conversation with that key; rooms are not known of them."""
        said = messages_in(scope, room)
        return self.none() if said is None else self.filter(message_id__in=said)

    def superseded(self) -> Self:
        """Without withdrawn ones."""
        superseded = Fact.RetiredReason.SUPERSEDED
        return self.filter(retired_reason=superseded, withdrawn=False)

    def withdrawn(self) -> Self:
        return self.filter(withdrawn=True)

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


def former_value(fact: str) -> models.Subquery:
    """The value that the profile fact of an outer row replaced."""
    parts = ("user", "space", "category", "key")
    same_key = {part: models.OuterRef(f"{fact}__{part}") for part in parts}
    former = ProfileFact.objects.superseded().filter(
        **same_key, inserted_at__lt=models.OuterRef(f"{fact}__inserted_at")
    )
    return models.Subquery(former.order_by("-stated_at").values("value")[:1])


class ProfileFact(Fact):
    """`message_id` is the message that stated it, `withdrawn` with an older version.

    A tombstone from before a restore has a digest as its key.
    """

    STATE: ClassVar[Sequence[str]] = (*Fact.STATE, "withdrawn")
    of_kind = PROFILE_KIND
    former = ""  # the value that it replaced, where a line tells of it

    class Category(models.TextChoices):
        IDENTITY = "identity", _("identity")
        PREFERENCE = "preference", _("preference")
        CONSTRAINT = "constraint", _("constraint")
        INSTRUCTION = "instruction", _("instruction")

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
    importance = models.FloatField(_("importance"), default=0.8, validators=SHARE)
    content_tsv = simple_tsvector("key", "value")
    message_id = models.UUIDField(_("message"), null=True, blank=True)
    withdrawn = models.BooleanField(default=False)

    objects = ProfileFactQuerySet.as_manager()

    class Meta(Fact.Meta):
        abstract = False
        verbose_name = _("profile fact")
        verbose_name_plural = _("profile facts")
        constraints = [
            *Fact.Meta.constraints,
            models.UniqueConstraint(
                fields=["user", "space", "category", "key"],
                condition=models.Q(active=True),
                name="memory_profile_fact_one_active",
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
                fields=["person"],
                condition=models.Q(person__isnull=False),
                name="memory_profile_fact_person",
            ),
            models.Index(
                fields=["user", "space"],
                condition=models.Q(subject=None),
                name="memory_profile_fact_unread",
            ),
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

    @property
    def stated_in(self) -> uuid.UUID | None:
        return self.message_id

    @property
    def kind(self) -> str:
        return self.category

    @property
    def told(self) -> str:
        return self.value

    @property
    def former_texts(self) -> list[str]:
        return [self.former] if self.former else []

    def statements_made(self) -> list[MadeStatement]:
        return [MadeStatement(self.stated_at, self.message_id, self.withdrawn)]

    def successor(self) -> "ProfileFact | None":
        return ProfileFact.objects.of_key(self).active().first()

    def lives_on(self) -> bool:
        new = self.successor()
        return new is not None and new.value.lower() == self.value.lower()

    def retract(self, at: datetime | None = None) -> None:
        """A withdrawn one had been replaced: nothing of it is to be restored."""
        if self.withdrawn:
            ProfileFact.objects.filter(pk=self.pk).delete()
        else:
            super().retract(at)

    def withdraw(self) -> None:
        self.withdrawn = True
        super().withdraw()

    def retire(self, reason: str, at: datetime | None = None) -> None:
        self.withdrawn = self.withdrawn and reason == self.RetiredReason.SUPERSEDED
        super().retire(reason, at)

    def reactivate(self) -> None:
        self.withdrawn = False
        super().reactivate()
