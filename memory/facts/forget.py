"""Forget what a user's sentences name, in memories, profile and waiting messages."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from meddie.ai.embeddings import Embedder
from meddie.text import one_line
from memory import journal
from memory.facts import deferred, store
from memory.facts.changes import refused_removals
from memory.facts.neighbours import LORE, Probe, find_neighbours
from memory.facts.remember import with_vectors
from memory.facts.retraction import erase_copies, retract, texts_of
from memory.models import Fact, Memory, MemoryEvent, ProfileFact
from memory.models.embedded import NO_MODEL
from memory.models.memory import MemoryQuerySet
from memory.reasons import Reason
from memory.recall.query import Query, terms
from memory.recall.rankings import RANKINGS
from memory.recall.shelf_search import rank_shelf
from memory.recall.shelves import OWN_MEMORIES
from memory.recall.thresholds import thresholds
from memory.values import (
    CONTENT_LIMIT,
    Action,
    Candidate,
    Decision,
    Item,
    Prepared,
    Provenance,
    told_line,
)
from memory.wording.guards import MAX_PER_REPLY, refusal, without_date
from memory.wording.reading import reading_of
from memory.wording.same_fact import content_hash, differ, extends, same_words
from memory.wording.wishes import names_whole, sharing
from memory.wording.words import RELATIONS, UNTELLING, negated, plain, tokens
from people.models import Membership
from people.scope import Scope

ADMIN = Membership.Role.ADMIN
NEAREST = 3  # memories to offer for a wish that matches none
MOST_COMPARED = 30  # memories of which some share a word with the wish


def prepare_forgetting(
    sentences: Sequence[object],
    message: str | None = None,
    earlier: str = "",
    *,
    embedder: Embedder | None = None,
) -> Prepared:
    """Normalise, judge by the message that wants it, if that is not done, and embed.

    `earlier` is what "Forget that" may be about. Several that one message does not say
    word for word are asked.
    """
    texts = [without_date(sentence) for sentence in sentences]
    lines = [one_line(text) if isinstance(text, str) else "" for text in texts]
    judged = lines[:MAX_PER_REPLY] if message is not None else []
    unwanted = refused_removals(judged, message or "", earlier)
    refused = dict(zip(judged, unwanted, strict=True))
    unsaid = {line for line in judged if not names_whole(message or "", line)}
    if sum(refused[line] is None for line in unsaid) > 1:
        refused |= dict.fromkeys(unsaid, Reason.NOT_WANTED)
    items = [
        _wish(line, refused.get(line), too_many=number >= MAX_PER_REPLY)
        for number, line in enumerate(lines)
    ]
    return with_vectors(items, embedder)


def _wish(line: str, withheld: Reason | None, *, too_many: bool) -> Item:
    reason = Reason.TOO_MANY if too_many else None if line else Reason.BLANK
    if len(line) > CONTENT_LIMIT:
        reason = Reason.TOO_LONG
    return Item(Candidate(line, withheld=withheld), line, reason)


def forget_stated(
    scope: Scope, prepared: Prepared, provenance: Provenance
) -> list[Decision]:
    """Retract exact and near matches, also if `scope.writes` is false.

    Those that the message does not want forgotten are to be asked about. The decision on
    a sentence that matches none names the nearest memories.
    """
    if scope.user_id is None:
        return [Decision(i.line, "reject", Reason.NO_MEMORY) for i in prepared.items]
    if not prepared.items:
        return []
    with transaction.atomic():
        store.lock(scope)
        decisions = [
            decision
            for item in prepared.items
            for decision in _forget(scope, item, prepared.model, provenance)
        ]
        later = [Candidate(d.text) for d in decisions if d.action == "defer"]
        if later:
            deferred.put(scope, deferred.FORGET, later, provenance)
        journal.record(
            scope,
            MemoryEvent.Kind.FORGET,
            {"decisions": [journal.decision_data(decision) for decision in decisions]},
            by=provenance.by,
        )
    return decisions


@dataclass(frozen=True, slots=True)
class Matches:
    """What a sentence states: facts to retract, or one that is forgotten or of others."""

    stated: list[Fact]
    gone: Fact | None
    of_others: Memory | None

    @property
    def is_in_memories(self) -> bool:
        """Else one may be found by its vector."""
        return any(isinstance(fact, Memory) for fact in (*self.stated, self.gone))


def _forget(scope: Scope, item: Item, model: str, wish: Provenance) -> list[Decision]:
    """Decide on a wish for memories, lore, profile facts and messages that wait."""
    line = item.line
    if item.refusal is not None:
        return [Decision(line, "reject", item.refusal)]
    found = _find(scope, item, model)
    if reason := item.candidate.withheld:
        asked = [_decision(line, fact, "ask", reason) for fact in found.stated]
        return asked or [_unmatched(scope, item, model, found, waited=False)]
    gone = retract(scope, found.stated, wish.stated_at)
    waited = erase_copies(scope, texts_of(gone), wish=wish, wished=line)
    decisions = [_decision(line, fact) for fact in found.stated]
    if item.vector is None and not found.is_in_memories:
        decisions.append(Decision(line, "defer", Reason.EMBEDDING_FAILED))
    return decisions or [_unmatched(scope, item, model, found, waited=waited)]


def _unmatched(
    scope: Scope, item: Item, model: str, found: Matches, *, waited: bool
) -> Decision:
    """Of a wish that retracts no fact; `waited`: a message that states it was dropped."""
    line = item.line
    if found.gone is not None:
        return _decision(line, found.gone, "ignore", Reason.ALREADY_FORGOTTEN)
    if waited:
        return Decision(line, "retract", Reason.FORGOTTEN)
    if found.of_others is not None:
        return _decision(line, found.of_others, "ignore", Reason.OF_SPACE)
    # The user would read it.
    if reason := refusal(line, wish=True):
        return Decision(line, "reject", reason)
    offered = _offered(scope, item, model)
    return Decision(line, "ignore", Reason.NOT_FOUND, nearest=offered)


def _decision(
    line: str,
    fact: Fact,
    action: Action = "retract",
    reason: Reason = Reason.FORGOTTEN,
) -> Decision:
    of_profile = isinstance(fact, ProfileFact)
    return Decision(line, action, reason, None, fact.pk, profile=of_profile)


def _find(scope: Scope, item: Item, model: str) -> Matches:
    probe = _probe(item, model)
    memory = _find_memory(scope, item, probe)
    forgotten = memory if memory and memory.is_retracted else None
    lore = _find_lore(scope, item.line, probe)
    allowed = set(_may_retract(scope).values_list("pk", flat=True)) if lore else set()
    own = ProfileFact.objects.owned_by(scope)
    profile = [fact for fact in own.active() if _states(item.line, fact)]
    former = own.retracted().by_importance()
    gone = next((fact for fact in former if _states(item.line, fact)), None)
    return Matches(
        [
            *([memory] if memory and not forgotten else []),
            *(line for line in lore if line.pk in allowed),
            *profile,
        ],
        forgotten or gone,
        next((line for line in lore if line.pk not in allowed), None),
    )


def _find_memory(scope: Scope, item: Item, probe: Probe) -> Memory | None:
    """The user's memory in the same words, active or not; else an active one like it."""
    neighbours = find_neighbours(scope, probe)
    if same := neighbours.same:
        return _current(scope, store.load_rows(scope, [same.id])[same.id])
    if not item.candidate.withheld and (waiting := _tombstone_for_waiting(scope, item)):
        return waiting
    limit = thresholds(probe.model).duplicate
    for row, cosine in neighbours.near:
        if (
            row.active
            and cosine > limit
            and not differ(reading_of(item.line), reading_of(row.content))
        ):
            return store.load_rows(scope, [row.id])[row.id]
    return None


