"""Relatives become people, and two people who are one are joined."""

import re

import pytest
from django.urls import reverse

from memory.models import Memory
from people.models import Membership, Person
from tests.factories import MemoryFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views
ASTHMA = "My daughter Emma has asthma"


@pytest.fixture
def asthma(remembered):
    return remembered(ASTHMA, subject="daughter Emma")


@pytest.fixture
def emma(home):
    return PersonFactory(space=home, name="Emma", health_notes="Has a cat")


def show(client, person):
    return client.get(f"/people/{person.pk}").text


def answer(client, person, said, relative="daughter Emma"):
    address = reverse("memory_page:answer_relative", args=[person.pk])
    return client.post(address, {"relative": relative, "answer": said}, follow=True)


def undo(client, page):
    """Press the Undo of the note that a page shows."""
    (form,) = re.findall(r'<div class="told">.*?</form>', page, re.DOTALL)
    (address,) = re.findall(r'action="([^"]+)"', form)
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form)
    sent: dict[str, list[str]] = {}
    for name, value in fields:
        sent.setdefault(name, []).append(value)
    return client.post(address.replace("&amp;", "&"), sent, follow=True).text


def test_adding_a_person_asks_whether_a_relative_is_meant(anns, asthma):
    page = anns.post("/people/new", {"name": "Emma", "sex": ""}, follow=True).text
    assert "<bdi>Your daughter Emma</bdi>: you told Meddie 1 thing." in page
    person = Person.objects.get(name="Emma")
    page = answer(anns, person, "yes").text
    assert "Your daughter Emma" not in page
    assert "1 thing moved:" in page
    asthma.refresh_from_db()
    assert asthma.person == person
    undo(anns, page)
    asthma.refresh_from_db()
    assert (asthma.person, asthma.subject) == (None, "daughter Emma")


def test_no_leaves_them_apart_and_is_not_asked_again(anns, asthma, emma):
    answer(anns, emma, "no")
    assert "you told Meddie 1 thing" not in show(anns, emma)
    asthma.refresh_from_db()
    assert asthma.person is None


@pytest.mark.parametrize("relative", ["mother", "", "?", "daughter Mia"])
def test_only_a_relative_who_may_be_the_person_can_be_joined(
    anns, asthma, emma, relative
):
    assert answer(anns, emma, "yes", relative).status_code == 404


def test_others_are_not_asked_about_anns_daughter(bobs, asthma, emma):
    assert "daughter" not in show(bobs, emma)
    assert answer(bobs, emma, "yes").status_code == 404


def test_named_relative_becomes_a_person_with_one_tap(anns, asthma):
    assert "Add to people" in anns.get("/memory").text
    form = {"about": "named:daughter Emma"}
    page = anns.post("/memory/person", form, follow=True).text
    assert "Emma is one of the people of this household now." in page
    asthma.refresh_from_db()
    assert (asthma.person.name, asthma.person.sex) == ("Emma", "female")
    assert asthma.about.relation == "daughter"


def test_all_facts_of_a_relative_move_back(anns, ann, home, emma):
    facts = [
        MemoryFactory(
            user=ann, space=home, content=f"Emma has toy {n}", subject="daughter Emma"
        )
        for n in range(210)
    ]
    page = answer(anns, emma, "yes").text
    assert Memory.objects.filter(person=emma).count() == len(facts)
    undo(anns, page)
    assert not Memory.objects.filter(person=emma).exists()


UNKNOWN = ["named:Nobody", "named:" + 300 * "x", "named:a\x00b"]


@pytest.mark.parametrize("about", ["named:mother", "you", "unsure", "x", "", *UNKNOWN])
def test_only_a_known_name_becomes_a_person(anns, asthma, about):
    assert anns.post("/memory/person", {"about": about}).status_code == 404
    assert not Person.objects.filter(space=asthma.space).exists()


class TestJoining:
    @pytest.fixture
    def again(self, home, asthma, remembered, bob):
        """Emma, added twice; Ann and Bob told about the second one."""
        again = PersonFactory(space=home, name="Emma L", medications="Montelukast")
        asthma.person = again
        asthma.save()
        remembered("Emma likes tea", user=bob, subject="Emma", person=again)
        return again

    @pytest.fixture
    def joined(self, anns, emma, again):
        address = reverse("memory_page:join_people", args=[emma.pk])
        return anns.post(address, {"same": str(again.pk)}, follow=True).text

    def test_notes_and_own_facts_move(self, joined, emma, again, asthma):
        emma.refresh_from_db()
        again.refresh_from_db()
        asthma.refresh_from_db()
        assert asthma.person == emma
        assert (emma.health_notes, again.deleted_at is None) == ("Has a cat", False)
        assert "Montelukast" in emma.medications

    def test_facts_of_others_stay_where_they_are(self, joined, again, bob):
        theirs = bob.memories.get()
        assert theirs.person == again
        assert "likes tea" not in joined

    def test_all_of_it_is_undone(self, anns, joined, emma, again, asthma):
        undo(anns, joined)
        emma.refresh_from_db()
        again.refresh_from_db()
        asthma.refresh_from_db()
        assert asthma.person == again
        assert (emma.medications, again.deleted_at) == ("", None)

    def test_only_admins_join_people(self, bobs, bob, emma, again):
        Membership.objects.filter(user=bob).update(role=Membership.Role.MEMBER)
        assert "Is the same person as" not in show(bobs, emma)
        address = reverse("memory_page:join_people", args=[emma.pk])
        assert bobs.post(address, {"same": str(again.pk)}).status_code == 404

    def test_person_with_an_account_is_not_joined_away(self, anns, emma, home, bob):
        theirs = PersonFactory(space=home, name="Bob", user=bob)
        address = reverse("memory_page:join_people", args=[emma.pk])
        for same in (theirs.pk, emma.pk, "x"):
            assert anns.post(address, {"same": str(same)}).status_code == 404
        assert Membership.objects.filter(user=bob).exists()
