"""The one door out of memory: what is known that bears on a message.

Preparing a query may wait for the embedding model and touches no database; recalling
touches the database only.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from heapq import merge
from uuid import UUID

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, NoEmbedder
from memory.models import Memory, MemoryPolicy
from memory.recall import approximate
from memory.recall.fused_search import DEPTH, fused
from memory.recall.profiles import PROFILES, Profile
from memory.recall.query import TEXT_LIMIT, Query, is_overview, terms, without_names
from memory.recall.search import blended
from memory.recall.shelves import MEMORIES, Shelf
from memory.recall.small_talk import is_small_talk
from memory.values import Recall, Recalled
from memory.vectors import NO_MODEL
from memory.words import one_line
from people.scope import Scope

OVERVIEW_LIMIT = 20
NOTHING_ASKED = Query("", (), overview=False, vector=None, model=NO_MODEL)


def prepare_query(
    text: str, *, embedder: Embedder | None = None, names: Collection[str] = ()
) -> Query:
    """Read a message, and embed it. Never raises AIError: the query then has no vector.

    `names` are those of the people who talk on the shelf that will be searched: whom
    the message names says who spoke, so the rest of it need not.
    """
    cut = one_line(text[:TEXT_LIMIT])
    if is_small_talk(cut):
        return NOTHING_ASKED
    overview = is_overview(cut)
    if not cut or overview:
        return Query(cut, (), overview, None, NO_MODEL)
    speaker, about = without_names(cut, names)
    words = terms(about)
    try:
        embedder = embedder or embeddings.current_embedder()
        vector = embedder.embed_query(about)
    except NoEmbedder:
        return Query(cut, words, overview, None, NO_MODEL, speaker=speaker)
    except AIError:
        return Query(cut, words, overview, None, NO_MODEL, failed=True, speaker=speaker)
    return Query(cut, words, overview, vector, embedder.model.name, speaker=speaker)


def recall(
    scope: Scope,
    query: Query | str,
    *,
    profile: str | None = None,
    limit: int | None = None,
    shelves: Sequence[Shelf] = (MEMORIES,),
) -> Recall:
    """What the scope's user is known for that bears on the message, best first.

    Whoever has other shelves than memory's own says which to search.

    The space's policy names the profile unless one is given. Without a user there is
    nothing (S0-10), and when the message could not be embedded only `fused` goes on, by
    its words (S0-53).
    """
    if not scope.reads:
        return Recall()
    if isinstance(query, str):
        query = prepare_query(query)
    if query.overview and MEMORIES in shelves:
        return _overview(scope, OVERVIEW_LIMIT if limit is None else max(limit, 0))
    if not query.text:
        return Recall()
    ranking = PROFILES[profile or profile_of(scope)]
    if query.failed and not ranking.fused:
        return Recall(degraded=True)
    return _search(scope, query, ranking, shelves, limit)


def profile_of(scope: Scope) -> str:
    """The name of the profile that the space of a scope has chosen."""
    return MemoryPolicy.objects.all().of(scope.space_id).recall_profile


def _search(
    scope: Scope,
    query: Query,
    profile: Profile,
    shelves: Sequence[Shelf],
    limit: int | None,
) -> Recall:
    """Each shelf in its own order, between them by score. Of rows that want a new vector
    memory tells only its own: whoever lends a shelf looks after it."""
    wanted = profile.limit if limit is None else max(limit, 0)
    found: list[list[Recalled]] = []
    stale_ids: tuple[UUID, ...] = ()
    for shelf in shelves:
        items, stale = rank_shelf(scope, query, shelf, profile, limit=wanted)
        found.append([replace(item, shelf=shelf.table) for item in items])
        stale_ids += stale if shelf is MEMORIES else ()
    best = list(merge(*found, key=lambda item: -item.score))
    return Recall(
        tuple(best[:wanted]),
        stale_ids=stale_ids if query.vector is not None else (),
        degraded=query.vector is None,
    )


def rank_shelf(
    scope: Scope,
    query: Query,
    shelf: Shelf,
    profile: Profile,
    *,
    gated: bool = True,
    limit: int = DEPTH,
) -> tuple[list[Recalled], tuple[UUID, ...]]:
    """A shelf's rows for a query, at most so many, best first, and the ids that want a
    new vector."""
    way = fused if profile.fused else partial(blended, profile=profile)
    rank = partial(way, scope, gated=gated, limit=max(limit, 0))
    if not approximate.possible(query, shelf):
        return rank(query, shelf)[:2]
    items, stale_ids, heard = rank(query, approximate.if_small(shelf))
    if heard.compared or stale_ids or not approximate.large(scope, shelf):
        return items, stale_ids
    few = approximate.narrowed(scope, query, shelf)
    return rank(*few or (query, shelf))[:2]


def _overview(scope: Scope, limit: int) -> Recall:
    rows = (
        Memory.objects.visible_to(scope)
        .active()
        .only("content", "stated_at")
        .order_by("-stated_at", "-pk")[:limit]
    )
    return Recall(
        tuple(Recalled(m.pk, m.content, 1.0, None, 0.0, m.stated_at) for m in rows),
        overview=True,
    )