def _find_lore(scope: Scope, line: str, probe: Probe) -> list[Memory]:
    """Active lore of the space that a wish states."""
    near = find_neighbours(scope, probe, LORE).near
    limit = thresholds(probe.model).duplicate
    alike = {row.id for row, cosine in near if cosine > limit and row.active}
    wished, lore = told_line(line), Memory.objects.lore_of(scope.space_id).active()
    return [
        memory
        for memory in lore.defer(*Memory.VECTORS)
        if same_words(reading_of(wished), reading_of(told_line(memory.content)))
        or (
            memory.pk in alike
            and not differ(reading_of(wished), reading_of(told_line(memory.content)))
        )
    ]


def _may_retract(scope: Scope) -> MemoryQuerySet:
    """Active lore that the user told; all of the space for its admins."""
    lore = Memory.objects.lore_of(scope.space_id).active()
    admin = Membership.objects.filter(
        user_id=store.owner(scope), space_id=scope.space_id, role=ADMIN
    )
    return lore if admin.exists() else lore.filter(told_by=scope.user_id)


def _states(line: str, fact: ProfileFact) -> bool:
    """Whether a sentence is the key, the value or both, or says little besides."""
    said, key, value = (tokens(plain(t)) for t in (line, fact.key, fact.value))
    if not value:
        return False
    if said in (key, value, key + value):
        return True
    others = set(said) - {*key, *value} - UNTELLING
    return (
        set(value) <= set(said)
        and len(others) <= 1
        and RELATIONS.keys().isdisjoint(said)
        and negated(line) == negated(fact.value)
    )


def _current(scope: Scope, memory: Memory) -> Memory:
    """The memory, or the active one that superseded it and states as much."""
    successor = None if memory.active else store.find_successor(scope, memory)
    if successor is None:
        return memory
    tells = successor.refines or extends(
        reading_of(successor.memory.content), reading_of(memory.content)
    )
    return successor.memory if tells else memory


def _probe(item: Item, model: str) -> Probe:
    vector = None if model == NO_MODEL else item.vector
    return Probe(content_hash(item.line), vector, model if vector is not None else "")


def _offered(scope: Scope, item: Item, model: str) -> tuple[uuid.UUID, ...]:
    query = Query(item.line, terms(item.line), vector=item.vector, model=model)
    ranking = RANKINGS["chat"]
    found, _ = rank_shelf(
        scope, query, OWN_MEMORIES, ranking, gated=False, limit=MOST_COMPARED
    )
    texts = sharing(item.line, [row.text for row in found])
    return tuple(row.memory_id for row in found if row.text in texts)[:NEAREST]


def _tombstone_for_waiting(scope: Scope, item: Item) -> Memory | None:
    """Give a deferred fact its row, so that it is rejected when stored."""
    for job, candidate in deferred.facts(scope):
        if deferred.states(candidate, item.line):
            line = one_line(str(candidate.text))
            return store.same_text(scope, content_hash(line)) or Memory.objects.create(
                user_id=store.owner(scope),
                space_id=scope.space_id,
                channel=scope.channel,
                content=line,
                content_hash=content_hash(line),
                origin=job.origin,
                stated_at=job.stated_at,
            )
    return None
