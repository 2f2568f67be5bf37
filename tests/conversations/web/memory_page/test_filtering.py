"""The list of the memory page by person and by kind."""

import pytest

from tests.conversations.web.memory_page.listing import FACT, SHOWN
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views
MEDICINE = "User takes ramipril 5 mg every morning"
APPOINTMENT = "User sees the dentist on 3 March 2031"


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia")


@pytest.fixture
def listed(anns):
    def listed(**asked):
        listing = anns.get("/memory", asked).context["listing"]
        return {
            group.name: [entry.text for entry in group.entries]
            for group in listing.groups
        }

    return listed


@pytest.fixture
def facts(remembered, mia):
    remembered(FACT)
    remembered(MEDICINE)
    remembered(APPOINTMENT)
    remembered("Mia is allergic to nuts", subject="Mia", person=mia)
    remembered("She has asthma", subject="?")


def test_one_person_is_chosen(listed, facts, mia):
    assert listed(about=str(mia.pk)) == {"Mia": ["Mia is allergic to nuts"]}
    assert list(listed(about="you")) == ["You"]
    assert listed(about="unsure") == {"About whom?": ["She has asthma"]}
    assert listed(about="named:mother") == {}


def test_filter_offers_those_with_facts(anns, facts, home):
    PersonFactory(space=home, name="Ola")
    abouts = anns.get("/memory", {"about": "you"}).context["listing"].abouts
    assert [about.label for about in abouts] == ["Not sure", "You", "Mia"]


def test_one_kind_is_chosen(listed, facts):
    assert listed(kind="allergy") == {
        "You": [SHOWN],
        "Mia": ["Mia is allergic to nuts"],
    }
    assert listed(kind="medicine", about="you") == {
        "You": ["Takes ramipril 5 mg every morning"]
    }
    assert listed(kind="ahead") == {"You": ["Sees the dentist on 3 March 2031"]}


def test_kinds_are_headings_with_whose_each_fact_is(anns, listed, facts):
    shown = listed(sort="kind")
    assert list(shown) == [
        *("About whom?", "Allergies", "Medicines", "Appointments ahead"),
    ]
    assert shown["Allergies"] == ["Mia is allergic to nuts", SHOWN]
    assert '<span dir="auto">Mia</span>' in anns.get("/memory?sort=kind").text


def test_unknown_filters_are_harmless(anns, facts):
    answer = anns.get("/memory?kind=nonsense&sort=x&page=y&about=x")
    assert answer.status_code == 200


def test_pages_keep_the_filter(anns, remembered):
    for number in range(51):
        remembered(f"User has book {number}")
    assert "page=2&amp;about=you" in anns.get("/memory?about=you").text
