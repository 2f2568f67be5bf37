"""The arrow keys in the search of conversations, and the menu of a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import rows
from tests.conversations import transcripts

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture
def six(ann):
    space = ann.memberships.get().space
    return [
        transcripts.start_conversation(ann, space, title=f"Knee {days}", days_ago=days)
        for days in range(6)
    ]


@pytest.mark.parametrize(
    ("address", "name"), [("/account", "Conversations"), ("/chat", "All conversations")]
)
def test_arrows_lead_to_the_results_and_back(visit, ann, six, address, name):
    def use(page: Page) -> None:
        page.goto(address)
        scope = page.get_by_role("main") if address == "/chat" else page
        box = scope.get_by_role("searchbox", name="Search").first
        box.fill("Knee")
        expect(page.get_by_role("heading", name="Found")).to_be_visible()
        box.press("ArrowDown")
        expect(rows(page, name).nth(0)).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(rows(page, name).nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(box).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Escape")
        expect(box).to_be_focused()
        expect(box).to_have_value("Knee")
        box.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"/chat/{six[1].pk}$"))

    visit(use, ann)


def test_focused_result_keeps_its_place_while_the_list_loads(visit, ann, six):
    def use(page: Page) -> None:
        page.goto("/account")
        box = page.get_by_role("searchbox", name="Search")
        box.press_sequentially("Knee")
        box.press("ArrowDown")
        expect(page.get_by_role("heading", name="Found")).to_be_visible()
        expect(rows(page).first).to_be_focused()

    visit(use, ann)


def test_menu_of_a_phone_has_the_newest_conversations(visit, ann, six):
    def use(page: Page) -> None:
        page.goto("/account")
        page.get_by_role("button", name="Menu").tap()
        recent = page.get_by_role("list", name="Recent conversations")
        expect(recent.get_by_role("link")).to_have_text(
            [f"Knee {days}" for days in range(5)]
        )
        recent.get_by_role("link", name="Knee 2").tap()
        expect(page.get_by_role("heading", name="Knee 2")).to_be_visible()
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("link", name="All conversations").tap()
        expect(rows(page, "All conversations")).to_have_count(6)

    visit(use, ann, **PHONE)


def test_wide_menu_leads_to_all_conversations(visit, ann, six):
    def use(page: Page) -> None:
        page.goto("/account")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("link", name="All conversations").click()
        expect(rows(page, "All conversations")).to_have_count(6)
        expect(page.get_by_text("Recent conversations")).to_be_hidden()

    visit(use, ann)
