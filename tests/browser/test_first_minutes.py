"""The first minutes of a newcomer: what to tell, what it is good for, and a real model."""

import pytest
from playwright.sync_api import Locator, Page, expect

from conversations.examples import make_household
from people.access import create_space
from people.models import Person, Space
from tests.browser.chat import answered, box, log, say
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.factories import PASSWORD, UserFactory


@pytest.fixture
def anna(transactional_db):
    anna = UserFactory(name="Anna", is_staff=True)
    create_space("Anna's health", anna)
    make_household(anna)
    return anna


def is_above(upper: Locator, lower: Locator) -> bool:
    above, below = upper.bounding_box(), lower.bounding_box()
    assert above
    assert below
    return above["y"] < below["y"]


def test_chips_tell_then_ask_and_then_correct(visit, ann) -> None:
    def use(page: Page) -> str:
        page.goto("/chat/new")
        page.get_by_role("link", name="I take 20 mg of atorvastatin").click()
        expect(box(page)).to_have_value("I take 20 mg of atorvastatin")
        box(page).press("Enter")
        answered(page)
        expect(log(page).get_by_text("Remembered: ")).to_be_visible()
        next_step = page.get_by_role("button", name="New conversation: Which medicines")
        assert is_above(log(page).get_by_text("Remembered: "), next_step)
        page.reload()
        assert is_above(log(page).get_by_text("Remembered: "), next_step)
        first = page.url
        next_step.click()
        expect(page).not_to_have_url(first)
        expect(log(page).locator(".bubble")).to_have_text("Which medicines do I take?")
        answer = answered(page)
        say(page, "I take 40 mg of atorvastatin now")
        answered(page)
        asked = log(page).locator(".saved").last
        expect(asked).to_contain_text("Replace “I take 20 mg of atorvastatin”?")
        page.get_by_role("button", name="Replace").click()
        expect(asked).to_contain_text("Updated: I take 40 mg of atorvastatin now")
        return answer

    assert "“I take 20 mg of atorvastatin”" in visit(use, ann)


def test_recipe_is_copied_as_it_is_shown(visit, ann) -> None:
    def use(page: Page) -> list[str]:
        page.goto("/model")
        page.get_by_role("button", name="Copy").nth(1).click()
        expect(page.locator("#page-status")).to_have_text("Copied")
        return str(page.evaluate("navigator.clipboard.readText()")).split("\n")

    lines = visit(use, ann, permissions=["clipboard-read", "clipboard-write"])
    assert lines[0] == "OPENAI_BASE_URL=http://127.0.0.1:11434/v1"
    assert len(lines) == 5
    assert all("=" in line for line in lines)


def test_signature_is_shown_once_and_leads_to_the_recipes(visit, ann) -> None:
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "I have a cat.")
        say(page, "Its name is a secret between the two of us.")
        expect(log(page).get_by_text("Offline stand-in:")).to_have_count(1)
        page.reload()
        log(page).get_by_role("link", name="Use a real model").click()
        expect(page.get_by_role("heading", name="Use a real model")).to_be_visible()
        expect(page.get_by_text("OPENAI_API_KEY=sk-…")).to_be_visible()

    visit(use, ann)


def test_examples_are_removed_after_a_question(visit, anna) -> None:
    def use(page: Page) -> list[str]:
        page.goto("/examples/remove")
        found = violations_in_both(page)
        page.goto("/chat/new")
        page.get_by_role("button", name="Open the example household").click()
        trip = page.get_by_role("link", name="Leo's school trip").first
        expect(trip).to_be_visible()
        page.get_by_role("link", name="Remove the example").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
        expect(dialog).to_contain_text("Example household")
        found += violations_in_both(page)
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        page.get_by_role("link", name="Remove the example").click()
        dialog.get_by_role("button", name="Remove").click()
        expect(
            page.get_by_text("The example household has been removed.")
        ).to_be_visible()
        expect(page.get_by_text("No conversations yet.")).to_be_visible()
        expect(page.get_by_text("example household")).to_have_count(1)
        expect(box(page)).to_be_visible()
        return found

    assert visit(use, anna, **AXE_PAGE) == []
    assert not Person.objects.exists()


def test_first_sign_in_leads_straight_to_a_conversation(
    visit, transactional_db
) -> None:
    UserFactory(email="bob@example.com", name="Bob")

    def use(page: Page) -> None:
        page.goto("/")
        page.get_by_label("Email address").fill("bob@example.com")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(box(page)).to_be_focused()
        page.keyboard.type("I'm allergic to ibuprofen")
        page.keyboard.press("Enter")
        answered(page)
        expect(log(page).get_by_text("Remembered: ")).to_be_visible()
        page.get_by_role("link", name="Memory", exact=True).click()
        expect(page.locator(".fact-text")).to_have_text("I'm allergic to ibuprofen")

    visit(use)
    assert [space.name for space in Space.objects.all()] == ["Bob's household"]
