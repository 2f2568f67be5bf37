"""Medicines on the page of a person, and what waits for an answer there."""

import re

import pytest

from memory.models import Memory
from tests.factories import MemoryFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


@pytest.fixture
def me(ann, home):
    return PersonFactory(space=home, user=ann, name="Ann")


@pytest.fixture
def doses(ann, home):
    """Three doses of one medicine, each of which may replace the one before."""
    rows = []
    for text in (
        "I take 50 micrograms of levothyroxine",
        "I take 75 micrograms of levothyroxine every morning",
        "My doctor put the levothyroxine up to 88 micrograms",
    ):
        before = rows[-1] if rows else None
        rows.append(
            MemoryFactory(user=ann, space=home, content=text, may_replace=before)
        )
    return rows


def lines_on(page):
    texts = re.findall(r'class="fact-text" dir="auto">(.*?)</p>', page)
    return [text for text in texts if text.startswith("Levothyroxine")]


def test_unanswered_question_waits_on_both_pages_and_no_dose_is_settled(
    anns, me, doses
):
    page = anns.get(f"/people/{me.pk}").text
    (line,) = lines_on(page)
    assert line.startswith("Levothyroxine 88 micrograms, since ")
    assert line.endswith("; not settled, perhaps still: 75 micrograms, 50 micrograms")
    for text in (page, anns.get("/memory").text):
        assert f'action="/memory/{doses[2].pk}/settle' in text
        assert "Keep both" in text


def test_replacing_one_of_three_doses_leaves_the_new_one_as_current(anns, me, doses):
    anns.post(f"/memory/{doses[2].pk}/settle", {"answer": "replace"})
    assert [fact.content for fact in Memory.objects.active()] == [doses[2].content]
    (line,) = lines_on(anns.get(f"/people/{me.pk}").text)
    assert "not settled" not in line
    assert "; before: 75 micrograms until " in line
    assert ", 50 micrograms until " in line


def test_keeping_both_settles_the_question(anns, me, doses):
    anns.post(f"/memory/{doses[2].pk}/settle", {"answer": "keep"})
    assert Memory.objects.active().count() == 3
    page = anns.get("/memory").text
    assert f"/memory/{doses[2].pk}/settle" not in page
    assert f"/memory/{doses[1].pk}/settle" in page


def test_question_of_another_member_is_not_theirs_to_answer(bobs, doses):
    answer = bobs.post(f"/memory/{doses[2].pk}/settle", {"answer": "replace"})
    assert answer.status_code == 404
    assert Memory.objects.active().count() == 3
