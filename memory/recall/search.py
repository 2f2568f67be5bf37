"""Search of a space's facts (S3-50)."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from uuid import UUID

from memory.household import household
from memory.models import MemoryPolicy
from memory.recall.asked import AskedAbout, whom_asked
from memory.recall.query import is_overview
from memory.recall.rankings import RANKINGS
from memory.recall.recall import best_of, embedded_query
from memory.recall.shelf_search import Search, ShelfResult, search_shelves
from memory.recall.shelves import (
    FORMER_MEMORIES,
    MEMORIES_AT,
    SAFETY,
    SPACE_MEMORIES,
    SPACE_PROFILE,
    Shelf,
)
from memory.recall.thresholds import thresholds
from memory.values import MEMORY_KIND, Recalled
from people.scope import Scope

MOST_FOUND = 24
# The part of the way from `about` to 1 that single words need: of 29 searches over 13
# facts of everyday life the nonsense ended at 0.27, and what bears on a fact began at 0.3.
WORDS_SHARE = 0.13


def search_facts(  # noqa: PLR0913 -- a search has all of them
    scope: Scope,
    text: str,
    shelves: Callable[[Scope], Sequence[Shelf]],
    channel: str,
    limit: int,
    *,
    ranking: str | None,
    as_of: datetime | None,
    among: Collection[UUID] | None,
    everyone: bool,
    former: bool,
    least: float | None,
    safety: bool,
) -> list[Recalled]:
    """As `service.search`; none without a query. First those about whom it asks.

    With `safety` also by words alone, and the newest for a question about everything.
    """
    if not (everyone or scope.reads):
        return []
    query = embedded_query(text)
    if safety:
        own = MemoryPolicy.objects.of(scope.space_id).ranking
        ranking = None if query.failed else ranking or own
    chosen = RANKINGS[ranking or "ranked"]
    if not query.text or (query.failed and chosen.needs_vector):
        return []
    query, count = replace(query, channel=channel), min(max(limit, 1), MOST_FOUND)
    asked = whom_asked(text, household(scope))
    searched = [SPACE_MEMORIES, SPACE_PROFILE] if everyone else list(shelves(scope))
    searched += [FORMER_MEMORIES] if former else []
    vital = [SAFETY] if safety else []
    if as_of is not None:
        searched, vital = [replace(MEMORIES_AT, bound={"as_of": as_of})], []
    if among is not None:
        searched = [shelf.among(among) for shelf in searched]
        vital = [shelf.among(among) for shelf in vital]
    most = MOST_FOUND if asked.subject else count
    if safety and is_overview(text):
        searches = [Search(shelf, None, newest=most) for shelf in searched]
    else:
        searches = [Search(shelf, chosen, limit=most) for shelf in searched]
    searches += [
        Search(shelf, chosen, gated=False, limit=shelf.limit, newest=shelf.limit)
        for shelf in vital
    ]
    results, _ = search_shelves(scope, query, searches)
    items = [
        item
        for found in results[: len(searched)]
        for item in (*found.items, *found.newest)
        if least is None or item.score >= least
    ]
    shown = asked.first(best_of(items, len(items)))[:count]
    return shown + _beyond(asked, results[len(searched) :], shown)


def _beyond(
    asked: AskedAbout, vital: Iterable[ShelfResult], shown: Iterable[Recalled]
) -> list[Recalled]:
    """The nearest safety facts that were not found; without any signal the newest."""
    found = [item for result in vital for item in (*result.items, *result.newest)]
    nearest = {item.memory_id: item for item in reversed(found)}
    nearest = dict(reversed(nearest.items()))
    there = {item.memory_id for item in shown}
    return [
        replace(item, kind=MEMORY_KIND, relevant=False)
        for item in asked.first(nearest.values())[: SAFETY.limit]
        if item.memory_id not in there
    ]


def near_facts(
    scope: Scope, words: str, shelves: Callable[[Scope], Sequence[Shelf]]
) -> set[UUID]:
    """As `service.near`."""
    query = embedded_query(words)
    if query.vector is None or not scope.reads:
        return set()
    limits = thresholds(query.model)
    least = limits.strict
    if limits.about:
        least = limits.about + WORDS_SHARE * (1 - limits.about)
    ranked = RANKINGS["ranked"]
    searches = [Search(s, ranked, limit=MOST_FOUND) for s in shelves(scope)]
    found, _ = search_shelves(scope, query, searches)
    items = chain.from_iterable(shelf.items for shelf in found)
    return {item.memory_id for item in items if (item.cosine or 0.0) >= least}
