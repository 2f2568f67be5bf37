"""Facts from before there were subjects are read for whom they are about."""

import pytest

from memory import service
from memory.facts import older
from memory.models import Memory, MemoryEvent, MemoryPolicy, ProfileFact
from memory.subjects import Subject
from tests.conversations import transcripts
from tests.factories import MemoryFactory, PersonFactory, ProfileFactFactory
from tests.memory.conftest import remember_lines, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def older_fact(ann, home):
    def older_fact(text, **values):
        owner = {"user": ann, "space": home}
        return MemoryFactory(**(owner | {"subject": None, "content": text} | values))

    return older_fact


def subjects():
    return dict(Memory.objects.values_list("content", "subject"))


def test_words_decide_whom_older_facts_are_about(older_fact, ann, home):
    PersonFactory(space=home, name="Leo")
    told = {
        "I take levothyroxine 75 mcg": "",
        "My mother takes ramipril": "mother",
        "My daughter Emma has asthma": "daughter Emma",
        "Leo is allergic to peanuts": "Leo",
        "She takes montelukast": "?",
    }
    for text in told:
        older_fact(text)
    ProfileFactFactory(user=ann, space=home, subject=None)
    assert older.read_older_subjects() == 6
    assert sorted(subjects().items()) == sorted(told.items())
    assert Memory.objects.get(subject="Leo").person.name == "Leo"
    assert ProfileFact.objects.get().subject == ""
    assert older.read_older_subjects() == 0


def test_conversation_of_its_message_decides_where_words_do_not(older_fact, ann, home):
    mia = PersonFactory(space=home, name="Mia")
    talk = transcripts.start_conversation(ann, home, person=mia)
    text = "She takes montelukast"
    reply = transcripts.exchange(talk, text, "Thank you.")
    fact = older_fact(text, source_message=reply.answers)
    older.read_older_subjects()
    fact.refresh_from_db()
    assert (fact.person, fact.content) == (mia, "Mia: she takes montelukast")


def test_long_lists_are_read_in_batches(older_fact, monkeypatch):
    monkeypatch.setattr(older, "BATCH", 2)
    for number in range(5):
        older_fact(f"My mother has {number} cats")
    older.read_older_subjects()
    assert set(subjects().values()) == {"mother"}
    assert MemoryEvent.objects.filter(kind="memory_assign").count() == 3


def test_forgotten_facts_lore_and_read_ones_stay(older_fact, scope, home):
    service.forget(scope, [older_fact("My mother has asthma").pk])
    older_fact("Mother has a cat", subject="?")
    MemoryPolicy.objects.create(space=home, lore=True)
    remember_lines(scope, ["We eat at seven"], said(origin="lore"))
    assert older.read_older_subjects() == 0
    assert set(subjects().values()) == {None, "?"}


def test_user_is_told_once_and_can_take_it_back(older_fact, scope):
    fact, own = older_fact("My mother has asthma"), older_fact("I have asthma")
    older.read_older_subjects()
    assert set(service.older_read(scope)) == {fact.pk, own.pk}
    assert service.settle_older(scope, undo=True) == 2
    assert set(subjects().values()) == {"?"}
    assert service.older_read(scope) == []
    assert older.read_older_subjects() == 0


def test_facts_that_the_user_has_seen_are_not_told_again(older_fact, scope):
    older_fact("My mother has asthma")
    older.read_older_subjects()
    assert service.settle_older(scope, undo=False) == 0
    assert service.older_read(scope) == []
    assert subjects() == {"My mother has asthma": "mother"}


def test_others_are_neither_told_nor_changed(older_fact, scope, others, bob, home):
    theirs = older_fact("My mother has asthma", user=bob)
    older.read_older_subjects()
    assert service.older_read(scope) == []
    service.settle_older(scope, undo=True)
    theirs.refresh_from_db()
    assert theirs.about == Subject("mother")


def test_answer_given_meanwhile_is_kept(older_fact, scope, monkeypatch):
    fact = older_fact("My mother has asthma")
    find = older.household

    def answered_meanwhile(scope):
        service.assign(scope, [fact.pk], Subject("aunt"))
        return find(scope)

    monkeypatch.setattr(older, "household", answered_meanwhile)
    older.read_older_subjects()
    assert subjects() == {"aunt: My mother has asthma": "aunt"}
    assert service.older_read(scope) == []


def test_undo_leaves_what_the_user_said_since(older_fact, scope, home):
    said, other = older_fact("My mother has asthma"), older_fact("I have hay fever")
    older.read_older_subjects()
    mia = PersonFactory(space=home, name="Mia")
    service.assign(scope, [said.pk], Subject("", "Mia", mia.pk))
    assert service.settle_older(scope, undo=True) == 1
    said.refresh_from_db()
    other.refresh_from_db()
    assert (said.person, other.subject) == (mia, "?")
