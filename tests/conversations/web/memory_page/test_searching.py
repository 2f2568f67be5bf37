"""Search on the memory page, and its limit."""

import pytest

from tests.conversations.web.memory_page.listing import SHOWN, groups
from tests.limits import limit_to

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


@pytest.mark.parametrize("query", ["penicillin", "IS ALL", "ser is al", "cillin"])
def test_any_part_of_a_text_is_found(anns, remembered, fact, query):
    remembered("User's dog is called Rex")
    assert groups(anns, query)["You"] == [SHOWN]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("penicillin", "Jestem uczulona na penicylinę"),
        ("penicylina", "User is allergic to penicillin"),
        ("ibuprofeno", "User takes ibuprofen"),
        ("migrane", "User has migraine"),
        ("amlodypina", "User's mother takes amlodipine"),
    ],
)
def test_word_is_found_in_another_spelling(anns, remembered, query, text):
    remembered(text)
    remembered("User's dog is called Rex")
    found = [one for texts in groups(anns, query).values() for one in texts]
    assert len(found) == 1
    assert found[0].split()[-1] in text


def test_short_words_are_not_taken_for_each_other(anns, remembered):
    remembered("User has a cat")
    assert groups(anns, "rat") == {}


@pytest.mark.parametrize(
    ("query", "found"),
    [("xyzzy", []), ("zebra", []), ("football", []), ("thyroid", ["Hashimoto"])],
)
def test_far_facts_are_not_found(anns, query, found):
    for text in ("I have Hashimoto's", "My dog is called Rex", "My GP is in Bergen"):
        anns.post("/memory/new", {"text": text})
    shown = [one for texts in groups(anns, query).values() for one in texts]
    assert len(shown) == len(found)
    assert all(word in text for word, text in zip(found, shown, strict=True))


def test_nothing_found_is_said(anns, fact):
    assert "Nothing matches “zebra”." in anns.get("/memory?q=zebra").text


def test_part_of_the_page_has_the_list_and_its_number(anns, fact):
    part = anns.get("/memory?q=penicillin", headers={"HX-Request": "true"}).text
    assert "1 thing matches “penicillin”" in part
    assert SHOWN in part
    assert "<main" not in part
    assert 'type="search"' not in part


class TestLimit:
    @pytest.fixture(autouse=True)
    def _limit(self, monkeypatch):
        limit_to(monkeypatch, "LOOKUPS", 1)

    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_searches_are_bounded(self, anns, fact, openai_server, headers):
        assert anns.get("/memory?q=zebra", headers=headers).status_code == 200
        asked = len(openai_server.embeddings.requests)
        refused = anns.get("/memory?q=zebras", headers=headers)
        assert refused.status_code == 429
        assert "Try again in a few minutes." in refused.text
        assert SHOWN not in refused.text
        assert len(openai_server.embeddings.requests) == asked
        assert SHOWN in anns.get("/memory").text

    def test_each_user_has_their_own(self, anns, bobs, fact):
        assert anns.get("/memory?q=zebra").status_code == 200
        assert bobs.get("/memory?q=zebra").status_code == 200
