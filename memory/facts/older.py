"""Find whom older facts are about; those that are not read yet have NULL."""

import time
import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.db import transaction

from memory import journal
from memory.facts import store
from memory.facts.assign import move_facts
from memory.facts.kinds import named_facts
from memory.household import household
from memory.models import Fact, Memory, MemoryEvent, ProfileFact
from memory.models.event import MemoryEventQuerySet
from memory.subjects import UNSURE, USER, Household, Subject
from memory.wording.subjects import subject_of
from people.scope import Scope, retraction_scope

BATCH = 50
SHIFT = 5.0  # seconds of a run: replies use the same processors
NEW, SETTLED = {"older": "new"}, {"older": "settled"}
"""Of events: what the user has not seen, and what they have."""
GIVEN = "given"  # of a fact in an event: the subject, as `Subject.digest`
Owner = tuple[uuid.UUID, uuid.UUID]


def read_older_subjects() -> int:
    """Return how many."""
    until, count = time.monotonic() + SHIFT, 0
    while time.monotonic() < until:
        batch = _next_batch()
        if not batch:
            break
        for (user_id, space_id), facts in groupby(batch, key=_owner):
            scope = retraction_scope(user_id, space_id)
            count += _read(scope, list(facts))
    return count


def _owner(fact: Any) -> Owner:
    return fact.user_id, fact.space_id


def _next_batch() -> list[Any]:
    """Those of one scope together, the oldest first."""
    batch: list[Any] = []
    for model in (Memory, ProfileFact):
        rows: Any = model.objects.unread().defer(*model.VECTORS)
        if model is Memory:
            rows = rows.select_related("source_message__conversation")
        rows = rows.order_by("user", "space", "stated_at", "pk")
        batch += rows[: BATCH - len(batch)]
    return sorted(batch, key=lambda fact: (str(_owner(fact)), fact.stated_at))


def _read(scope: Scope, facts: Sequence[Fact]) -> int:
    """An earlier fact tells of the family. Uses the encoder."""
    known = household(scope)
    found: defaultdict[Subject, list[uuid.UUID]] = defaultdict(list)
    for fact in facts:
        if not isinstance(fact, Memory):
            continue
        about = _subject(fact, known)
        found[about].append(fact.pk)
        if not (about.unsure or about.is_user or about in known.relatives):
            known = replace(known, relatives=[*known.relatives, about])
    with transaction.atomic():
        store.lock(scope)
        profile = ProfileFact.objects.unread().filter(pk__in=[f.pk for f in facts])
        profile.update(subject=USER.text)
        moved = {
            key: about
            for about, keys in found.items()
            for key in move_facts(scope, _still_unread(keys), about)
        }
        decisions = [
            {"action": "assign", "fact": str(key), GIVEN: about.digest}
            for key, about in moved.items()
        ]
        if decisions:
            told = NEW | {"decisions": decisions}
            journal.record(scope, MemoryEvent.Kind.ASSIGN, told)
    return len(facts)


def _subject(fact: Any, known: Household) -> Subject:
    """By the words, the message that stated it and the person of its conversation."""
    message = fact.source_message
    if message is None:
        return subject_of(fact.content, known)
    earlier = message.conversation.messages.filter(role="user", seq__lt=message.seq)
    before = earlier.order_by("-seq").first()
    here = known.with_about(message.conversation.person_id)
    here = replace(
        here,
        said=message.content_to_keep,
        before=before.content_to_keep if before else "",
    )
    return subject_of(fact.content, here)


def _still_unread(keys: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """The user may have said meanwhile whom they are about."""
    unread = Memory.objects.unread().filter(pk__in=keys)
    return list(unread.values_list("pk", flat=True))


def _new_events(scope: Scope) -> MemoryEventQuerySet:
    own = MemoryEvent.objects.filter(user=scope.user_id, space=scope.space_id)
    return own.filter(kind=MemoryEvent.Kind.ASSIGN, data__contains=NEW)


def older_read(scope: Scope) -> list[uuid.UUID]:
    """As `service.older_read`."""
    return list(_given(scope))


def _given(scope: Scope) -> dict[uuid.UUID, str]:
    told = _new_events(scope).values_list("data", flat=True)
    return {
        uuid.UUID(made["fact"]): made.get(GIVEN, "")
        for data in told
        for made in data["decisions"]
    }


def _still_given(scope: Scope) -> list[uuid.UUID]:
    """Without what the user has said since."""
    given = _given(scope)
    facts = named_facts(scope, given)
    return [fact.pk for fact in facts if fact.about.digest == given[fact.pk]]


@transaction.atomic
def settle_older(scope: Scope, *, undo: bool) -> int:
    """As `service.settle_older`."""
    store.lock(scope)
    moved = move_facts(scope, _still_given(scope), UNSURE) if undo else {}
    if moved:
        journal.record_change(scope, MemoryEvent.Kind.ASSIGN, "assign", moved)
    for event in _new_events(scope).select_for_update():
        event.data |= SETTLED
        event.save(update_fields=["data"])
    return len(moved)
