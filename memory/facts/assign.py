"""Move facts to another subject."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import cast
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory import journal
from memory.copies import check_copies
from memory.facts import store
from memory.facts.kinds import KINDS, named_facts
from memory.models import Fact, Memory, MemoryEvent
from memory.models.embedded import NO_MODEL
from memory.reasons import Reason
from memory.subjects import USER, Subject
from memory.values import MEMORY_KIND
from memory.wording.same_fact import content_hash
from memory.wording.subject_labels import labelled, names, without_label, without_user
from people.models import Person, User
from people.scope import Scope


@transaction.atomic
def assign(
    scope: Scope,
    keys: Collection[UUID],
    subject: Subject,
    *,
    by: User | None = None,
) -> dict[UUID, Subject]:
    """As `service.assign`. Earlier versions move along."""
    store.lock(scope)
    moved = move_facts(scope, keys, subject, by=by)
    rows = Memory.objects.filter(pk__in=moved).defer(*Memory.VECTORS)
    others = [fact for fact in rows if not moved[fact.pk].is_same(fact.about)]
    former = {str(fact.pk): moved[fact.pk].digest for fact in others}
    journal.record_change(
        scope, MemoryEvent.Kind.ASSIGN, "assign", moved, by=by, former=former
    )
    for fact in others:
        check_copies(fact)
    vital = {fact.pk: fact.about for fact in rows if fact.safety and fact.active}
    store.tell_of_vital(scope, vital)
    return moved


def move_facts(
    scope: Scope,
    keys: Collection[UUID],
    subject: Subject,
    *,
    by: User | None = None,
) -> dict[UUID, Subject]:
    """The same in the scope's lock, without an event."""
    subject = _living(scope, subject)
    kind = KINDS[MEMORY_KIND]
    moving = [
        fact
        for fact in named_facts(scope, keys, by)
        if fact.of_kind == kind.name
        and not fact.is_retracted
        and fact.about_if_read != subject
    ]
    if moving:
        kind.lock(scope)
        versions = [row for fact in moving for row in kind.versions(scope, fact)]
        kept = [row for row in versions if not row.is_retracted]
        kind.own(scope, of_all=by is not None).filter(
            pk__in=[row.pk for row in kept]
        ).update(
            subject=subject.text,
            person_id=subject.person_id,
            updated_at=timezone.now(),
        )
        _relabel(scope, kept, subject)
        _bring_back(scope, moving, subject)
    return {fact.pk: fact.about for fact in moving}


def _relabel(scope: Scope, rows: Sequence[Fact], subject: Subject) -> None:
    """Name the new subject, not the former one. An equal text takes a row's place."""
    changed = []
    for row in rows:
        bare = _bare(row, subject)
        for text in (labelled(bare, subject), bare):
            hashed = content_hash(text)
            twin = store.same_text(scope, hashed) if text != row.content else row
            if twin is None:
                Memory.objects.filter(pk=row.pk).update(
                    content=text,
                    content_hash=hashed,
                    embedding=None,
                    near=None,
                    embedding_model=NO_MODEL,
                )
                changed.append(row.pk)
            elif twin.pk != row.pk:
                if not (twin.active and row.active and twin.about == subject):
                    continue  # it keeps its text
                old, new = cast("Memory", row), cast("Memory", twin)
                store.supersede(scope, old, new, Reason.DUPLICATE)
            break
    if changed:
        transaction.on_commit(partial(Memory.embed_later, changed))


def _bring_back(scope: Scope, facts: Sequence[Fact], subject: Subject) -> None:
    """A fact that moves away from the equal one that took its place is active again."""
    retired = [fact.pk for fact in facts if not fact.active]
    superseded = Memory.objects.owned_by(scope).filter(
        pk__in=retired, retired_reason=Memory.RetiredReason.SUPERSEDED
    )
    for fact in superseded.defer(*Memory.VECTORS):
        successor = store.find_successor(scope, fact)
        if (
            successor is not None
            and successor.reasons == {Reason.DUPLICATE}
            and successor.memory.about != subject
        ):
            store.reinstate(scope, fact)


def _bare(row: Fact, subject: Subject) -> str:
    text = without_label(row.content, row.about)
    if subject.unsure or subject.is_user or names(text, subject):
        return text
    return without_user(text)


def _living(scope: Scope, subject: Subject) -> Subject:
    """A Person of the user is the user; one that is gone or of elsewhere a mere name."""
    if subject.person_id is None:
        return subject
    people = Person.objects.in_space(scope.space_id)
    person = people.filter(pk=subject.person_id).only("user_id").first()
    if person is None:
        return replace(subject, person_id=None)
    return USER if person.user_id == scope.user_id else subject
