"""Archive the oldest facts and lore of spaces that keep a limited number (S3-24), and
facts whose time to live has passed (B-31).

Facts about health are kept (C16).
"""

import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Max, Q

from memory.facts import store
from memory.facts.profile_keys import is_about_health
from memory.models import Memory, MemoryPolicy
from memory.visibility import SPACE_AUDIENCE
from people.scope import Scope, retraction_scope

Kind = Memory.Kind
LIVES = {
    Kind.PREFERENCE: 1.5,
    Kind.OTHER: 2.0,
    Kind.PROJECT: 2.5,
    Kind.RELATIONSHIP: 3.0,
}
"""Times to live by kind. The profile does not expire."""
KEPT_A_DAY = 0.99  # of the importance
LEAST_IMPORTANCE = 0.3
USES = 5  # of a fact that does not expire
Uses = Callable[[Collection[uuid.UUID]], Mapping[uuid.UUID, int]]


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
    return sum(_archive_lore_of(space_id, kept) for space_id, kept in pairs)


@transaction.atomic
def _archive(user_id: uuid.UUID, space_id: uuid.UUID, kept: int) -> int:
    scope = retraction_scope(user_id, space_id)
    store.lock(scope)
    own = Memory.objects.owned_by(scope).visible_to(scope).active()
    older = own.order_by("-stated_at", "-pk")[kept:]
    surplus = [memory for memory in older if not is_about_health(memory.content)]
    archive_rows(scope, surplus)
    return len(surplus)


def archive_rows(scope: Scope, memories: Iterable[Memory]) -> None:
    """Users to whom a fact is lent keep it. The caller holds the scope's lock."""
    for memory in memories:
        store.unlink(scope, memory)
        if not memory.links.exists():
            memory.retire(Memory.RetiredReason.ARCHIVED)


@transaction.atomic
def _archive_lore_of(space_id: uuid.UUID, kept: int) -> int:
    """Archive all but the newest lines (S3-31); return how many."""
    store.lock_lore(space_id)
    lore = Memory.objects.lore_of(space_id).active()
    newest = lore.order_by("-stated_at", "-pk").values("pk")[:kept]
    older = lore.exclude(pk__in=list(newest.values_list("pk", flat=True)))
    return older.retire(Memory.RetiredReason.ARCHIVED)


def archive_expired(
    policy: MemoryPolicy, uses: Uses, now: datetime, *, dry_run: bool
) -> Counter[str]:
    """As `service.archive_expired`."""
    old = Memory.objects.active().filter(_old(policy, now), space=policy.space_id)
    counts = Counter[str]()
    for user_id in old.order_by("user").values_list("user", flat=True).distinct():
        scope = retraction_scope(user_id, policy.space_id)
        with transaction.atomic():
            store.lock(scope)
            expired = _expired(policy, scope, uses, now)
            if not dry_run:
                archive_rows(scope, expired)
        counts.update(memory.kind for memory in expired)
    return counts


def _expired(
    policy: MemoryPolicy, scope: Scope, uses: Uses, now: datetime
) -> list[Memory]:
    own = Memory.objects.owned_by(scope).visible_to(scope).active()
    old: list[Any] = list(
        own.filter(_old(policy, now))
        .annotate(
            # A restored fact has a new link.
            kept_at=Max("links__created_at", filter=Q(links__user=F("user"))),
            stated=Count(
                "statements", distinct=True, filter=Q(statements__withdrawn=False)
            ),
        )
        .defer("embedding", "near")
    )
    used = uses([memory.pk for memory in old])
    return [
        memory
        for memory in old
        if memory.stated + used.get(memory.pk, 0) < USES
        and not is_about_health(memory.content)
        and _is_expired(memory, policy, now - max(memory.stated_at, memory.kept_at))
    ]


def _is_expired(memory: Memory, policy: MemoryPolicy, age: timedelta) -> bool:
    importance = memory.confidence * KEPT_A_DAY**age.days
    return age > _life(policy, memory.kind) and importance < LEAST_IMPORTANCE


def _old(policy: MemoryPolicy, now: datetime) -> Q:
    old = Q()
    for kind in LIVES:
        old |= Q(kind=kind, stated_at__lt=now - _life(policy, kind))
    return old & Q(audience=Memory.Audience.PRIVATE)


def _life(policy: MemoryPolicy, kind: str) -> timedelta:
    return timedelta(days=(policy.time_to_live_days or 0) * LIVES[Kind(kind)])
