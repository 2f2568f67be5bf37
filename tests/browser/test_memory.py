"""A chat that remembers: the whole path of a new user."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import say, start_conversation
from tests.factories import PASSWORD

pytestmark = pytest.mark.browser

BLOCK = ("memory_saves", "profile_updates", "```json", '{"')
WATCH = """
window.seen = [];
const look = () => window.seen.push(document.body?.innerText ?? "");
new MutationObserver(look).observe(document, {
  subtree: true, childList: true, characterData: true,
});
"""


@pytest.mark.req("S0-01", "S0-06", "S0-44", "S0-48", "B-01")
def test_fact_is_known_in_the_next_conversation(visit, ann) -> None:
    def use(page: Page) -> tuple[str, str, list[str]]:
        page.add_init_script(WATCH)
        page.goto("/")
        page.get_by_role("textbox", name="E-mail address").fill("ann@example.com")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        say(page, "I am allergic to ibuprofen and my mother has type 2 diabetes.")
        expect(page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}$"))
        seen = page.evaluate("window.seen")
        start_conversation(page)
        painkiller = say(
            page, "What should you know before you recommend a painkiller?"
        )
        overview = say(page, "What do you know about me?")
        return painkiller, overview, [*seen, *page.evaluate("window.seen")]

    painkiller, overview, seen = visit(use)
    assert "ibuprofen" in painkiller
    assert "ibuprofen" in overview
    assert "diabetes" in overview
    assert len(seen) > 10
    assert [text for text in seen if any(part in text for part in BLOCK)] == []
