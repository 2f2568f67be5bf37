"""Search of a space's facts (S3-50)."""

from dataclasses import replace
from itertools import chain

from memory.models import MemoryPolicy
from memory.recall.rankings.ranked import RANKED
from memory.recall.recall import best_of, embedded_query, rank_shelf
from memory.recall.shelves import (
    LORE,
    OWN_MEMORIES,
    OWN_PROFILE,
    SPACE_MEMORIES,
    SPACE_PROFILE,
    Shelf,
)
from memory.values import Recalled
from people.scope import Scope

MOST_FOUND = 24


def search_facts(
    scope: Scope, text: str, *, channel: str, limit: int, everyone: bool
) -> list[Recalled]:
    """Facts that pass the gate of `ranked`, best first; none for an empty query.

    `everyone` reads the facts of all members, and is for staff alone.
    """
    if not (everyone or scope.reads):
        return []
    query = embedded_query(text)
    if not query.text:
        return []
    query, count = replace(query, channel=channel), min(max(limit, 1), MOST_FOUND)
    found = (
        rank_shelf(scope, query, shelf, RANKED, limit=count)[0]
        for shelf in _shelves(scope, everyone=everyone)
    )
    return best_of(chain.from_iterable(found), count)


def _shelves(scope: Scope, *, everyone: bool) -> list[Shelf]:
    if everyone:
        return [SPACE_MEMORIES, SPACE_PROFILE]
    own = [OWN_MEMORIES, OWN_PROFILE]
    return [*own, LORE] if MemoryPolicy.objects.of(scope.space_id).lore else own
