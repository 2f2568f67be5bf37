"""Forget and erase facts of any kind by their keys.

Forgotten facts leave every answer at once; their text stays for 30 days. The row remains
as a tombstone, so that the same conversation does not restore the fact.
"""

import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from memory import journal
from memory.copies import forget_copies, restoring_copies, tell_of_forgotten
from memory.facts import deferred, store
from memory.facts.journal_lines import drop_journal_lines, forgotten_messages
from memory.facts.kinds import KINDS, kind_of, named_facts
from memory.facts.restoration import restore_replaced
from memory.models import (
    CaptureJob,
    EpisodicMemory,
    Fact,
    Memory,
    MemoryEvent,
)
from memory.models.fact import TEXT_KEPT
from memory.values import Provenance
from memory.wording.words import grounded
from people.models import User
from people.scope import Scope, retraction_scope

RETRACTED = Fact.RetiredReason.RETRACTED


def forget(
    scope: Scope,
    keys: Collection[uuid.UUID] | None,
    *,
    by: User | None = None,
    undo: bool = False,
    at: datetime | None = None,
) -> list[uuid.UUID]:
    """As `service.forget`. Of a fact of another user the link goes.

    `by`, a staff member, retracts replaced and archived facts, too.
    """
    restoring = restoring_copies(scope) if undo else nullcontext()
    with transaction.atomic(), restoring:
        store.lock(scope)
        if keys is None:
            return _forget_all(scope, at)
        known = [
            fact
            for fact in named_facts(scope, keys, by)
            if fact.active or (by and not fact.is_retracted)
        ]
        return _forget(scope, known, keys, by, undo=undo, at=at)[0]


def erase(
    scope: Scope, keys: Collection[uuid.UUID] | None, *, by: User | None = None
) -> list[uuid.UUID]:
    """As `service.erase`."""
    with transaction.atomic():
        store.lock(scope)
        if keys is None:
            _blank_forgotten(scope)
            return []
        named = named_facts(scope, keys, by)
        before = [fact for fact in named if fact.is_retracted]
        known = [fact for fact in named if not fact.is_retracted]
        forgotten, gone = _forget(scope, known, keys, by)
        gone += [
            version
            for fact in before
            for version in kind_of(fact).versions(scope, fact)
        ]
        for rows in _retracted():
            rows.filter(pk__in=[fact.pk for fact in gone]).blank()
    return forgotten


def retract(
    scope: Scope,
    facts: Sequence[Fact],
    at: datetime | None = None,
    *,
    undo: bool = False,
) -> list[Fact]:
    """Retract facts in the scope's lock, as `forget` does; return them with their versions.

    Other facts of their messages lose their evidence, which may quote them. Copies of
    those who told lore are erased, those of the scope are left to the caller.
    """
    tellers = _lock_lore(scope, facts)
    gone = [
        version
        for fact in facts
        for version in (
            kind_of(fact).same_value(fact)
            if undo
            else kind_of(fact).versions(scope, fact)
        )
    ]
    for version in gone:
        version.retract(at)
    if undo:
        restore_replaced(scope, facts)
    told = {fact.stated_in for fact in gone if fact.VECTORS and fact.stated_in}
    quoting = Memory.objects.owned_by(scope).filter(source_message__in=told)
    quoting.exclude(evidence="").update(evidence="")
    for teller in tellers:
        erase_copies(teller, texts_of(gone))
    tell_of_forgotten(scope, gone)
    return gone


def texts_of(facts: Collection[Fact]) -> list[str]:
    """What copies of the facts may say."""
    return [text for fact in facts for text in fact.copied_texts]


def erase_copies(
    scope: Scope,
    lines: Collection[str],
    *,
    wish: Provenance | None = None,
    wished: str = "",
) -> bool:
    """Erase forgotten facts from jobs, model answers, unreadable blocks and journals.

    Evidence of other facts that speaks of them goes, too. Return whether a message other
    than that of the wish was dropped.
    """
    told = [*lines, *filter(None, [wished])]
    # First: a message that is stored meanwhile has its job afterwards.
    forget_copies(scope, told, wish.stated_at if wish else None)
    deferred.drop_facts(scope, lines)
    MemoryEvent.objects.erase_texts(store.owner(scope), scope.space_id)
    quoting = Memory.objects.owned_by(scope).exclude(evidence="")
    evidences = quoting.values_list("pk", "evidence").iterator()
    keys = [
        key
        for key, evidence in evidences
        if any(grounded(line, evidence) for line in told)
    ]
    Memory.objects.filter(pk__in=keys).update(evidence="")
    drop_journal_lines(scope, forgotten_messages(scope, wish))
    return deferred.drop_messages(scope, told, wish)


