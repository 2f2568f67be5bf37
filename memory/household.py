"""Whom a user's facts may be about, read from the database."""

from collections import defaultdict
from dataclasses import replace
from uuid import UUID

from django.db.models import F, Q, Value

from meddie.text import one_line
from memory.models import Fact, Memory
from memory.subjects import NO_HOUSEHOLD, UNSURE_TEXT, Household, Subject
from memory.wording.person_words import HONORIFICS, POSSESSIVES
from memory.wording.subjects import asked_about
from memory.wording.words import RELATIONS, content_tokens, plain
from people.models import Person
from people.scope import Scope

# Of facts: about those who are no Person, or a deleted one.
ONLY_NAMED = Q(person=None) | Q(person__deleted_at__isnull=False)
MOST_WORDS = 8  # of an answer that names a person and no more


def household(scope: Scope, person_id: UUID | None = None) -> Household:
    """The people of the space and those whom facts name, in one statement.

    `person_id` is that of the person whom a conversation is about.
    """
    if scope.user_id is None:
        return NO_HOUSEHOLD
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
        [
            Subject(relations[key] or _relation_in(name), name, key)
            for key, name in sorted(names.items())
        ],
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


def _relation_in(name: str) -> str:
    """Of "Grandma Helena"."""
    first, _, rest = plain(name).partition(" ")
    is_kin = rest and first not in HONORIFICS  # "Frau Petersen"
    return RELATIONS.get(first, "") if is_kin else ""


def household_for(scope: Scope, about: Subject) -> Household:
    """For a correction, which is about the same one unless it names another."""
    known = household(scope)
    return known if about.unsure else replace(known, about=about)


def named_subject(text: str, known: Household) -> Subject:
    """Whom a door names: "" the user, "?", "daughter Mia", "my mother", "Leo"."""
    said = Subject.read(one_line(text))
    if said.is_user or said.unsure or said.relation:
        return known.resolved(said)
    return asked_about(said.text, replace(known, about=None)) or known.resolved(said)


def named_alone(text: str, known: Household) -> Subject | None:
    """Whom a message names that says nothing else, as in "Mia" or "about my mother"."""
    words = set(map(plain, content_tokens(text)))
    if "?" in text or len(words) > MOST_WORDS:
        return None
    found = asked_about(text, replace(known, about=None))
    if found is None or found.unsure:
        return None
    name = set(map(plain, found.name.split()))
    others = words - {*RELATIONS, *POSSESSIVES} | words & name
    return found if len(others) <= len(name) else None


def told_subject(fact: Fact) -> str | None:
    """As doors name it, a Person by today's name; needs the row's `person`."""
    if fact.subject is None or fact.person is None or fact.person.deleted_at:
        return fact.subject
    return replace(fact.about, name=fact.person.name).text


def facts_about(scope: Scope, subject: Subject) -> Q:
    """Unsure: also those not read yet."""
    if subject.unsure:
        return Q(subject=UNSURE_TEXT) | Q(subject=None)
    if subject.is_user:
        return Q(subject="")
    seen = Memory.objects.visible_to(scope).exclude(subject=None)
    pairs = seen.order_by().values_list("subject", "person_id").distinct()
    texts = {text for text, key in pairs if Subject.read(text, key).is_same(subject)}
    found = Q(subject__in=texts) & ONLY_NAMED
    return found | Q(person_id=subject.person_id) if subject.person_id else found
