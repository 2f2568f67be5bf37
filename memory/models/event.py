"""Events of memory, for staff only (decision 25). They go with the user.

What happened to facts is a list: `decisions: [{action, reason, fact, target}]`.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Self

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name
from people.models import Space, User


class MemoryEventQuerySet(models.QuerySet["MemoryEvent"]):
    def record_look(
        self,
        by: User,
        rows: Iterable[Any],
        name: str,
        space_id: uuid.UUID | None = None,
    ) -> None:
        """Record that staff saw the texts of these rows: one event for each owner.

        A search that finds nothing, in a space, is recorded for the staff member.
        """
        seen: dict[tuple[Any, Any], list[str]] = defaultdict(list)
        for row in rows:
            seen[row.user_id or by.pk, row.space_id].append(str(row.pk))
        self.bulk_create(
            MemoryEvent(
                kind=MemoryEvent.Kind.INSPECTION,
                user_id=user_id,
                space_id=space_id,
                by=by,
                data={name: keys},
            )
            for (user_id, space_id), keys in (seen or {(by.pk, space_id): []}).items()
        )

    def has_look(self, by: User, user_id: uuid.UUID, name: str) -> bool:
        """Whether a look of the staff member at the user's rows is recorded today."""
        today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
        looks = self.filter(kind=MemoryEvent.Kind.INSPECTION, created_at__gte=today)
        own = looks.filter(user=user_id, by=by, data__has_key=name)
        return own.exists()

    def erase_texts(self, user_id: uuid.UUID, space_id: uuid.UUID) -> int:
        """Erase refused proposals and unreadable blocks: they may state a forgotten fact."""
        own = self.filter(user_id=user_id, space_id=space_id)
        return own.exclude(texts={}).update(texts={})

    def about(self, *rows: Any) -> Self:
        """Those that name one of these memories or profile facts, without looks."""
        keys = [str(row.pk) for row in rows]
        named = [
            {"decisions": [{role: key}]} for key in keys for role in ("fact", "target")
        ]
        found = reduce(or_, (Q(data__contains=key) for key in named), Q(pk__in=[]))
        return self.filter(found).exclude(kind=MemoryEvent.Kind.INSPECTION)

    def moves_of(self, fact: Any) -> list[tuple[datetime, str]]:
        """When it was given to another, in order, with digests of whom it was about before."""
        moves = self.about(fact).filter(kind=MemoryEvent.Kind.ASSIGN)
        former = f"data__former__{fact.pk}"
        told = moves.filter(data__former__has_key=str(fact.pk)).order_by("created_at")
        return list(told.values_list("created_at", former))


class MemoryEvent(models.Model):
    class Kind(models.TextChoices):
        DECISION = "memory_decision", _("decision")
        EXTRACT_CALL = "memory_extract_call", _("extraction")
        EXTRACT_ERROR = "memory_extract_error", _("extraction failed")
        EMBEDDING_ERROR = "memory_embedding_error", _("embedding failed")
        BLOCK_ERROR = "memory_block_error", _("unreadable block")
        FORGET = "memory_forget", _("forgotten")
        RESTORE = "memory_restore", _("restored")
        ASSIGN = "memory_assign", _("moved to another subject")
        BOT_ERROR = "bot_error", _("message not answered")
        VOICE_ERROR = "voice_error", _("speech not transcribed")
        INSPECTION = "inspection", _("looked at by staff")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=32, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memory_events"
    )
    space = models.ForeignKey(
        Space, models.CASCADE, null=True, related_name="memory_events"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text=_("The staff member who did it."),
    )
    data: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    texts: "models.JSONField[Any, Any]" = models.JSONField(
        default=dict,
        help_text=_(
            "Refused proposals and unreadable blocks, for 30 days or until something is"
            " forgotten."
        ),
    )
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    objects = MemoryEventQuerySet.as_manager()

    class Meta:
        verbose_name = _("memory event")
        verbose_name_plural = _("memory events")
        indexes = [
            models.Index(fields=["-created_at"], name="memory_event_newest"),
            GinIndex(
                fields=["data"],
                opclasses=["jsonb_path_ops"],
                condition=~models.Q(kind="inspection"),
                name="memory_event_named",
            ),
        ]

    def __str__(self) -> str:
        return dated_name(self.get_kind_display(), self.created_at)
