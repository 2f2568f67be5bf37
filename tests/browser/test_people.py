"""People of a household: their notes, who changed them, and deletion."""

import pytest
from playwright.sync_api import Page, expect

from tests.factories import MembershipFactory, PersonFactory

pytestmark = pytest.mark.browser


@pytest.fixture
def home(ann):
    return ann.memberships.get().space


@pytest.fixture
def helena(home):
    medications = "- Ramipril 5 mg\n- Metformin 500 mg"
    return PersonFactory(space=home, name="Grandma Helena", medications=medications)


def test_an_edit_of_another_member_is_seen_and_undone(visit, ann, home, helena) -> None:
    bob = MembershipFactory(space=home, user__name="Bob", role="member").user

    def clear(page: Page) -> None:
        page.goto(f"/people/{helena.pk}/edit")
        page.get_by_role("textbox", name="Medications").fill("")
        page.get_by_role("button", name="Save person").click()
        expect(page.get_by_role("link", name="Delete")).to_have_count(0)

    def undo(page: Page) -> None:
        page.goto(f"/people/{helena.pk}")
        expect(page.get_by_text("Last changed by Bob")).to_be_visible()
        page.get_by_role("link", name="Change history").click()
        page.get_by_text("What changed").click()
        expect(page.locator("del").first).to_have_text("- Ramipril 5 mg")
        page.get_by_role("button", name="Undo “Medications”").click()
        page.get_by_role("link", name="Grandma Helena").click()
        expect(page.get_by_text("Ramipril 5 mg")).to_be_visible()

    visit(clear, bob)
    visit(undo, ann)


def test_a_deleted_person_can_be_restored(visit, ann, helena) -> None:
    def use(page: Page) -> None:
        page.goto(f"/people/{helena.pk}")
        page.get_by_role("link", name="Delete").click()
        page.get_by_role("button", name="Delete person").click()
        expect(page.get_by_role("heading", name="No people yet")).to_be_visible()
        page.get_by_role("button", name="Restore Grandma Helena").click()
        expect(page.get_by_text("Ramipril 5 mg")).to_be_visible()

    visit(use, ann)
