"""Whom a memory is about, through /api/memories."""

import pytest

from memory.models import Memory
from people.person_list import delete_person
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    ProfileFactFactory,
)

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def mia(member):
    return PersonFactory(space=member.space, name="Mia")


def listed(ann, **query):
    rows = ann.send("GET", params=query)["memories"]
    return {row["text"]: row["subject"] for row in rows}


@pytest.mark.parametrize(
    ("named", "stored"),
    [
        ("", ""),
        ("me", ""),
        ("?", "?"),
        ("mother", "mother"),
        ("my mum", "mother"),
        ("daughter Mia", "daughter Mia"),
        ("Leo", "Leo"),
    ],
)
def test_named_subject_is_stored(ann, named, stored):
    ann.send("POST", json={"text": "Takes montelukast 5 mg", "subject": named})
    (shown,) = ann.send("GET")["memories"]
    assert shown["subject"] == stored


def test_person_of_the_space_is_the_subject_by_name(ann, mia):
    ann.add(memories=[{"text": "Has asthma", "subject": "Mia"}])
    assert Memory.objects.get().person == mia
    mia.name = "Amelia"
    mia.save()
    assert [*listed(ann).values()] == ["Amelia"]


def test_without_a_subject_the_words_decide(ann):
    ann.add("My mother takes ramipril 5 mg", "I take levothyroxine 75 mcg")
    assert set(listed(ann).values()) == {"mother", ""}


def test_list_and_search_are_narrowed_to_a_subject(ann, mia):
    ann.add(
        "My mother takes ramipril 5 mg",
        "I take levothyroxine 75 mcg",
        "Mia takes montelukast 5 mg",
    )
    for subject, text in (
        ("my mum", "My mother takes ramipril 5 mg"),
        ("Mia", "Mia takes montelukast 5 mg"),
        ("", "I take levothyroxine 75 mcg"),
    ):
        assert ann.texts(subject=subject) == [text]
        assert ann.found("takes medicine", subject=subject) == [text]
    assert ann.texts(subject="my father") == []
    assert ann.found("Which medicines?", subject="Leo") == []


def test_search_finds_the_one_fact_about_a_subject_among_many_others(ann, member, mia):
    owner = {"user": member.user, "space": member.space}
    for number in range(30):
        MemoryFactory(**owner, content=f"User takes medicine {number} every evening")
    theirs = MemoryFactory(
        **owner, content="Takes valproate every evening", subject="Mia", person=mia
    )
    found = ann.found("takes medicine every evening", subject="Mia", limit=1)
    assert found == [theirs.content]


def test_facts_about_a_deleted_person_are_found_by_name(ann, mia):
    ann.add(memories=[{"text": "Has asthma", "subject": "Mia"}])
    delete_person(mia)
    assert ann.texts(subject="Mia") == ann.found("asthma", subject="Mia")
    assert len(ann.texts(subject="Mia")) == 1


def test_older_facts_are_listed_as_unsure(ann, member):
    owner = {"user": member.user, "space": member.space}
    MemoryFactory(**owner, content="She takes montelukast", subject=None)
    assert listed(ann, subject="?") == {"She takes montelukast": None}


def test_correction_keeps_and_changes_the_subject(ann, mia):
    key = ann.tell("My mother takes ramipril 5 mg")
    fixed = ann.send("PATCH", f"/{key}", json={"text": "Takes ramipril 10 mg"})
    assert [*listed(ann).values()] == ["mother"]
    path = f"/{fixed['id']}"
    moved = ann.send("PATCH", path, json={"subject": "Mia"})
    assert (moved["action"], moved["id"]) == ("assign", fixed["id"])
    assert [*listed(ann).values()] == ["Mia"]
    ann.send("PATCH", path, json={"text": "Takes ramipril 2.5 mg", "subject": ""})
    assert listed(ann) == {"Takes ramipril 2.5 mg": ""}


def test_correction_without_text_and_subject_is_refused(ann):
    key = ann.tell("I take ramipril 5 mg")
    ann.send("PATCH", f"/{key}", 422, json={})


@pytest.mark.parametrize(
    "fact",
    [
        {"kind": "lore", "text": "We eat at seven"},
        {"kind": "profile", "key": "city", "value": "Oslo"},
    ],
)
def test_only_memories_have_a_subject(ann, fact):
    ann.send("POST", status=422, json={"memories": [fact | {"subject": "Mia"}]})


def test_facts_of_others_about_the_same_person_are_not_listed(ann, bob, mia):
    bob.add("Mia takes montelukast 5 mg")
    assert ann.texts(subject="Mia") == []
    assert ann.found("montelukast", subject="Mia") == []
    (theirs,) = Memory.objects.all()
    ann.send("PATCH", f"/{theirs.pk}", 404, json={"subject": ""})


def test_person_of_another_space_is_a_mere_name(ann, member):
    elsewhere = MembershipFactory(user=member.user)
    PersonFactory(space=elsewhere.space, name="Mia")
    ann.add(memories=[{"text": "Has asthma", "subject": "Mia"}])
    assert Memory.objects.get().person is None


def test_subject_with_control_characters_is_stored_without(ann):
    ann.add(memories=[{"text": "Has asthma", "subject": "Mia\x00\nLarsen"}])
    (subject,) = listed(ann).values()
    assert subject.isprintable()


@pytest.mark.parametrize("change", [{}, {"text": "Bergen"}])
def test_profile_is_always_about_the_user(ann, member, mia, change):
    owner = {"user": member.user, "space": member.space}
    city = ProfileFactFactory(**owner, key="city", value="Oslo")
    answer = ann.send("PATCH", f"/{city.pk}", 422, json={"subject": "Mia"} | change)
    assert answer["reason"] == "of_profile"
    city.refresh_from_db()
    assert (city.value, city.subject or "") == ("Oslo", "")
