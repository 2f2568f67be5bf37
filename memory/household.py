"""Whom a user's facts may be about, read from the database."""

from collections import defaultdict
from dataclasses import replace
from uuid import UUID

from django.db.models import F, Value

from memory.models import Memory
from memory.subjects import NOBODY, UNSURE_TEXT, Household, Subject
from people.models import Person
from people.scope import Scope


def household(scope: Scope, person_id: UUID | None = None) -> Household:
    """The people of the space and those whom facts name, in one statement.

    `person_id` is that of the person whom a conversation is about.
    """
    if scope.user_id is None:
        return NOBODY
    people = Person.objects.filter(space_id=scope.space_id, deleted_at=None)
    named = Memory.objects.visible_to(scope).active()
    told = named.exclude(subject__in=["", UNSURE_TEXT]).exclude(subject=None)
    rows = (
        people.order_by()
        .annotate(who=F("name"), is_person=Value(value=True))
        .values_list("pk", "user_id", "who", "is_person")
        .union(
            told.order_by()
            .annotate(whose=F("person__user_id"), is_person=Value(value=False))
            .values_list("person_id", "whose", "subject", "is_person")
        )
    )
    names: dict[UUID, str] = {}
    own: set[UUID] = set()
    relatives: list[Subject] = []
    relations: dict[UUID | None, str] = defaultdict(str)
    for key, user_id, text, is_person in rows:
        if is_person:
            names[key] = text
            if user_id == scope.user_id:
                own.add(key)
        else:
            subject = Subject.read(text, key)
            relatives.append(subject)
            relations[key] = relations[key] or subject.relation
    found = Household(
        [Subject(relations[key], name, key) for key, name in sorted(names.items())],
        sorted(
            (
                replace(subject, person_id=None)  # also those of deleted people
                for subject in relatives
                if subject.person_id not in names
            ),
            key=lambda subject: subject.text,
        ),
        frozenset(own),
    )
    return found.with_about(person_id)
