"""Facts are moved to whom they are about."""

import pytest
from django.utils import timezone

from memory import service
from memory.models import Memory, MemoryEvent, MemoryPolicy, ProfileFact
from memory.subjects import NO_HOUSEHOLD, UNSURE, USER, Subject
from memory.values import Candidate, LoreCandidate, ProfileCandidate
from memory.wording.same_fact import content_hash
from people.scope import scope_for
from tests.factories import MemoryFactory, PersonFactory
from tests.memory.conftest import remember_profile, said

pytestmark = pytest.mark.django_db
SPRAY = "She uses salbutamol"
MOTHER = Subject("mother")


@pytest.fixture
def fact(ann, home):
    return MemoryFactory(user=ann, space=home, content=SPRAY, subject="?")


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia")


def about(row):
    row.refresh_from_db()
    return row.about


def test_moved_facts_are_about_the_person_and_can_be_moved_back(scope, fact, mia):
    daughter = Subject("daughter", "Mia", mia.pk)
    moved = service.assign(scope, [fact.pk], daughter)
    assert (moved, about(fact)) == ({fact.pk: UNSURE}, daughter)
    (event,) = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.ASSIGN)
    assert [made["fact"] for made in event.data["decisions"]] == [str(fact.pk)]
    assert service.assign(scope, moved, moved[fact.pk]) == {fact.pk: daughter}
    assert about(fact) == UNSURE


def test_sentence_names_whom_it_is_about_now_and_not_whom_it_was(scope, fact, mia):
    leo = Subject("", "Leo")
    for subject, text in (
        (Subject("daughter", "Mia", mia.pk), "Mia: she uses salbutamol"),
        (leo, "Leo: she uses salbutamol"),
        (USER, SPRAY),
        (UNSURE, SPRAY),
    ):
        service.assign(scope, [fact.pk], subject)
        fact.refresh_from_db()
        assert (fact.content, fact.content_hash) == (text, content_hash(text))
    (found,) = service.search(scope, SPRAY)
    assert found.memory_id == fact.pk


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("User takes ramipril", "Mia: Takes ramipril"),
        ("I take ramipril", "Mia: Take ramipril"),
        ("My knee hurts", "Mia: Knee hurts"),
        ("Mia takes ramipril", "Mia takes ramipril"),
    ],
)
def test_user_is_not_named_in_what_is_about_another(scope, ann, home, mia, text, moved):
    fact = MemoryFactory(user=ann, space=home, content=text)
    service.assign(scope, [fact.pk], Subject("", "Mia", mia.pk))
    fact.refresh_from_db()
    assert fact.content == moved


def test_equal_fact_takes_the_place_of_a_moved_one_until_it_moves_back(
    scope, ann, home, fact
):
    """Of two that move at once one remains as well."""
    twin = MemoryFactory(
        user=ann, space=home, content="Leo: she uses salbutamol", subject="?"
    )
    leo = Subject("", "Leo")
    assert service.assign(scope, [fact.pk, twin.pk], leo).keys() == {fact.pk, twin.pk}
    fact.refresh_from_db()
    assert (fact.retired_reason, about(twin)) == ("superseded", leo)
    assert list(Memory.objects.visible_to(scope).active()) == [twin]
    service.assign(scope, [fact.pk], UNSURE)
    fact.refresh_from_db()
    assert (fact.active, fact.content) == (True, SPRAY)


def test_forgotten_text_does_not_come_back_by_a_move(scope, ann, home, fact):
    twin = MemoryFactory(user=ann, space=home, content="Leo: she uses salbutamol")
    service.forget(scope, [twin.pk])
    service.assign(scope, [fact.pk], Subject("", "Leo"))
    fact.refresh_from_db()
    assert (fact.content, fact.active) == (SPRAY, True)


def test_a_fact_that_is_about_them_already_does_not_move(scope, fact):
    service.assign(scope, [fact.pk], MOTHER)
    assert service.assign(scope, [fact.pk], MOTHER) == {}
    assert MemoryEvent.objects.filter(kind=MemoryEvent.Kind.ASSIGN).count() == 1


def test_sentences_alone_move_with_their_earlier_versions(scope, tell, policy):
    weights = ("User weighs 80 kg", "User weighs 78 kg")
    (first,) = tell(weights[0])
    (second,) = tell(Candidate(weights[1], supersedes=first.memory_id))
    remember_profile(scope, [ProfileCandidate("identity", "city", "Sopot")], said())
    remember_profile(scope, [ProfileCandidate("identity", "city", "Gdynia")], said())
    city = ProfileFact.objects.get(active=True)
    line = LoreCandidate("The gym opens at 7")
    (lore,) = service.remember(
        scope, service.prepare_facts([line], NO_HOUSEHOLD), said()
    )
    keys = [second.memory_id, city.pk, lore.memory_id]
    assert service.assign(scope, keys, MOTHER).keys() == {second.memory_id}
    sentences = Memory.objects.filter(content__contains="kg")
    assert [fact.about for fact in sentences] == [MOTHER] * 2
    assert {fact.about for fact in ProfileFact.objects.all()} == {USER}
    assert Memory.objects.get(pk=lore.memory_id).about_if_read != MOTHER


@pytest.fixture
def policy(home):
    return MemoryPolicy.objects.create(space=home, lore=True)


def test_own_person_is_the_user_and_others_are_names(scope, ann, home, office, fact):
    own = PersonFactory(space=home, user=ann, name="Ann")
    service.assign(scope, [fact.pk], Subject("", "Ann", own.pk))
    assert about(fact) == USER
    elsewhere = PersonFactory(space=office, name="Leo")
    gone = PersonFactory(space=home, name="Leo", deleted_at=timezone.now())
    for leo in (elsewhere, gone):
        service.assign(scope, [fact.pk], Subject("", "Leo", leo.pk))
        assert about(fact) == Subject("", "Leo")


def test_facts_of_other_scopes_and_forgotten_ones_stay(
    scope, ann, bob, home, office, fact
):
    of_others = [
        MemoryFactory(user=bob, space=home, content=SPRAY, subject="?"),
        MemoryFactory(user=ann, space=office, content=SPRAY, subject="?"),
    ]
    service.forget(scope, [fact.pk])
    rows = [fact, *of_others]
    assert service.assign(scope, [row.pk for row in rows], MOTHER) == {}
    assert [about(row) for row in rows] == [UNSURE] * 3
    theirs = scope_for(bob, home.pk, channel="web")
    assert service.assign(theirs, [row.pk for row in rows], MOTHER).keys() == {
        of_others[0].pk
    }
