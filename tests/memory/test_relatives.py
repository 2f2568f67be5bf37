"""Relatives of whom a user told become people of the space."""

import pytest
from django.utils import timezone

from memory import service
from memory.household import household
from memory.models import Memory, MemoryEvent
from memory.subjects import Subject
from memory.wording.subjects import subject_of
from people.models import Person
from people.person_list import delete_person, restore_person
from tests.factories import MemoryFactory, PersonFactory

pytestmark = pytest.mark.django_db
DAUGHTER = Subject("daughter", "Mia")


@pytest.fixture
def told(ann, home):
    def told(subject, text="Has asthma", **values):
        owner = {"user": ann, "space": home}
        fact = {"content": f"{subject}: {text}", "subject": subject}
        return MemoryFactory(**(owner | fact | values))

    return told


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia Larsen", sex="female")


def like(scope, person):
    return [r.subject.text for r in service.relatives_like(scope, person)]


@pytest.mark.parametrize(
    ("relative", "person", "fits"),
    [
        ("daughter Mia", ("Mia Larsen", "female"), True),
        ("daughter Mia", ("Mia", ""), True),
        ("Mia", ("Mia Larsen", ""), True),
        ("daughter", ("Mia", "female"), True),
        ("daughter", ("Mia", ""), False),
        ("daughter Mia", ("Mia", "male"), False),
        ("son", ("Mia", "female"), False),
        ("daughter Lea", ("Mia", "female"), False),
        ("friend", ("Mia", "female"), False),
    ],
)
def test_relatives_with_the_name_or_the_sex_may_be_a_person(
    scope, told, home, relative, person, fits
):
    told(relative)
    name, sex = person
    added = PersonFactory(space=home, name=name, sex=sex)
    assert like(scope, added) == ([relative] if fits else [])


def test_person_whose_relation_is_known_is_no_other_relative(scope, told, mia):
    told("daughter Mia", person=mia)
    told("mother")
    assert like(scope, mia) == []


def test_facts_move_to_the_person_and_back(scope, told, mia):
    fact = told("daughter Mia")
    moved = service.join_relative(scope, DAUGHTER, mia)
    fact.refresh_from_db()
    assert (fact.person, fact.about.relation) == (mia, "daughter")
    assert like(scope, mia) == []
    service.assign(scope, moved, moved[fact.pk])
    assert like(scope, mia) == ["daughter Mia"]


def test_one_who_is_kept_apart_is_not_asked_again(scope, told, mia, home):
    told("daughter Mia")
    service.keep_apart(scope, DAUGHTER, mia.pk)
    assert like(scope, mia) == []
    other = PersonFactory(space=home, name="Mia", sex="female")
    assert like(scope, other) == ["daughter Mia"]


def test_answer_that_one_is_kept_apart_has_no_name(scope, told, mia):
    told("daughter Mia")
    service.keep_apart(scope, DAUGHTER, mia.pk)
    assert "Mia" not in str(MemoryEvent.objects.get().data)


def test_two_people_with_one_first_name_stay_apart(scope, mia, home):
    PersonFactory(space=home, name="Mia Berg")
    known = household(scope)
    assert subject_of("Mia has asthma", known).unsure


def test_renamed_person_keeps_the_facts(scope, told, mia):
    fact = told("daughter Mia", person=mia)
    Person.objects.update(name="Amelia")
    assert household(scope).people == [Subject("daughter", "Amelia", mia.pk)]
    fact.refresh_from_db()
    assert (fact.subject, fact.person) == ("daughter Mia", mia)


def test_deleted_person_is_a_name_and_a_restored_one_has_the_facts(scope, told, mia):
    told("daughter Mia", person=mia)
    delete_person(mia)
    assert household(scope).relatives == [DAUGHTER]
    restore_person(mia)
    assert household(scope).people == [Subject("daughter", "Mia Larsen", mia.pk)]


def test_erased_person_leaves_the_name(scope, told, mia):
    fact = told("daughter Mia", person=mia)
    Person.objects.filter(pk=mia.pk).update(deleted_at=timezone.now())
    Person.objects.deleted().erase()
    fact.refresh_from_db()
    assert (fact.subject, fact.person) == ("daughter Mia", None)


def test_facts_of_two_people_who_are_one_are_joined(scope, told, mia, home):
    again = PersonFactory(space=home, name="Mia")
    fact = told("daughter Mia", person=again)
    moved = service.join_person(scope, again, mia)
    fact.refresh_from_db()
    assert fact.about == Subject("daughter", "Mia Larsen", mia.pk)
    assert moved == {fact.pk: Subject("daughter", "Mia", again.pk)}


def test_facts_of_others_are_neither_offered_nor_moved(scope, told, mia, bob, home):
    theirs = told("daughter Mia", user=bob)
    again = PersonFactory(space=home, name="Mia")
    linked = told("Mia", user=bob, person=again)
    assert like(scope, mia) == []
    assert service.join_relative(scope, DAUGHTER, mia) == {}
    assert service.join_person(scope, again, mia) == {}
    for fact in (theirs, linked):
        before = (fact.subject, fact.person)
        fact.refresh_from_db()
        assert (fact.subject, fact.person) == before


def test_own_person_is_no_relative(scope, told, ann, home):
    told("daughter Mia")
    own = PersonFactory(space=home, name="Mia", sex="female", user=ann)
    assert like(scope, own) == []
    assert Memory.objects.get().subject == "daughter Mia"
