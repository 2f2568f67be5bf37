"""Search on the memory page as one types."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.factories import MemoryFactory
from tests.limits import limit_to

ALLERGY, DOG = "Is allergic to penicillin", "Dog is called Rex"


@pytest.fixture
def facts(ann):
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    for text in ("User is allergic to penicillin", "User's dog is called Rex"):
        MemoryFactory(user=ann, space=space, content=text)


def field(page: Page) -> Locator:
    return page.get_by_label("Search what Meddie remembers")


def test_list_follows_what_is_typed_and_the_focus_stays(visit, ann, facts):
    def use(page: Page) -> None:
        page.goto("/memory")
        number = page.get_by_role("main").get_by_role("status")
        expect(number).to_have_text("2 things in all")
        field(page).press_sequentially("Rex", delay=20)
        expect(number).to_have_text("1 thing matches “Rex”")
        expect(page.get_by_text(DOG)).to_be_visible()
        expect(page.get_by_text(ALLERGY)).to_have_count(0)
        expect(field(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(field(page)).to_be_focused()
        expect(page).to_have_url(re.compile("/memory$"))
        field(page).fill("zebra")
        expect(number).to_have_text("Nothing matches “zebra”.")
        field(page).fill("")
        expect(page.get_by_text(ALLERGY)).to_be_visible()
        expect(number).to_have_text("2 things in all")

    visit(use, ann)


def test_found_fact_is_corrected_and_the_search_is_kept(visit, ann, facts):
    def use(page: Page) -> None:
        page.goto("/memory")
        field(page).press_sequentially("Rex", delay=20)
        expect(page.get_by_text(ALLERGY)).to_have_count(0)
        page.get_by_role("button", name=f"Edit “{DOG}”").click()
        page.get_by_label("What is true").fill("My dog is called Rexy")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved:")).to_be_visible()
        expect(field(page)).to_have_value("Rex")
        expect(page.get_by_text(ALLERGY)).to_have_count(0)

    visit(use, ann)


def test_too_many_searches_are_refused_in_place(visit, ann, facts, monkeypatch):
    limit_to(monkeypatch, "LOOKUPS", 0)

    def use(page: Page) -> None:
        page.goto("/memory")
        field(page).press_sequentially("Rex", delay=20)
        expect(page.get_by_role("alert")).to_contain_text("Try again in a few minutes.")
        expect(field(page)).to_be_focused()
        page.get_by_role("link", name="Show everything").click()
        expect(page.get_by_text(ALLERGY)).to_be_visible()

    visit(use, ann)
