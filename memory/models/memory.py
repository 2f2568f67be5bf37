"""Memories and their links to users.

`source_message` is the one foreign key that points upwards (S0-38). It becomes NULL when
the message is deleted.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Self

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models.functions import Cast, Length, NullIf, TruncWeek
from django.db.models.lookups import LessThanOrEqual
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from pgvector.django import HnswIndex

from meddie.row_names import dated_name
from memory import visibility
from memory.models.embedded import NO_MODEL, Embedded, simple_tsvector
from memory.models.fact import ROOM_LIMIT, Fact, FactQuerySet, MadeStatement
from memory.values import (
    CONTENT_LIMIT,
    LORE_KIND,
    MEMORY_KIND,
    METADATA_LIMIT,
    told_line,
)
from people.models import Space
from people.scope import Scope

NAME_LENGTH = 60


def messages_in(scope: Scope, conversation: str) -> models.QuerySet[Any] | None:
    """The keys of messages in a conversation of the user; None for what is no key."""
    try:
        key = uuid.UUID(conversation)
    except ValueError:
        return None
    messages: Any = models.QuerySet(Memory.source_message.field.related_model)
    own = {"conversation": key, "conversation__user": scope.user_id}
    found: models.QuerySet[Any] = messages.filter(**own).values("pk")
    return found


class MemoryQuerySet(FactQuerySet["Memory"]):
    # Nothing is compared with the vector of a text that is erased.
    BLANKED = MappingProxyType(
        {
            "content": "",
            "evidence": "",
            "metadata": "",
            "embedding": None,
            "near": None,
            "embedding_model": NO_MODEL,
        }
    )

    def owned_by(self, scope: Scope) -> Self:
        return self.filter(visibility.owned(scope))

    def visible_to(self, scope: Scope) -> Self:
        return self.filter(visibility.visible(scope))

    def lore_of(self, space_id: uuid.UUID) -> Self:
        return self.filter(visibility.lore(space_id))

    def told_by(self, scope: Scope) -> Self:
        """Lore that the user told, also retired."""
        return self.filter(visibility.told_lore(scope))

    def said_in(self, scope: Scope, room: str) -> Self:
        """In a room, or in the user's conversation with that key."""
        said = messages_in(scope, room)
        if said is None:
            return self.filter(room=room)
        restated = Memory.objects.filter(
            statements__message_id__in=said, statements__withdrawn=False
        )
        told = models.Q(source_message__in=said) | models.Q(
            pk__in=restated.values("pk")
        )
        return self.filter(told | models.Q(room=room))

    def noted(self, metadata: Mapping[str, Any]) -> Self:
        """Those with all of these values in their metadata."""
        text = NullIf("metadata", models.Value(""))
        rows = self.alias(noted=Cast(text, models.JSONField()))
        return rows.filter(noted__contains=dict(metadata))

    def community(self) -> Self:
        return self.filter(visibility.COMMUNITY)

    def stored_by_week(self) -> "models.QuerySet[Any, tuple[datetime, str, int]]":
        """Weeks, origins and numbers, in one pass over the index `memories_charted`."""
        weeks = self.active().annotate(week=TruncWeek("inserted_at")).order_by()
        return weeks.values_list("week", "origin").annotate(number=models.Count("*"))

    def comparable_to(self, memory: "Memory") -> Self:
        """Those of the user or of others, as it is, that were stated at another time.

        Or stored of its message by another origin.
        """
        elsewhere = models.Q(source_message=memory.source_message_id)
        elsewhere &= ~models.Q(origin=memory.origin)
        if memory.source_message_id is None:
            elsewhere = models.Q(pk__in=[])
        other_time = ~models.Q(stated_at=memory.stated_at)
        rows = self.exclude(pk=memory.pk).filter(other_time | elsewhere)
        if memory.subject is None:
            return rows
        of_user = models.Q(subject="")
        alike = of_user if memory.subject == "" else ~of_user
        return rows.filter(alike | models.Q(subject=None))


