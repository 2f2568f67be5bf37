"""Recall: query -> measured rows -> ranking -> gate -> texts."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.utils import timezone

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, NoEmbedder
from meddie.text import one_line
from memory import lexicon
from memory.context import asks, in_context, is_short
from memory.models import Memory, MemoryPolicy
from memory.recall import large_scopes, lists, sql
from memory.recall.dates import named_time
from memory.recall.query import (
    Query,
    beginning_and_end,
    is_overview,
    terms,
    without_names,
)
from memory.recall.rankings import RANKINGS
from memory.recall.rankings.ranking import ON_DATE, Ranking, Scores, decayed
from memory.recall.shelves import (
    LORE,
    MEMORIES,
    OWN_MEMORIES,
    PROFILE,
    PROFILE_IMPORTANCE,
    Shelf,
)
from memory.recall.signals import Rows, Signals, measure, remeasure
from memory.recall.texts import newer_first, read_texts
from memory.recall.thresholds import thresholds
from memory.values import MEMORY_KIND, ProfileLine, Recall, Recalled
from memory.words import either
from people.scope import Scope

NAMES_FILE = either(lexicon.FILES)
# Bytes of a text that means something by itself: a Chinese word has six.
LEAST_EMBEDDED = 3
# More facts do not fit into a prompt.
OVERVIEW_LIMIT = 500
# S3-47.
LORE_SHOWN = 10
# Rows that are read where a newer statement may come from further down.
READ = 20


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
    answers a question of the last reply. Of `names`, the shelf's speakers, one that is mentioned becomes the query's speaker.
    `now` has the time zone of the user.
    """
    if is_overview(message):
        return Query(overview=True)
    text = in_context(message, last_reply)
    follows = is_short(message) and not asks(last_reply)
    before = one_line(beginning_and_end(before)) if follows else ""
    return embedded_query(text, before, embedder=embedder, names=names, now=now)


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
    query = Query(text, terms(about), speaker=speaker)
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


def recall(
    scope: Scope,
    query: Query,
    *,
    policy: MemoryPolicy | None = None,
    ranking: str | None = None,
    limit: int | None = None,
    shelves: Sequence[Shelf] = (),
) -> Recall:
    """Return what bears on the message, best first. Database only."""
    if not scope.reads:
        return Recall()
    policy = policy or MemoryPolicy.objects.of(scope.space_id)
    chosen = RANKINGS[ranking or policy.ranking].fading(policy.decay_half_life)
    if query.overview:
        facts = newest(scope, OVERVIEW_LIMIT if limit is None else limit)
        total = Memory.objects.visible_to(scope).active().count()
        return Recall(
            tuple(facts), overview=True, total=total, detailed=chosen.detailed
        )
    if not query.text:
        return Recall(detailed=chosen.detailed)
    further = _further(scope, query, (PROFILE, *shelves))
    if query.failed and chosen.needs_vector:
        return Recall(degraded=True, further=further, detailed=chosen.detailed)
    wanted = chosen.limit if limit is None else max(limit, 0)
    items, stale = rank_shelf(scope, query, MEMORIES, chosen, limit=wanted)
    lore: list[Recalled] = []
    stale_lore: Sequence[UUID] = ()
    if policy.lore:
        # A space has few lines, so that the best are shown below the gate, too.
        gated = chosen.own_limit > 0
        lore, stale_lore = rank_shelf(
            scope, query, LORE, chosen, gated=gated, limit=LORE_SHOWN
        )
    if chosen.own_limit:
        about_user = _about_user(scope, query, chosen, items, wanted)
        best = best_of((*items, *lore), wanted)
        items = [item for item in items if item in best]
        there = {item.memory_id for item in items}
        items += [item for item in about_user if item.memory_id not in there]
        lore = [line for line in lore if line in best]
    if policy.lore:
        further = {**further, LORE.kind: tuple(lore)}
        stale = (*stale, *stale_lore)
    return Recall(
        tuple(items if limit is None else items[:wanted]),
        stale_ids=stale if query.vector is not None else (),
        degraded=query.vector is None,
        further=further,
        detailed=chosen.detailed,
    )


def best_of(found: Iterable[Recalled], count: int) -> list[Recalled]:
    """The best of several shelves, and of equals the newest."""
    return sorted(found, key=lambda one: (-one.score, -one.stated_at.timestamp()))[
        :count
    ]


