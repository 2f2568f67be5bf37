"""A person's page: what is noted, and what the viewer's memory has about them."""

import re

import pytest
from django.utils.html import strip_tags

from memory.models import Memory
from people.models import ProfileUpdate
from tests.factories import MemoryFactory, PersonFactory, SpaceFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


def remembered_on(client, path):
    """The texts of the facts of a page by their headings; None without the part."""
    page = client.get(path).text
    _notes, found, part = page.partition('class="remembered"')
    if not found:
        return None
    groups = {}
    for section in part.split("<h3")[1:]:
        name = strip_tags("<h3" + section.partition("</h3>")[0])
        texts = re.findall(r'class="fact-text" dir="auto">(.*?)</p>', section)
        groups[name] = texts
    return groups


@pytest.fixture
def facts(remembered, mia):
    about_mia = {"subject": "daughter Mia", "person": mia}
    remembered("Mia: she uses salbutamol", **about_mia)
    remembered("Mia is allergic to nuts", **about_mia)
    remembered("User takes ramipril 5 mg every morning")
    remembered("User sees the dentist on 3 March 2031")
    remembered("Mother has type 2 diabetes", subject="mother")
    remembered("Mother lives in Oslo", subject="mother")
    remembered("Neighbour has gout", subject="neighbour")
    remembered("She has asthma", subject="?")


def test_facts_stand_under_their_headings(anns, facts, mia):
    assert remembered_on(anns, f"/people/{mia.pk}") == {
        "Allergies": ["Mia is allergic to nuts"],
        "Medicines": ["Salbutamol"],
    }


@pytest.mark.parametrize("linked", [True, False])
def test_users_page_has_their_facts_and_what_their_family_has(
    anns, ann, home, facts, linked
):
    if linked:
        PersonFactory(space=home, user=ann, name="Ann Berg")
    page = anns.get("/people/you", follow=True)
    assert ("Ann Berg</h1>" in page.text) is linked
    assert ("Add yourself" in page.text) is not linked
    path = page.redirect_chain[-1][0] if linked else "/people/you"
    assert remembered_on(anns, path) == {
        "Medicines": ["Ramipril 5 mg, every morning"],
        "Appointments ahead": ["Sees the dentist on 3 March 2031"],
        "Family history": ["Mother has type 2 diabetes"],
    }


@pytest.fixture
def away(ann, bob):
    return SpaceFactory(members=[ann, bob], memory_page=True)


def test_other_members_read_the_notes_and_none_of_the_facts(bobs, facts, mia):
    page = bobs.get(f"/people/{mia.pk}").text
    assert "Montelukast" in page
    assert "salbutamol" not in page
    assert "ramipril" not in bobs.get("/people/you").text


def test_facts_of_other_members_and_of_other_spaces_are_not_shown(
    anns, ann, bob, away, mia
):
    twin = PersonFactory(space=away, name="Mia")
    for user, space, person, ill in (
        (ann, away, twin, "scabies"),
        (bob, mia.space, mia, "lice"),
    ):
        about = {"subject": "Mia", "person": person}
        MemoryFactory(user=user, space=space, content=f"Mia has {ill}", **about)
    page = anns.get(f"/people/{mia.pk}").text
    assert "scabies" not in page
    assert "lice" not in page
    assert anns.get(f"/people/{twin.pk}").status_code == 404


def test_no_facts_are_shown_where_the_memory_page_is_off(anns, home, facts, mia):
    home.memory_page = False
    home.save()
    for path in (f"/people/{mia.pk}", "/people/you", "/people"):
        assert remembered_on(anns, path) is None
        assert "salbutamol" not in anns.get(path).text
    fact = Memory.objects.get(content__contains="salbutamol")
    assert anns.get(f"/memory/{fact.pk}/note").status_code == 404


def test_page_without_facts_says_so(anns, mia):
    part = anns.get(f"/people/{mia.pk}").text.partition('class="remembered"')[2]
    assert "Nothing yet." in part
    assert f"/memory?about={mia.pk}" in part


def test_one_returns_to_the_person(anns, facts, mia):
    fact = Memory.objects.get(content__contains="salbutamol")
    back = f"/people/{mia.pk}"
    for path, form in (
        (f"/memory/{fact.pk}/edit", {"text": "She uses salbutamol 100"}),
        ("/memory/new", {"text": "Has a cat", "about": str(mia.pk)}),
    ):
        assert f'href="{back}" data-close' in anns.get(f"{path}?person={mia.pk}").text
        answer = anns.post(f"{path}?person={mia.pk}", form)
        assert answer.headers["Location"] == back
    assert "Has a cat" in remembered_on(anns, back)["Other"]
    key = Memory.objects.get(active=True, content__contains="cat").pk
    answer = anns.post(f"/memory/{key}/forget?person=you")
    assert answer.headers["Location"] == "/people/you"
    answer = anns.post("/memory/changes?person=nonsense", {})
    assert answer.headers["Location"] == "/memory"


class TestNote:
    def test_a_fact_is_added_to_the_fitting_notes(self, anns, ann, facts, mia):
        fact = Memory.objects.get(content__contains="salbutamol")
        page = anns.get(f"/memory/{fact.pk}/note?person={mia.pk}")
        assert "All members" in page.text
        form = page.context["form"].initial
        assert form == {"text": "She uses salbutamol", "field": "medications"}
        anns.post(f"/memory/{fact.pk}/note?person={mia.pk}", form)
        mia.refresh_from_db()
        assert mia.medications == "- Montelukast 5 mg\n- She uses salbutamol"
        update = ProfileUpdate.objects.get()
        assert (update.author, update.action) == (ann, "append")
        page = anns.get(f"/people/{mia.pk}").text
        assert "also in the notes" in page
        assert f"/memory/{fact.pk}/note" not in page

    def test_a_noted_line_is_not_noted_twice(self, anns, facts, mia):
        fact = Memory.objects.get(content__contains="salbutamol")
        form = {"text": "montelukast 5 mg", "field": "medications"}
        answer = anns.post(f"/memory/{fact.pk}/note", form, follow=True)
        assert "It is noted already" in answer.text
        assert not ProfileUpdate.objects.exists()

    def test_only_facts_of_the_viewer_about_people_here_are_noted(
        self, anns, bobs, ann, home, facts, mia
    ):
        form = {"text": "x", "field": "medications"}
        of_mia = Memory.objects.get(content__contains="salbutamol")
        assert bobs.post(f"/memory/{of_mia.pk}/note", form).status_code == 404
        elsewhere = PersonFactory(space=SpaceFactory(members=[ann]), name="Sam")
        for about in (
            {"subject": "mother"},
            {"subject": "?"},
            {"subject": ""},  # no person is Ann
            {"subject": "Sam", "person": elsewhere},
        ):
            fact = MemoryFactory(user=ann, space=home, **about)
            assert anns.post(f"/memory/{fact.pk}/note", form).status_code == 404
        assert not ProfileUpdate.objects.exists()