class Memory(Embedded, Fact):
    class Source(models.TextChoices):
        CHAT = "chat", _("chat")
        MANUAL = "manual", _("manual")

    class Audience(models.TextChoices):
        PRIVATE = "private", _("private")
        SPACE = "space", _("the whole space")
        EVERYONE = "everyone", _("everyone")

    class Kind(models.TextChoices):
        PREFERENCE = "preference", _("preference")
        PROFILE = "profile", _("profile")
        RELATIONSHIP = "relationship", _("relationship")
        PROJECT = "project", _("project")
        LORE = "lore", _("lore")
        OTHER = "other", _("other")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="memories",
        db_index=False,  # memories_user_space serves it
    )
    space = models.ForeignKey(
        Space, models.CASCADE, null=True, blank=True, related_name="memories"
    )
    audience = models.CharField(
        max_length=8, choices=Audience, default=Audience.PRIVATE
    )
    told_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="lore",
        db_index=False,  # memories_told_by serves it
        help_text=_("Of lore: who told it last."),
    )
    content = models.TextField(
        _("content"), validators=[MaxLengthValidator(CONTENT_LIMIT)]
    )
    content_hash = models.CharField(max_length=64)
    content_tsv = simple_tsvector("content")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind, default=Kind.OTHER)
    source = models.CharField(max_length=8, choices=Source, default=Source.CHAT)
    source_message = models.ForeignKey(
        "conversations.Message",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="memories",
    )
    room = models.CharField(
        max_length=ROOM_LIMIT,
        blank=True,
        default="",
        db_default="",
        help_text=_("The chat of the channel, where several people share one."),
    )
    run_id = models.UUIDField(
        null=True, blank=True, help_text=_("The episode that it was said in.")
    )
    evidence = models.TextField(_("evidence"), blank=True)
    evidence_tsv = simple_tsvector("evidence")
    may_replace = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,  # memories_may_replace serves it
        help_text=_("An older memory, about which the user is asked."),
    )
    metadata = models.CharField(
        max_length=METADATA_LIMIT,
        blank=True,
        default="",
        db_default="",
        help_text=_("What a program noted of it, as JSON."),
    )
    safety = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("An answer that overlooks it may do harm: it is in every prompt."),
    )
    ann = models.BooleanField(
        default=False,
        help_text=_("In the approximate index: only in scopes past the exact limit."),
    )

    objects = MemoryQuerySet.as_manager()

    class Meta(Fact.Meta):
        abstract = False
        db_table = "memories"
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        constraints = [
            *Fact.Meta.constraints,
            models.UniqueConstraint(
                fields=["content_hash", "user", "space"],
                nulls_distinct=False,
                name="memories_hash_user_space_unique",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("content"), CONTENT_LIMIT),
                name="memories_content_at_most_500",
            ),
            models.CheckConstraint(
                condition=models.Q(embedding_model=NO_MODEL)
                | models.Q(near__isnull=False),
                name="memories_vector_of_model",
            ),
            models.CheckConstraint(
                condition=models.Q(source__in=["chat", "manual"]),
                name="memories_source_known",
            ),
            models.CheckConstraint(
                condition=(
                    models.Q(
                        audience="private", user__isnull=False, space__isnull=False
                    )
                    | models.Q(audience="space", user__isnull=True, space__isnull=False)
                    | models.Q(
                        audience="everyone", user__isnull=True, space__isnull=True
                    )
                ),
                name="memories_audience_owner",
            ),
        ]
        indexes = [
            models.Index(
                fields=["person"],
                condition=models.Q(person__isnull=False),
                name="memories_person",
            ),
            models.Index(fields=["user", "space"], name="memories_user_space"),
            models.Index(
                fields=["user", "space", "-stated_at", "-id"],
                condition=models.Q(active=True),
                name="memories_newest",
            ),
            # Over the short copy: a seventh of the size at the same recall.
            HnswIndex(
                fields=["near"],
                m=16,
                ef_construction=64,
                opclasses=["halfvec_cosine_ops"],
                condition=models.Q(ann=True),
                name="memories_near_hnsw",
            ),
            models.Index(
                fields=["user", "space"],
                condition=models.Q(ann=True),
                name="memories_scope_ann",
            ),
            models.Index(
                fields=["user", "space"],
                condition=models.Q(ann=False, active=True),
                name="memories_scope_late",
            ),
            models.Index(
                fields=["told_by"],
                condition=models.Q(told_by__isnull=False),
                name="memories_told_by",
            ),
            models.Index(
                fields=["may_replace"],
                condition=models.Q(may_replace__isnull=False),
                name="memories_may_replace",
            ),
            models.Index(
                fields=["user", "space"],
                condition=models.Q(safety=True, active=True),
                name="memories_safety",
            ),
            models.Index(
                fields=["user", "space"],
                condition=models.Q(subject=None, user__isnull=False),
                name="memories_unread",
            ),
            models.Index(fields=["embedding_model"], name="memories_model"),
            models.Index(fields=["-updated_at", "-id"], name="memories_changed"),
            models.Index(
                fields=["inserted_at", "origin"],
                condition=models.Q(active=True),
                name="memories_charted",
            ),
            GinIndex(fields=["content_tsv"], name="memories_content_tsv_gin"),
        ]

    @classmethod
    def to_embed(cls) -> models.QuerySet[Self]:
        """Active ones first; retracted ones are compared with what is told again."""
        kept = models.Q(active=True) | models.Q(
            retired_reason=cls.RetiredReason.RETRACTED
        )
        rows = super().to_embed().filter(kept).exclude(content="")
        return rows.order_by("-active", "pk")

    @property
    def is_lore(self) -> bool:
        return self.audience == self.Audience.SPACE

    @property
    def of_kind(self) -> str:
        return LORE_KIND if self.is_lore else MEMORY_KIND

    @property
    def stated_in(self) -> uuid.UUID | None:
        return self.source_message_id

    @property
    def told(self) -> str:
        return told_line(self.content) if self.is_lore else self.content

    @property
    def copied_texts(self) -> list[str]:
        return list(dict.fromkeys([self.content, self.told]))

    @property
    def former_texts(self) -> list[str]:
        return [update.old.content for update in getattr(self, "replaced", ())]

    def statements_made(self) -> list[MadeStatement]:
        """The first one may have no row of its own."""
        rows = self.statements.order_by("stated_at")
        made = rows.values_list("stated_at", "message_id", "withdrawn")
        return [MadeStatement._make(row) for row in made] or super().statements_made()

    def successor(self) -> "Memory | None":
        last = self._last_update()
        return last.new if last else None

    def lives_on(self) -> bool:
        last = self._last_update()
        return last is not None and last.reason in last.FULLER

    def _last_update(self) -> Any:
        updates: Any = self.updates_away
        return updates.select_related("new").order_by("-created_at").first()

    def retire(self, reason: str, at: datetime | None = None) -> None:
        super().retire(reason, at)
        self.links.all().delete()

    def __str__(self) -> str:
        """The first words, or the time of an erased one."""
        if self.content:
            return Truncator(self.content).chars(NAME_LENGTH)
        return dated_name(_("memory"), self.stated_at)


class CommunityMemory(Memory):
    """A memory for all users, edited in the admin."""

    class Meta:
        proxy = True
        verbose_name = _("community memory")
        verbose_name_plural = _("community memories")
