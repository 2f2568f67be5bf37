"""Memories and profile facts by key, for staff."""

import uuid
from collections.abc import Collection

from memory.models.memory import Memory
from memory.models.profile_fact import ProfileFact
from people.models import User

Fact = Memory | ProfileFact


def facts_for(viewer: User, keys: Collection[uuid.UUID]) -> dict[uuid.UUID, Fact]:
    """Without texts for those who may not see them."""
    memories = Memory.objects.filter(pk__in=keys).defer("embedding", "near")
    profile = ProfileFact.objects.filter(pk__in=keys)
    found: list[Fact] = [
        *(_as_seen(row, viewer, "memory.view_memory") for row in memories),
        *(_as_seen(row, viewer, "memory.view_profilefact") for row in profile),
    ]
    return {fact.pk: fact for fact in found}


def _as_seen(fact: Fact, viewer: User, right: str) -> Fact:
    return fact if viewer.has_perm(right) else without_text(fact)


def without_text(fact: Fact) -> Fact:
    """An unsaved copy, which is named by its time."""
    owner = {"user_id": fact.user_id, "space_id": fact.space_id}
    return type(fact)(pk=fact.pk, stated_at=fact.stated_at, **owner)
