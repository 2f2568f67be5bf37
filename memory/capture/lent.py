"""Memories of others that a user gives up: their link goes, the row stays as it is."""

from collections.abc import Sequence

from django.db.models import QuerySet

from memory.capture import store
from memory.capture.neighbours import LENT, Probe
from memory.capture.same_fact import differ
from memory.models import Memory, MemoryUpdate
from memory.recall.thresholds import thresholds
from people.scope import Scope

GIVEN_UP = "forgotten"


def give_up_alike(scope: Scope, line: str, probe: Probe) -> list[Memory]:
    """Give up what others stated in the same or nearly the same words."""
    found = store.find_neighbours(scope, probe, LENT)
    limit = thresholds(probe.model).duplicate
    keys = [found.same.id] if found.same else []
    for row, cosine in found.near:
        if cosine > limit and not differ(line, row.content):
            keys.append(row.id)
    memories = store.read_active(scope, keys)
    for memory in memories:
        give_up(scope, memory)
    return memories


def give_up(scope: Scope, memory: Memory) -> None:
    store.unlink(scope, memory)
    store.audit(scope, memory, None, GIVEN_UP)


def given_up(scope: Scope) -> QuerySet[MemoryUpdate]:
    """The records by which Undo finds the memories."""
    updates = MemoryUpdate.objects.filter(user_id=store.owner(scope), reason=GIVEN_UP)
    return updates.filter(old__space_id=scope.space_id)


def relink_replaced(scope: Scope, retired: Sequence[Memory]) -> None:
    """Link memories again that these replaced for this user, but not for others."""
    updates = MemoryUpdate.objects.filter(user_id=store.owner(scope), new__in=retired)
    replaced = Memory.objects.active().filter(updates_away__in=updates)
    for memory in replaced.distinct():
        if store.find_successor(scope, memory) is None:
            store.link(scope, memory)
