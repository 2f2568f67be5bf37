"""Recall: what bears on a message, from the facts and from further shelves."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from django.utils import timezone

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, NoEmbedder
from meddie.text import one_line
from meddie.tracing import span
from memory.models import Memory, MemoryPolicy
from memory.recall import lists
from memory.recall.dates import named_time
from memory.recall.query import (
    NO_ORDER,
    Query,
    beginning_and_end,
    classes_of,
    is_overview,
    order_score,
    terms,
    without_names,
)
from memory.recall.rankings import RANKINGS
from memory.recall.rankings.ranking import Ranking
from memory.recall.shelf_search import NOTHING, Search, ShelfResult, search_shelves
from memory.recall.shelves import (
    LORE_SHELF,
    MEMORIES,
    MINOR_PROFILE,
    OWN_MEMORIES,
    PAST_MEMORIES,
    PROFILE_IMPORTANCE,
    SAFETY,
    Shelf,
)
from memory.values import MEMORY_KIND, ProfileLine, Recall, Recalled
from memory.wording import lexicon
from memory.wording.dialogue import asks, in_context, is_short
from memory.wording.splitting import is_question
from memory.wording.words import either
from people.scope import Scope

NAMES_FILE = either(lexicon.FILES)
# Bytes of a text that means something by itself: a Chinese word has six.
LEAST_EMBEDDED = 3
# More facts do not fit into a prompt.
OVERVIEW_LIMIT = 500
# S3-47.
LORE_SHOWN = 10
# Facts of which those about the one asked about are taken.
CONSIDERED = 24


def prepare_query(
    message: str,
    last_reply: str = "",
    before: str = "",
    *,
    embedder: Embedder | None = None,
    names: Collection[str] = (),
    now: datetime | None = None,
) -> Query:
    """Read and embed a message. Network only; a failing model is not raised.

    A short one has half of its vector from the user's message `before` it, unless it
    answers a question of the last reply. One of `names` that is mentioned becomes the
    query's speaker. `now` has the time zone of the user.
    """
    if is_overview(message):
        return Query(overview=True)
    classes = classes_of(message)
    text = in_context(message, last_reply)
    follows = is_short(message) and not asks(last_reply)
    before = one_line(beginning_and_end(before)) if follows else ""
    query = embedded_query(text, before, embedder=embedder, names=names, now=now)
    asks_past = "past" in classes or (bool(query.span) and is_question(text))
    order = NO_ORDER if asks_past or query.span else query.order
    safety = "may_i" in classes
    return replace(query, asks_past=asks_past, asks_safety=safety, order=order)


def embedded_query(
    message: str,
    before: str = "",
    *,
    embedder: Embedder | None = None,
    names: Collection[str] = (),
    now: datetime | None = None,
) -> Query:
    """A query by the words of a message alone. Network only; never raises AIError."""
    text = one_line(beginning_and_end(message))
    if not text:
        return Query()
    speaker, about = without_names(text, names)
    named = named_time(about, now or timezone.localtime())
    query = Query(text, terms(about), speaker=speaker, order=order_score(about))
    if named:
        query = replace(query, terms=terms(about, named.words), span=named.span)
    if len(text.encode()) < LEAST_EMBEDDED:
        return query
    try:
        embedder = embedder or embeddings.current_embedder()
        said, *others = embedder.embed_queries([about, before] if before else [about])
    except NoEmbedder:
        return query
    except AIError:
        return replace(query, failed=True)
    vector = np.sum([said, *others], axis=0)
    vector = vector / np.linalg.norm(vector) if others else said
    return replace(query, vector=vector, said=said, model=embedder.model.name)


@span("retrieval memories", gen_ai__operation__name="retrieval")
def recall(  # noqa: PLR0913 -- a search has all of them
    scope: Scope,
    query: Query,
    *,
    policy: MemoryPolicy | None = None,
    ranking: str | None = None,
    limit: int | None = None,
    shelves: Sequence[Shelf] = (),
    listed: int | None = None,
) -> Recall:
    """As `service.recall`. Database only."""
    if not scope.reads:
        return Recall()
    policy = policy or MemoryPolicy.objects.of(scope.space_id)
    chosen = RANKINGS[ranking or policy.ranking].fading(policy.decay_half_life)
    if query.overview or not query.text:
        return _unsearched(scope, query, chosen, limit, listed)
    able = not (query.failed and chosen.needs_vector)
    wanted = chosen.limit if limit is None else max(limit, 0)
    searches = [
        Search(
            MEMORIES,
            chosen if able else None,
            limit=max(wanted, CONSIDERED) if query.asked.subject else wanted,
            newest=listed or 0,
        ),
        *_further(query, (MINOR_PROFILE, *shelves)),
    ]
    vital_first = query.asks_safety and listed is not None
    if listed or vital_first:
        searches.append(
            Search(
                SAFETY,
                None,
                newest=OVERVIEW_LIMIT if query.asked.subject else CONSIDERED,
            )
        )
    if able and (query.span or query.asks_past):
        gated, limit = not query.asks_past, PAST_MEMORIES.limit
        searches.append(Search(_past(query), chosen, gated=gated, limit=limit))
    if policy.lore and able:
        # A space has few lines, so that the best are shown below the gate, too.
        gated = chosen.own_limit > 0
        searches.append(Search(LORE_SHELF, chosen, gated=gated, limit=LORE_SHOWN))
    lines = [lists.profile_part(0.0)] if listed is not None else []
    (facts, *others), read = search_shelves(scope, query, searches, *lines)
    found = dict(zip((s.shelf.kind for s in searches[1:]), others, strict=True))
    told, past, safety = (
        found.pop(shelf.kind, NOTHING) for shelf in (LORE_SHELF, PAST_MEMORIES, SAFETY)
    )
    facts = replace(facts, items=query.asked.first(facts.items)[:wanted])
    items, lore = facts.items, told.items
    if chosen.own_limit:
        items, lore = _with_own(chosen, facts, lore, wanted)
    stale = (*facts.stale_ids, *told.stale_ids)
    items = [*(items if limit is None else items[:wanted]), *past.items]
    vital = tuple(replace(item, kind=MEMORY_KIND) for item in safety.newest)
    items = query.asked.first(_first(query, vital, items) if vital_first else items)
    further = {kind: result.items for kind, result in found.items()} | {
        LORE_SHELF.kind: lore
    }
    return Recall(
        tuple(items),
        stale_ids=stale if query.vector is not None else (),
        degraded=query.vector is None,
        further={kind: tuple(rows) for kind, rows in further.items() if rows},
        detailed=chosen.detailed,
        newest=tuple(facts.newest),
        safety=tuple(query.asked.first(vital)[: SAFETY.limit]),
        profile=tuple(lists.profile_lines(read[0])) if read else (),
    )


def _first(
    query: Query, vital: Sequence[Recalled], items: Sequence[Recalled]
) -> list[Recalled]:
    """With the scores of those that the search found."""
    found = {item.memory_id: item for item in items}
    chosen = query.asked.first(vital)[: SAFETY.limit]
    first = {item.memory_id: found.get(item.memory_id, item) for item in chosen}
    return list((first | found).values())


def _unsearched(
    scope: Scope,
    query: Query,
    ranking: Ranking,
    limit: int | None,
    listed: int | None,
) -> Recall:
    """What a message without words or one that asks for everything brings."""
    most = OVERVIEW_LIMIT if limit is None else limit
    wanted = most if query.overview else 0
    facts = newest(scope, max(wanted, listed or 0))
    active = Memory.objects.visible_to(scope).active()
    return Recall(
        tuple(facts[:wanted]),
        overview=query.overview,
        total=active.count() if query.overview else 0,
        detailed=ranking.detailed,
        newest=tuple(facts[: listed or 0]),
        safety=tuple(lists.newest_rows(scope, SAFETY, SAFETY.limit)) if listed else (),
        profile=() if listed is None else tuple(profile(scope, 0.0)),
    )


def _past(query: Query) -> Shelf:
    """What was true at the time that a question names, or at any time before."""
    since, until = (query.span.since, query.span.until) if query.span else (None, None)
    return replace(PAST_MEMORIES, bound={"past_since": since, "past_until": until})


def best_of(found: Iterable[Recalled], count: int) -> list[Recalled]:
    """The best of several shelves, and of equals the newest."""
    return sorted(found, key=lambda item: (-item.score, -item.stated_at.timestamp()))[
        :count
    ]


def _with_own(
    ranking: Ranking, facts: ShelfResult, lore: Sequence[Recalled], limit: int
) -> tuple[list[Recalled], list[Recalled]]:
    """The best of facts and lore together, and the best facts about the user (S3-46)."""
    best = best_of((*facts.items, *lore), limit)
    items = [item for item in facts.items if item in best]
    own = [item for item in facts.items if not item.shared][: ranking.own_limit]
    every_passing = bool(own) and len(facts.items) < limit
    if len(own) < ranking.own_limit and not every_passing:
        own = facts.own
    there = {item.memory_id for item in items}
    items += [item for item in own if item.memory_id not in there]
    return items, [line for line in lore if line in best]


def _further(query: Query, shelves: Iterable[Shelf]) -> Iterator[Search]:
    files = NAMES_FILE.search(query.text) is not None
    for shelf in shelves:
        ranking = RANKINGS[shelf.ranking]
        if not (query.failed and ranking.needs_vector):
            gated = not (shelf.of_files and files)
            yield Search(shelf, ranking, gated=gated, limit=shelf.limit)


def newest(scope: Scope, limit: int) -> list[Recalled]:
    """The facts stated last, newest first, without a score."""
    return lists.newest_rows(scope, OWN_MEMORIES, limit) if limit > 0 else []


def profile(scope: Scope, least: float = PROFILE_IMPORTANCE) -> list[ProfileLine]:
    """The active profile facts of at least that importance, most important first."""
    return lists.read_profile(scope, least)
