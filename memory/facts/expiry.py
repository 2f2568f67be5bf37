"""Archive facts whose time to live has passed (B-31)."""

import uuid
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Max, Q

from memory.facts import store
from memory.facts.archiving import archive
from memory.facts.profile_facts import is_about_health
from memory.models import Memory, MemoryPolicy
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


def users_with_old_facts(policy: MemoryPolicy, now: datetime) -> list[uuid.UUID]:
    rows = Memory.objects.active().filter(_old(policy, now), space=policy.space_id)
    users = rows.order_by("user").values_list("user", flat=True).distinct()
    return list(users)


@transaction.atomic
def archive_expired(
    policy: MemoryPolicy,
    user_id: uuid.UUID,
    uses: Uses,
    now: datetime,
    *,
    dry_run: bool,
) -> Counter[str]:
    """How many facts expire, by kind. `uses` counts the replies that used them."""
    scope = retraction_scope(user_id, policy.space_id)
    if not dry_run:
        store.lock(scope)
    expired = _expired(policy, scope, uses, now)
    if not dry_run:
        archive(scope, expired)
    return Counter(memory.kind for memory in expired)


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
