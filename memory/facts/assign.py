"""Move facts to another subject."""

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory import journal
from memory.facts import store
from memory.facts.kinds import KINDS, named_facts
from memory.models import Fact, MemoryEvent
from memory.subjects import USER, Subject
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
    journal.record_change(scope, MemoryEvent.Kind.ASSIGN, "assign", moved, by=by)
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
    known = [fact for fact in named_facts(scope, keys, by) if not fact.is_retracted]
    moving = [fact for fact in known if fact.about_if_read != subject]
    for kind in KINDS.values():
        facts = [fact for fact in moving if fact.of_kind == kind.name]
        if facts:
            kind.lock(scope)
            versions = [row.pk for fact in facts for row in kind.versions(scope, fact)]
            kind.own(scope).filter(pk__in=versions).exclude(
                retired_reason=Fact.RetiredReason.RETRACTED
            ).update(
                subject=subject.text,
                person_id=subject.person_id,
                updated_at=timezone.now(),
            )
    return {fact.pk: fact.about for fact in moving}


def _living(scope: Scope, subject: Subject) -> Subject:
    """A Person of the user is the user; one that is gone or of elsewhere a mere name."""
    if subject.person_id is None:
        return subject
    people = Person.objects.in_space(scope.space_id)
    person = people.filter(pk=subject.person_id).only("user_id").first()
    if person is None:
        return replace(subject, person_id=None)
    return USER if person.user_id == scope.user_id else subject
