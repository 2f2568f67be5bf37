"""A chat that remembers: the whole path, as somebody new walks it."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

BLOCK = ("memory_saves", "profile_updates", "```json", '{"')
WATCH = """
window.seen = [];
const look = () => window.seen.push(document.body?.innerText ?? "");
new MutationObserver(look).observe(document, {
  subtree: true, childList: true, characterData: true,
});
"""


def say(page: Page, text: str) -> str:
    """Send a message as a person does; return the whole reply once it has come."""
    replies = page.get_by_role("log", name="Messages").locator(".reply")
    before = replies.count()
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(replies).to_have_count(before + 1)
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(page.locator(".growing")).to_have_count(0)
    return replies.last.inner_text()


@pytest.mark.req("S0-01", "S0-06", "S0-44", "S0-48", "B-01")
def test_what_one_conversation_says_the_next_one_knows(visit, ann) -> None:
    def talk(page: Page) -> tuple[str, str, list[str]]:
        page.add_init_script(WATCH)
        page.goto("/")
        say(page, "I am allergic to ibuprofen and my mother has type 2 diabetes.")
        expect(page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}$"))
        seen = page.evaluate("window.seen")
        page.get_by_role("button", name="New conversation").click()
        expect(page.get_by_role("log").locator(".message")).to_have_count(0)
        painkiller = say(
            page, "What should you know before you recommend a painkiller?"
        )
        overview = say(page, "What do you know about me?")
        return painkiller, overview, [*seen, *page.evaluate("window.seen")]

    painkiller, overview, seen = visit(talk, ann)
    assert "ibuprofen" in painkiller
    assert "ibuprofen" in overview
    assert "diabetes" in overview
    assert len(seen) > 10
    assert [text for text in seen if any(part in text for part in BLOCK)] == []
