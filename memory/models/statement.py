"""Further statements of memories, so that the edit of one message leaves the others.

They are withdrawn, not deleted (decision 26).
"""

import uuid
from collections.abc import Iterable
from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.memory import Memory


class MemoryStatementQuerySet(models.QuerySet["MemoryStatement"]):
    def standing(self) -> Self:
        """Those of messages that were not replaced by another version."""
        return self.filter(withdrawn=False)

    def add_first(self, memories: Iterable[Memory], *, withdrawn: bool = False) -> None:
        """Add the statement by which each memory was stored, where it has none."""
        first = [
            self.model(
                memory=memory,
                message_id=memory.source_message_id,
                stated_at=memory.stated_at,
                withdrawn=withdrawn,
            )
            for memory in memories
        ]
        self.bulk_create(first, ignore_conflicts=True)


class MemoryStatement(models.Model):
    """A memory that is stated once may have none. Imports have no message."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    memory = models.ForeignKey(
        Memory, models.CASCADE, related_name="statements", db_index=False
    )
    message_id = models.UUIDField(_("message"), null=True)
    stated_at = models.DateTimeField(_("stated"))
    withdrawn = models.BooleanField(default=False)

    objects = MemoryStatementQuerySet.as_manager()

    class Meta:
        verbose_name = _("statement of a memory")
        verbose_name_plural = _("statements of memories")
        constraints = [
            models.UniqueConstraint(
                fields=["memory", "message_id"],
                nulls_distinct=False,
                name="memory_statement_unique",
            ),
        ]
        indexes = [
            models.Index(fields=["message_id"], name="memory_statement_message"),
        ]

    def __str__(self) -> str:
        return str(self.pk)
