"""Phones, tablets and wide windows: nothing scrolls sideways or shows past its edge."""

import pytest
from playwright.sync_api import Page

from memory import service
from people.scope import scope_for
from tests.browser.prose import REPLY
from tests.conversations import transcripts
from tests.conversations.proofs.sealed import sealed
from tests.factories import MemoryFactory, PersonFactory

WIDTHS = (360, 820, 1440)
OVERHANG = """() => {
  const side = (selector) => document.querySelector(selector).getBoundingClientRect();
  const words = side("#log");
  return [".chat-head-row, .chat-head", ".composer"].map((selector) => {
    const cover = [...document.querySelectorAll(selector)]
      .map((element) => element.getBoundingClientRect())
      .sort((one, other) => other.width - one.width)[0];
    return Math.min(words.left - cover.left, cover.right - words.right);
  });
}"""
"""The pixels by which the head and the composer cover more than the messages."""


@pytest.fixture
def home(ann):
    return ann.memberships.get().space


@pytest.fixture
def conversation(ann, home):
    conversation = transcripts.start_conversation(ann, home, title="W" * 120)
    transcripts.exchange(conversation, "What do I weigh? " + "m" * 300, REPLY)
    return conversation


def test_no_page_scrolls_sideways(visit, ann, home, conversation):
    person = PersonFactory(space=home, name="M" * 60, health_notes="- " + "m" * 200)
    scope = scope_for(ann, home.pk, channel="web")
    service.erase(scope, [MemoryFactory(user=ann, space=home).pk])
    proof = sealed()
    paths = (
        *("/chat/new", "/chat", "/chat?select=1", "/chat?q=weigh", "/chat/keys"),
        *(f"/chat/{conversation.pk}", f"/chat/{conversation.pk}/delete"),
        *("/people", "/people/new", "/memory", "/model", "/account"),
        *(f"/people/{person.pk}{end}" for end in ("", "/edit", "/history")),
        *("/sheet", "/card/choose", "/memory/import", "/api/docs", "/offline"),
        *("/account/download", "/account/delete", "/password/change", "/sign-in"),
        *("/account/proofs", "/proofs/check", f"/proofs/{proof.pk}"),
        *(f"/spaces/{home.pk}{end}" for end in ("/settings", "/telegram", "/keys")),
    )

    def look(page: Page) -> list[tuple[str, int, int]]:
        found = []
        for path in paths:
            page.goto(path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                taken = page.evaluate("document.documentElement.scrollWidth")
                found.append((path, width, taken))
        return [one for one in found if one[2] > one[1]]

    home.memory_page = True
    home.save()
    assert visit(look, ann) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_letters_show_beside_the_head_and_the_composer(
    visit, ann, conversation, width
):
    def look(page: Page) -> list[float]:
        page.goto(f"/chat/{conversation.pk}")
        return page.evaluate(OVERHANG)

    around = visit(look, ann, viewport={"width": width, "height": 600})
    assert min(around) >= 4
