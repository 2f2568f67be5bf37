"""The Tab key goes through the page in the order that one sees."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from people.models import Space
from tests.browser.chat import answered, log, say
from tests.browser.test_chat_layout import PHONE

# What the Tab key reaches within the page, as a name and its place.
STOPS = """() =>
  [...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary)")]
    .filter((part) => !part.disabled && part.type !== "hidden" && part.checkVisibility())
    .map((part) => [part.ariaLabel ?? part.textContent.trim() ?? part.id, part.getBoundingClientRect()])
    .map(([name, { top, bottom }]) => [name, top, bottom])"""


def out_of_order(page: Page) -> list[str]:
    """Stops that are above the stop before them."""
    page.evaluate("scrollTo(0, 0)")
    stops = page.evaluate(STOPS)
    assert len(stops) > 5
    return [
        f"{name} after {before}"
        for (before, top, _), (name, _, bottom) in pairwise(stops)
        if bottom <= top
    ]


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_tab_follows_what_one_sees(visit, ann, options):
    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        found = out_of_order(page)
        say(page, "I take 20 mg of atorvastatin")
        next_step = page.get_by_role("button", name="New conversation: Which medicines")
        expect(next_step).to_be_visible()
        found += out_of_order(page)
        page.reload()
        expect(next_step).to_be_visible()
        found += out_of_order(page)
        next_step.click()
        expect(log(page).locator(".bubble")).to_have_text("Which medicines do I take?")
        answered(page)
        expect(log(page).get_by_text("Looked at 1 thing you told me")).to_be_visible()
        return found + out_of_order(page)

    Space.objects.update(memory_page=True)
    assert visit(use, ann, **options) == []
