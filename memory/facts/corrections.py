"""Correction of a fact by hand, by its user or by staff."""

import uuid
from typing import Any

from django.db import transaction
from django.utils import timezone

from memory import journal
from memory.facts import lore, store
from memory.facts.commit import filled
from memory.facts.look import Proposal, tombstones
from memory.facts.profile_facts import settle_profile
from memory.facts.remember import finish_commit
from memory.models import Memory, ProfileFact
from memory.reasons import Reason
from memory.values import (
    Decision,
    Item,
    Prepared,
    ProfileCandidate,
    Provenance,
    told_line,
)
from people.scope import Scope


@transaction.atomic
def correct(
    scope: Scope,
    key: uuid.UUID,
    prepared: Prepared,
    provenance: Provenance | None = None,
) -> Decision:
    """Let the one prepared fact supersede a memory or profile fact of the user.

    Staff correct lore of the space, too. The decision is `replace`, `ignore` for the same
    text, or `reject` with the reason.
    """
    store.lock(scope)
    provenance = provenance or Provenance.by_hand("", timezone.now())
    (item,) = prepared.items
    own = ProfileFact.objects.owned_by(scope).active()
    if fact := own.filter(pk=key).first():
        decision = _correct_profile(scope, fact, item.candidate.text, provenance)
    elif memory := next(iter(store.read_active(scope, [key])), None):
        decision = _correct_memory(scope, memory, item, prepared.model, provenance)
    elif provenance.by and (
        line := Memory.objects.lore_of(scope.space_id).filter(pk=key).first()
    ):
        decision = _correct_line(scope, line, item, provenance)
        journal.record_run(scope, provenance.origin, [decision], by=provenance.by)
        return decision
    else:
        decision = Decision(item.line, "reject", Reason.GONE)
    finish_commit(scope, provenance, [decision])
    return decision


def _correct_profile(
    scope: Scope, fact: ProfileFact, value: Any, provenance: Provenance
) -> Decision:
    candidate = ProfileCandidate(
        fact.category, fact.key, value, importance=fact.importance, correction=True
    )
    (decision,) = settle_profile(scope, [candidate], provenance)
    return decision


def _correct_memory(
    scope: Scope, old: Memory, item: Item, model: str, provenance: Provenance
) -> Decision:
    if item.refusal is not None:
        return Decision(item.line, "reject", item.refusal)
    if item.vector is None:
        return Decision(item.line, "reject", Reason.EMBEDDING_FAILED)
    proposal = Proposal(
        scope, item.candidate, item.line, item.vector, model, provenance, item.safety
    )
    if provenance.origin == Memory.Origin.OPERATOR and tombstones(proposal):
        return Decision(item.line, "reject", Reason.RETRACTED)
    row, reason = store.same_text(scope, proposal.content_hash), Reason.EDITED
    if row is None:
        new = filled(proposal, Memory())
        store.insert(new)
    elif row.pk == old.pk:
        return Decision(item.line, "ignore", Reason.DUPLICATE, old.pk, old.pk)
    elif row.active:
        new, reason = row, Reason.DUPLICATE
    else:
        new = filled(proposal, row)
        store.revive(scope, new)
    store.link(scope, new)
    store.supersede(scope, old, new, reason)
    return Decision(item.line, "replace", reason, new.pk, old.pk)


def _correct_line(
    scope: Scope, old: Memory, item: Item, provenance: Provenance
) -> Decision:
    """Supersede a line of the space, whose teller stays."""
    told = told_line(item.line)
    line = lore.normalised_line(told)
    if reason := lore.refused_line(told):
        return Decision(line, "reject", reason)
    store.lock_lore(scope.space_id)
    old.refresh_from_db(fields=["active"])
    known = lore.find_line(scope.space_id, line) or Memory()
    if not old.active:
        return Decision(line, "reject", Reason.GONE)
    if known.is_retracted:
        return Decision(line, "reject", Reason.RETRACTED)
    if known.space_id is not None and known.active:
        return Decision(line, "ignore", Reason.DUPLICATE)
    known.told_by_id = old.told_by_id
    known.channel, known.room = old.channel, old.room
    new = lore.write_line(known, scope.space_id, line, provenance)
    store.supersede(scope, old, new, Reason.EDITED)
    return Decision(line, "replace", Reason.EDITED, new.pk, old.pk)
