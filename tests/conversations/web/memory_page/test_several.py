"""Several facts of the memory page are changed at once, and all of it is undone."""

import re

import pytest

from memory.models import Memory
from tests.conversations.web.memory_page.listing import FACT, SHOWN, groups
from tests.factories import (
    MemoryFactory,
    PersonFactory,
    ProfileFactFactory,
    SpaceFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views
UNSURE = ("She takes montelukast", "She has asthma")


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia")


@pytest.fixture
def unsure(remembered):
    return [remembered(text, subject="?") for text in UNSURE]


def post(client, **form):
    return client.post("/memory/changes", form, follow=True)


def undo(client, page):
    """Press the Undo of the note that a page shows."""
    note = re.search(r'<div class="told">.*?</form>', page.text, re.DOTALL)[0]
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', note)
    form = {}
    for name, value in fields:
        form.setdefault(name, []).append(value)
    return client.post(re.search(r'action="([^"]*)"', note)[1], form, follow=True)


def test_moved_facts_are_moved_back_by_one_undo(anns, mia, unsure, fact):
    keys = [row.pk for row in (*unsure, fact)]
    page = post(anns, action="move", key=keys, about=str(mia.pk))
    assert "3 things moved:" in page.text
    assert groups(anns) == {"Mia": [SHOWN, *reversed(UNSURE)]}
    assert "The change has been undone." in undo(anns, page).text
    assert groups(anns) == {"About whom?": [*reversed(UNSURE)], "You": [SHOWN]}


def test_undo_of_another_member_moves_nothing(anns, bobs, mia, unsure):
    page = post(anns, action="move", key=[unsure[0].pk], about=str(mia.pk))
    assert undo(bobs, page).status_code == 404
    assert groups(anns)["Mia"] == [UNSURE[0]]


def test_undo_brings_back_a_name_of_whom_nothing_else_is_known(anns, mia, remembered):
    fact = remembered("Emma has asthma", subject="Emma")
    page = post(anns, action="move", key=[fact.pk], about=str(mia.pk))
    assert "The change has been undone." in undo(anns, page).text
    fact.refresh_from_db()
    assert (fact.subject, fact.person) == ("Emma", None)


def test_forgotten_facts_are_back_by_one_undo(anns, unsure, fact):
    page = post(anns, action="forget", key=[unsure[0].pk, fact.pk])
    assert "2 things forgotten." in page.text
    assert groups(anns) == {"About whom?": [UNSURE[1]]}
    assert "The change has been undone." in undo(anns, page).text
    assert groups(anns)["You"] == [SHOWN]


@pytest.mark.parametrize(
    ("form", "group"),
    [
        ({"about": "you"}, "You"),
        ({"about": "named:mother"}, "Your mother"),
        ({"name": "my mother"}, "Your mother"),
        ({"name": "Mia"}, "Mia"),
        ({"name": "Leo"}, "Leo"),
    ],
)
def test_one_says_whom_an_unsure_fact_is_about(
    anns, mia, unsure, remembered, form, group
):
    remembered("Mother has diabetes", subject="mother")
    page = anns.get("/memory").text
    assert page.index("About whom?") < page.index("Your mother</h2>")
    post(anns, key=[unsure[0].pk], **form)
    assert UNSURE[0] in groups(anns)[group]


@pytest.mark.parametrize(
    "form", [{}, {"about": ""}, {"about": "x"}, {"about": "other"}, {"name": " "}]
)
def test_without_a_choice_nothing_moves(anns, unsure, form):
    assert "Choose whom it is about." in post(anns, key=[unsure[0].pk], **form).text
    assert list(groups(anns)) == ["About whom?"]


def test_without_a_selection_nothing_happens(anns, fact):
    assert "Nothing was selected." in post(anns, action="forget").text
    assert groups(anns) == {"You": [SHOWN]}


def test_selection_is_offered_on_its_page(anns, fact):
    page = anns.get("/memory?select=1&about=you").text
    assert f'name="key" value="{fact.pk}"' in page
    assert "selection-bar" in page
    assert "selection-bar" not in anns.get("/memory").text


def test_facts_and_people_of_others_are_out_of_reach(anns, bobs, ann, bob, home):
    """Of another member, of another space, and a person elsewhere."""
    away = SpaceFactory(members=[ann, bob], memory_page=True)
    secret = PersonFactory(space=away, name="Secret Sam")
    rows = [
        MemoryFactory(user=ann, space=home, content=FACT, subject="?"),
        MemoryFactory(user=bob, space=away, content=FACT, subject="?"),
    ]
    keys = [row.pk for row in rows]
    before = list(Memory.objects.order_by("pk").values())
    for form in ({"action": "forget"}, {"about": "you"}, {"name": "mother"}):
        post(bobs, key=keys, **form)
    for moved in (f"{keys[0]} you", "named:a\x00b", "x" * 300, ""):
        form = {"moved": moved}
        assert bobs.post("/memory/changes/undo", form).status_code == 404
    assert list(Memory.objects.order_by("pk").values()) == before
    page = post(anns, key=[keys[0]], about=str(secret.pk))
    assert "Choose whom it is about." in page.text
    assert "Secret Sam" not in page.text
    assert anns.post("/memory/changes", {"key": ["x"]}).status_code == 404


def test_a_profile_fact_does_not_move(anns, ann, home, mia):
    fact = ProfileFactFactory(user=ann, space=home, key="name", value="Ann")
    assert "always about you" in anns.get("/memory?select=1").text
    page = post(anns, action="move", key=[fact.pk], about=str(mia.pk))
    assert "Nothing was moved." in page.text
    assert list(groups(anns)) == ["You"]
