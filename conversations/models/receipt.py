"""What was retrieved for a reply, and what of it was in the prompt."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Self
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message

Rows = Sequence[tuple[UUID, float]]  # their keys and scores


class ReceiptQuerySet(models.QuerySet["Receipt"]):
    def giving(self, fact_ids: Collection[UUID]) -> Self:
        """Of replies whose prompts had one of these facts."""
        return self.filter(told__overlap=list(fact_ids))

    def count_uses(self, fact_ids: Collection[UUID]) -> Counter[UUID]:
        """In how many prompts facts were, by key."""
        found = self.giving(fact_ids).values_list("told", flat=True)
        wanted = set(fact_ids)
        return Counter(key for told in found for key in wanted.intersection(told))

    def keys(self) -> set[UUID]:
        """Of all rows that were retrieved."""
        return {key for receipt in self for key in (*receipt.told, *receipt.others)}


class Receipt(models.Model):
    """Keys are apart from their groups: an index finds facts of prompts (decision 42)."""

    class Kind(models.TextChoices):
        MEMORY = "memory", _("memory")
        PROFILE_FACT = "profile_fact", _("profile fact")
        EPISODE = "episode", _("episode")
        MESSAGE = "message", _("message")
        ATTACHMENT = "attachment", _("attachment")
        LORE = "lore", _("lore")

    class Section(models.TextChoices):
        REMEMBERED = "remembered", _("remembered facts")
        ALSO_KNOWN = "also_known", _("also known")
        PROFILE = "profile", _("user profile")
        RECENT_CONTEXT = "recent_context", _("recent context")
        EARLIER = "earlier", _("earlier messages")
        FILES = "files", _("attached files")
        LORE = "lore", _("shared in this household")
        LOOKED_UP = "looked_up", _("searched by the model")

    FACTS = frozenset({Kind.MEMORY, Kind.PROFILE_FACT, Kind.LORE})

    message = models.OneToOneField(
        Message, models.CASCADE, primary_key=True, related_name="receipt"
    )
    groups = models.JSONField(
        default=list,
        help_text="Scores of rows of one kind and section; see `add`.",
    )
    told = ArrayField(
        models.UUIDField(),
        default=list,
        help_text="Keys of facts in the prompt, in the order of the groups.",
    )
    others = ArrayField(
        models.UUIDField(),
        default=list,
        help_text="Keys of all other rows, in the order of the groups.",
    )
    facts_found = models.PositiveSmallIntegerField(
        default=0, help_text="By the search for remembered facts."
    )
    facts_used = models.PositiveSmallIntegerField(
        default=0, help_text="Those of them that were in the prompt."
    )

    objects = ReceiptQuerySet.as_manager()

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        indexes = [GinIndex(fields=["told"], name="conversations_receipt_told")]

    def __str__(self) -> str:
        return str(self.pk)

    def add(
        self, kind: str, section: str, rows: Rows, injected: int, ranked_after: int = 0
    ) -> None:
        """Add rows, best first. The first `injected` ones are in the prompt."""
        if not rows:
            return
        used = min(injected, len(rows))
        self.groups.append(
            {
                "kind": kind,
                "section": section,
                "injected": used,
                "ranked_after": ranked_after,
                "scores": [round(score, 4) for _key, score in rows],
            }
        )
        keys = [key for key, _score in rows]
        told = used if kind in self.FACTS else 0
        self.told += keys[:told]
        self.others += keys[told:]
        if section == self.Section.REMEMBERED:
            self.facts_found += len(rows)
            self.facts_used += used

    def rows(self) -> "Iterator[Retrieved]":
        told, others = iter(self.told), iter(self.others)
        for group in self.groups:
            for place, score in enumerate(group["scores"], start=1):
                injected = place <= group["injected"]
                keys = told if injected and group["kind"] in self.FACTS else others
                yield Retrieved(
                    self.Kind(group["kind"]),
                    self.Section(group["section"]),
                    next(keys),
                    group["ranked_after"] + place,
                    score,
                    injected,
                )

    def found_facts(self) -> list[UUID]:
        """Memories in the prompt that were found for the reply, or looked up."""
        sections = (self.Section.REMEMBERED, self.Section.LOOKED_UP)
        return [
            row.key
            for row in self.rows()
            if row.injected and row.kind == self.Kind.MEMORY and row.section in sections
        ]

    def also_known(self) -> list[UUID]:
        """Memories in the prompt that no search found."""
        section = self.Section.ALSO_KNOWN
        return [
            row.key for row in self.rows() if row.injected and row.section == section
        ]

    def profile_facts(self) -> list[UUID]:
        """Those in the prompt."""
        profile = self.Kind.PROFILE_FACT
        return [row.key for row in self.rows() if row.injected and row.kind == profile]


class Retrieved(NamedTuple):
    kind: Receipt.Kind
    section: Receipt.Section
    key: UUID
    rank: int
    score: float
    injected: bool
