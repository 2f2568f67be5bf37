"""Relatives of whom a user told, and the people of the space that they are."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from memory import journal
from memory.facts.assign import assign
from memory.facts.kinds import KINDS
from memory.household import ONLY_NAMED, household
from memory.models import MemoryEvent
from memory.subjects import UNSURE_TEXT, USER, Subject, may_be
from memory.values import MEMORY_KIND
from memory.wording.person_words import FEMALE, MALE
from people.models import Person
from people.scope import Scope


@dataclass(frozen=True, slots=True)
class NamedRelative:
    """Who is only named, and how many active facts are about them."""

    subject: Subject
    facts: int


def sex_of(subject: Subject) -> str:
    """By the relation; empty where it does not tell."""
    if subject.relation in FEMALE:
        return Person.Sex.FEMALE
    return Person.Sex.MALE if subject.relation in MALE else Person.Sex.NOT_SAID


def relatives_like(scope: Scope, person: Person) -> list[NamedRelative]:
    """As `service.relatives_like`."""
    if person.user_id == scope.user_id:
        return []
    answered = _kept_apart(scope, person.pk)
    people = household(scope).people
    known = next((about for about in people if about.person_id == person.pk), USER)
    return [
        relative
        for relative in _named(scope)
        if relative.subject.digest not in answered
        and may_be(relative.subject, known)
        and _fits(relative.subject, person)
    ]


def _fits(subject: Subject, person: Person) -> bool:
    """Named alike, or of a relation that tells the person's sex."""
    sex = sex_of(subject)
    if person.sex and sex and sex != person.sex:
        return False
    if subject.name:
        return subject.is_same(Subject(subject.relation, person.name))
    return bool(sex) and sex == person.sex


def _rows(scope: Scope) -> Any:
    """The user's sentences about those who are only named."""
    return KINDS[MEMORY_KIND].own(scope).filter(ONLY_NAMED)


def _named(scope: Scope) -> list[NamedRelative]:
    rows = _rows(scope).active().exclude(subject=None)
    named = rows.exclude(subject__in=["", UNSURE_TEXT]).order_by()
    counts = sorted(named.values_list("subject").annotate(Count("pk")))
    return [NamedRelative(Subject.read(text), count) for text, count in counts]


def join_relative(
    scope: Scope, relative: Subject, person: Person
) -> dict[UUID, Subject]:
    """As `service.join_relative`."""
    rows = _rows(scope).filter(subject=relative.text)
    keys = list(rows.values_list("pk", flat=True))
    return assign(scope, keys, replace(relative, name=person.name, person_id=person.pk))


def join_person(scope: Scope, person: Person, same: Person) -> dict[UUID, Subject]:
    """As `service.join_person`."""
    keys: defaultdict[str, list[UUID]] = defaultdict(list)
    rows = KINDS[MEMORY_KIND].own(scope).filter(person=person)
    for text, key in rows.values_list("subject", "pk"):
        keys[text].append(key)
    moved: dict[UUID, Subject] = {}
    for text, named in keys.items():
        about = replace(Subject.read(text), name=same.name, person_id=same.pk)
        moved |= assign(scope, named, about)
    return moved


@transaction.atomic
def keep_apart(scope: Scope, relative: Subject, person_id: UUID) -> None:
    """As `service.keep_apart`."""
    told = {"is_not": relative.digest, "person": str(person_id)}
    journal.record(scope, MemoryEvent.Kind.ASSIGN, told)


def _kept_apart(scope: Scope, person_id: UUID) -> set[str]:
    """Digests of subjects."""
    own = MemoryEvent.objects.filter(user=scope.user_id, space=scope.space_id)
    told = own.filter(
        kind=MemoryEvent.Kind.ASSIGN, data__contains={"person": str(person_id)}
    )
    return set(told.values_list("data__is_not", flat=True))
