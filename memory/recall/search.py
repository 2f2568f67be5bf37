"""Search of a space's facts (S3-50)."""

from dataclasses import replace

from memory.recall.rankings.ranked import RANKED
from memory.recall.recall import embedded_query, rank_shelf
from memory.recall.shelves import OWN_MEMORIES, SPACE_MEMORIES
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
    shelf = SPACE_MEMORIES if everyone else OWN_MEMORIES
    count = min(max(limit, 1), MOST_FOUND)
    query = replace(query, channel=channel)
    items, _ = rank_shelf(scope, query, shelf, RANKED, limit=count)
    return items