def owner_scope(fact: Fact, by: User | None = None) -> Scope | None:
    """Where a fact is taken back: of lore it is that of who told it, or of staff."""
    owner = fact.user_id or fact.told_by_id or (by.pk if by else None)
    if owner is None or fact.space_id is None:
        return None
    return retraction_scope(owner, fact.space_id, channel=fact.channel)


@transaction.atomic
def blank_old_texts() -> int:
    """Blank what was forgotten 30 days ago, and old texts of events; return how much."""
    before = timezone.now() - TEXT_KEPT
    count = 0
    for rows in _retracted():
        count += rows.filter(retired_at__lt=before).blank()
    events = MemoryEvent.objects.filter(created_at__lt=before).exclude(texts={})
    return count + events.update(texts={})


def _retracted() -> Iterator[Any]:
    """The retracted rows of each table."""
    for model in {kind.model: None for kind in KINDS.values()}:
        rows: Any = model._default_manager  # noqa: SLF001 -- Django documents it
        yield rows.retracted()


def _forget(
    scope: Scope,
    facts: Sequence[Fact],
    keys: Collection[uuid.UUID],
    by: User | None,
    *,
    undo: bool = False,
    at: datetime | None = None,
) -> tuple[list[uuid.UUID], list[Fact]]:
    """The keys that are forgotten, also of memories of others; all that was retracted."""
    seen = store.read_active(scope, list(keys))
    lent = [memory for memory in seen if store.is_lent(scope, memory)]
    gone = retract(scope, facts, at, undo=undo)
    for memory in lent:
        store.unlink(scope, memory)
    forgotten = [fact.pk for fact in (*facts, *lent)]
    if forgotten:
        erase_copies(scope, texts_of([*gone, *lent]))
    journal.record_change(scope, MemoryEvent.Kind.FORGET, "retract", forgotten, by=by)
    return forgotten, gone


def _forget_all(scope: Scope, at: datetime | None) -> list[uuid.UUID]:
    """Texts of what was forgotten before are blanked, so that none of it can be restored.

    Those forgotten now stay for 30 days, for Undo.
    """
    forget_copies(scope, None)
    keys = active_keys(scope)
    _blank_forgotten(scope)
    tell_of_forgotten(scope, _own_facts(scope))
    told = [fact for kind in KINDS.values() for fact in kind.forget_all(scope, at)]
    if told:
        erase_copies(scope, texts_of(retract(scope, told, at)))
    owner = {"user_id": store.owner(scope), "space_id": scope.space_id}
    MemoryEvent.objects.erase_texts(*owner.values())
    CaptureJob.objects.filter(**owner).delete()
    EpisodicMemory.objects.filter(**owner).delete()
    drop_journal_lines(scope)
    journal.record_change(scope, MemoryEvent.Kind.FORGET, "retract", keys)
    return keys


def _own_facts(scope: Scope) -> list[Fact]:
    return [
        fact
        for kind in KINDS.values()
        for fact in kind.own(scope)
        .exclude(retired_reason=RETRACTED)
        .defer(*kind.model.VECTORS)
    ]


def active_keys(scope: Scope) -> list[uuid.UUID]:
    """Of all that the user can forget, the newest of each kind first."""
    return [
        key
        for kind in KINDS.values()
        for key in kind.seen(scope)
        .active()
        .order_by("-stated_at")
        .values_list("pk", flat=True)
    ]


def _blank_forgotten(scope: Scope) -> None:
    for kind in KINDS.values():
        kind.own(scope).retracted().blank()


def _lock_lore(scope: Scope, facts: Collection[Fact]) -> list[Scope]:
    """Lock what the retraction of lore changes; the scopes of others who told some."""
    lore = [fact for fact in facts if fact.is_lore]
    if not lore:
        return []
    others = {line.told_by_id for line in lore if line.told_by_id} - {scope.user_id}
    scopes = [retraction_scope(other, scope.space_id) for other in sorted(others)]
    for teller in scopes:
        store.lock(teller)
    store.lock_lore(scope.space_id)
    return scopes