def _about_user(
    scope: Scope, query: Query, ranking: Ranking, found: Sequence[Recalled], limit: int
) -> list[Recalled]:
    """The best facts about the user; if none passes the gate, the best of all (S3-46)."""
    own = [item for item in found if not item.shared][: ranking.own_limit]
    every_passing = bool(own) and len(found) < limit
    if len(own) == ranking.own_limit or every_passing:
        return own
    lenient = replace(ranking, lenient=True)
    return rank_shelf(scope, query, OWN_MEMORIES, lenient, limit=ranking.own_limit)[0]


def _further(
    scope: Scope, query: Query, shelves: Sequence[Shelf]
) -> dict[str, tuple[Recalled, ...]]:
    found = {}
    for shelf in sql.with_rows(scope, shelves):
        ranking = RANKINGS[shelf.ranking]
        if not query.failed or not ranking.needs_vector:
            gated = not (shelf.of_files and NAMES_FILE.search(query.text))
            items, _ = rank_shelf(
                scope, query, shelf, ranking, gated=gated, limit=shelf.limit
            )
            found[shelf.kind] = tuple(items)
    return found


def newest(scope: Scope, limit: int) -> list[Recalled]:
    """The facts stated last, newest first, without a score."""
    return lists.newest_rows(scope, OWN_MEMORIES, limit) if limit > 0 else []


def profile(scope: Scope, least: float = PROFILE_IMPORTANCE) -> list[ProfileLine]:
    """The active profile facts of at least that importance, most important first."""
    return lists.profile_lines(scope, least)


def rank_shelf(
    scope: Scope,
    query: Query,
    shelf: Shelf,
    ranking: Ranking,
    *,
    gated: bool = True,
    limit: int = READ,
) -> tuple[list[Recalled], tuple[UUID, ...]]:
    """The best rows of a shelf, and ids of rows that need a new vector."""
    # All rows are measured before any is cut, so that no index can lose one.
    small = large_scopes.unless_large(query, shelf)
    signals = measure(scope, query, small, ranking.columns)
    if not len(signals.ids) and large_scopes.is_large(scope, query, shelf):
        query, shelf = large_scopes.narrowed(scope, query, shelf)
        signals = measure(scope, query, shelf, ranking.columns)
    kept = signals.rows_of(() if ranking.literal else query.carried)
    rows = np.union1d(ranking.candidates(signals), kept)
    if signals.shortened:
        signals = remeasure(scope, query, shelf, signals, rows)
    scores = ranking.score(signals, rows)
    limits = thresholds(query.model)
    if gated:
        passing = ranking.gate(signals, scores, limits)
        passed = rows[passing[rows] | np.isin(rows, kept)]
        rows = passed if len(passed) or not ranking.lenient else rows
    if ranking.half_life:
        faded = decayed(scores.values, signals.ages, ranking.half_life)
        scores = scores._replace(values=faded)
    more = limit > 0 and (ranking.apart or not ranking.literal)
    count = max(limit, READ) if more else limit
    order = scores.values
    if ranking.prefers_dates:
        order = order + ON_DATE * (signals.days > 0)
    best = signals.lowest(rows, count, -order, -signals.stated_at)
    best = signals.apart(best) if ranking.apart else best
    alike = None if ranking.literal else limits.alike
    items = _read(scope, shelf, signals, scores, best, alike)
    return items[: max(limit, 0)], signals.stale_ids


def _read(
    scope: Scope,
    shelf: Shelf,
    signals: Signals,
    scores: Scores,
    best: Rows,
    alike: float | None,
) -> list[Recalled]:
    keys = {signals.key(row): row for row in best.tolist()}
    texts = read_texts(scope, shelf, list(keys), alike=alike)
    items = [
        Recalled(
            key,
            texts[key].content,
            float(scores.values[row]),
            signals.cosine(row),
            float(scores.keywords[row]),
            signals.date(row),
            shared=texts[key].shared,
            label=texts[key].label,
            evidence=texts[key].evidence,
            confidence=texts[key].confidence,
            kind=shelf.kind or MEMORY_KIND,
        )
        for key, row in keys.items()
        if key in texts
    ]
    return newer_first(items, {key: text.newer for key, text in texts.items()})
