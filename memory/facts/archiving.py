"""Archive the oldest facts and lore of spaces that keep a limited number (S3-24).

Facts about health are kept (C16).
"""

import uuid
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Count, F, Q

from memory.facts import store
from memory.facts.lore import archive_lore
from memory.facts.profile_facts import is_about_health
from memory.models import Memory, MemoryPolicy
from memory.visibility import SPACE_AUDIENCE
from people.scope import Scope, retraction_scope


def archive_surplus() -> int:
    """Return how many facts were archived."""
    policies = MemoryPolicy.objects.filter(keep_per_user__isnull=False)
    full = policies.filter(space__memories__active=True).annotate(
        owner=F("space__memories__user"), number=Count("space__memories")
    )
    found = full.filter(number__gt=F("keep_per_user"), owner__isnull=False)
    count = 0
    for owner, space_id, kept in found.values_list(
        "owner", "space_id", "keep_per_user"
    ):
        count += _archive(owner, space_id, kept or 0)
    return count + _archive_lore()


def _archive_lore() -> int:
    lore = Q(space__memories__active=True, space__memories__audience=SPACE_AUDIENCE)
    full = MemoryPolicy.objects.alias(number=Count("space__memories", filter=lore))
    full = full.filter(number__gt=F("keep_lore"))
    pairs = full.values_list("space", "keep_lore")
    return sum(archive_lore(space_id, kept) for space_id, kept in pairs)


@transaction.atomic
def _archive(user_id: uuid.UUID, space_id: uuid.UUID, kept: int) -> int:
    scope = retraction_scope(user_id, space_id)
    store.lock(scope)
    own = Memory.objects.owned_by(scope).visible_to(scope).active()
    older = own.order_by("-stated_at", "-pk")[kept:]
    surplus = [memory for memory in older if not is_about_health(memory.content)]
    archive(scope, surplus)
    return len(surplus)


def archive(scope: Scope, memories: Iterable[Memory]) -> None:
    """Users to whom a fact is lent keep it. The caller holds the scope's lock."""
    for memory in memories:
        store.unlink(scope, memory)
        if not memory.links.exists():
            store.retire(memory, Memory.RetiredReason.ARCHIVED)
