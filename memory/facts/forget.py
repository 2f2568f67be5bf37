"""Forget what a user's sentences name, in memories, profile and waiting messages."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from meddie.ai.embeddings import Embedder
from meddie.text import one_line
from memory import journal
from memory.facts import deferred, store
from memory.facts.changes import refused_removals
from memory.facts.commit import stated
from memory.facts.kind import Matches, Stated
from memory.facts.kinds import KINDS
from memory.facts.prepare import with_vectors
from memory.facts.retraction import erase_copies, retract, texts_of
from memory.household import household
from memory.models import Fact, MemoryEvent
from memory.reasons import Reason
from memory.recall.query import Query, terms
from memory.recall.rankings import RANKINGS
from memory.recall.shelf_search import rank_shelf
from memory.recall.shelves import OWN_MEMORIES
from memory.values import (
    CONTENT_LIMIT,
    Action,
    Candidate,
    Decision,
    Prepared,
    Proposal,
    Provenance,
)
from memory.wording.guards import MAX_PER_REPLY, refusal, without_date
from memory.wording.same_fact import are_apart
from memory.wording.subjects import subject_of
from memory.wording.wishes import names_whole, sharing
from people.scope import Scope

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


def _wish(line: str, withheld: Reason | None, *, too_many: bool) -> Proposal:
    reason = None
    if len(line) > CONTENT_LIMIT:
        reason = Reason.TOO_LONG
    elif too_many:
        reason = Reason.TOO_MANY
    elif not line:
        reason = Reason.BLANK
    return Proposal(Candidate(line, withheld=withheld), line, reason)


def forget_stated(
    scope: Scope, prepared: Prepared, provenance: Provenance
) -> list[Decision]:
    """As `service.forget_stated`."""
    if scope.user_id is None:
        return [
            Decision(wish.line, "reject", Reason.NO_MEMORY)
            for wish in prepared.proposals
        ]
    if not prepared.proposals:
        return []
    prepared = _with_subjects(scope, prepared)
    with transaction.atomic():
        store.lock(scope)
        decisions = [
            decision
            for wish in stated(scope, prepared, provenance)
            for decision in _forget(wish)
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


def _with_subjects(scope: Scope, prepared: Prepared) -> Prepared:
    """A wish about one person takes nothing of another. Uses the encoder."""
    known, wishes = household(scope), []
    for wish in prepared.proposals:
        about = subject_of(wish.line, known)
        candidate: Any = wish.candidate
        named = replace(candidate, subject=None if about.unsure else about)
        wishes.append(replace(wish, candidate=named))
    return replace(prepared, proposals=tuple(wishes))


def _forget(wish: Stated) -> list[Decision]:
    """Decide on a wish for facts of any kind and messages that wait."""
    scope, proposal = wish.scope, wish.proposal
    if proposal.refusal is not None:
        return [Decision(wish.line, "reject", proposal.refusal)]
    found = _find(wish)
    if reason := wish.candidate.withheld:
        asked = [_decision(wish, fact, "ask", reason) for fact in found.stated]
        return asked or [_unmatched(wish, found, waited=False)]
    gone = retract(scope, found.stated, wish.at)
    texts = texts_of(gone)
    waited = erase_copies(scope, texts, wish=wish.provenance, wished=wish.line)
    decisions = [_decision(wish, fact) for fact in found.stated]
    if proposal.vector is None and not _is_in_memories(found):
        # One may be found by its vector.
        decisions.append(Decision(wish.line, "defer", Reason.EMBEDDING_FAILED))
    return decisions or [_unmatched(wish, found, waited=waited)]


def _is_in_memories(found: Matches) -> bool:
    facts = (*found.stated, found.gone)
    return any(fact.VECTORS for fact in facts if fact)


def _unmatched(wish: Stated, found: Matches, *, waited: bool) -> Decision:
    """Of a wish that retracts no fact; `waited`: a message that states it was dropped."""
    line = wish.line
    if found.gone is not None:
        return _decision(wish, found.gone, "ignore", Reason.ALREADY_FORGOTTEN)
    if waited:
        return Decision(line, "retract", Reason.FORGOTTEN)
    if found.of_others is not None:
        return _decision(wish, found.of_others, "ignore", Reason.OF_SPACE)
    # The line of a refused wish is shown to the user, who did not write it.
    if reason := refusal(line, wish=True):
        return Decision(line, "reject", reason)
    return Decision(line, "ignore", Reason.NOT_FOUND, nearest=_offered(wish))


def _decision(
    wish: Stated,
    fact: Fact,
    action: Action = "retract",
    reason: Reason = Reason.FORGOTTEN,
) -> Decision:
    return Decision(wish.line, action, reason, None, fact.pk, kind=fact.of_kind)


def _find(wish: Stated) -> Matches:
    """What the wish states, of each kind."""
    found = [kind.find(wish) for kind in KINDS.values()]
    return Matches(
        [fact for matches in found for fact in matches.stated],
        next((matches.gone for matches in found if matches.gone), None),
        next((matches.of_others for matches in found if matches.of_others), None),
    )


def _offered(wish: Stated) -> tuple[uuid.UUID, ...]:
    line, vector = wish.line, wish.proposal.vector
    query = Query(line, terms(line), vector=vector, model=wish.model)
    found, _ = rank_shelf(
        wish.scope,
        query,
        OWN_MEMORIES,
        RANKINGS["chat"],
        gated=False,
        limit=MOST_COMPARED,
    )
    about = wish.candidate.subject
    found = [
        row for row in found if row.about.unsure or not are_apart(row.about, about)
    ]
    texts = sharing(line, [row.text for row in found])
    return tuple(row.memory_id for row in found if row.text in texts)[:NEAREST]
