"""The kinds of facts, in the order in which the facts of one message are stored.

A further kind is an object here and a candidate in `memory.values` (decision 59).
"""

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from memory.facts.kind import Kind
from memory.facts.lore import LORE
from memory.facts.profile_facts import PROFILE
from memory.facts.sentences import SENTENCES
from memory.models import Fact
from memory.recall.shelves import Shelf
from people.models import User
from people.scope import Scope

KINDS: dict[str, Kind] = {kind.name: kind for kind in (PROFILE, SENTENCES, LORE)}


def kind_of(fact: Fact) -> Kind:
    return KINDS[fact.of_kind]


def named_facts(
    scope: Scope,
    keys: Collection[UUID],
    by: User | None = None,
    *,
    of_space: bool = False,
) -> list[Fact]:
    """The user's facts and the lore that the user told; for staff, or `of_space`, all lore."""
    of_all = of_space or by is not None
    return [
        fact
        for kind in KINDS.values()
        for fact in kind.own(scope, of_all=of_all)
        .filter(pk__in=keys)
        .defer(*kind.model.VECTORS)
        .order_by("pk")
    ]


def seen_facts(scope: Scope, without: Collection[str] = ()) -> Iterator[Fact]:
    """Active facts that the user knows of, kind by kind, the newest first."""
    for kind in KINDS.values():
        if kind.name not in without:
            rows = kind.seen(scope).active().defer(*kind.model.VECTORS)
            yield from rows.order_by("-stated_at", "pk")


def fact_of(key: UUID) -> Fact | None:
    """A fact of anyone, for jobs."""
    for model in dict.fromkeys(kind.model for kind in KINDS.values()):
        rows: Any = model._default_manager  # noqa: SLF001 -- Django documents it
        fact: Fact | None = rows.defer(*model.VECTORS).filter(pk=key).first()
        if fact is not None:
            return fact
    return None


def searched_shelves(scope: Scope) -> list[Shelf]:
    return [shelf for kind in KINDS.values() for shelf in kind.shelves(scope)]
