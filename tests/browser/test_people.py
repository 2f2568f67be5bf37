"""People of a household: their notes, who changed them, and deletion."""

from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from people.models import Person
from tests.factories import MembershipFactory, MemoryFactory, PersonFactory


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


def test_a_newcomer_adds_themselves_in_pounds_and_feet(visit, ann, home) -> None:
    def use(page: Page) -> None:
        page.goto("/people/new")
        page.get_by_role("textbox", name="Name").fill("Ann")
        page.get_by_role("checkbox", name="This is me").check()
        page.get_by_role("spinbutton", name="Height in feet").fill("5")
        page.get_by_role("spinbutton", name="and inches").fill("7.5")
        page.get_by_role("spinbutton", name="Weight in pounds").fill("150")
        page.get_by_role("textbox", name="Supplements").fill("- Zinc")
        page.get_by_role("button", name="Save person").click()
        expect(page.get_by_text("5 ft 7.5 in")).to_be_visible()
        page.get_by_role("link", name="Edit").click()
        expect(page.get_by_role("checkbox", name="This is me")).to_be_checked()
        page.get_by_role("button", name="Save person").click()
        expect(page.get_by_text("150 lb")).to_be_visible()

    visit(use, ann, locale="en-US")
    me = Person.objects.get(space=home)
    assert (me.user, me.sex, me.supplements) == (ann, "", "- Zinc")
    assert (me.height_cm, me.weight_kg) == (Decimal("171.4"), Decimal("68.0"))


def test_a_deleted_person_can_be_restored(visit, ann, helena) -> None:
    def use(page: Page) -> None:
        page.goto(f"/people/{helena.pk}")
        page.get_by_role("link", name="Delete").click()
        page.get_by_role("button", name="Delete person").click()
        expect(page.get_by_role("heading", name="No people yet")).to_be_visible()
        page.get_by_role("button", name="Restore Grandma Helena").click()
        expect(page.get_by_text("Ramipril 5 mg")).to_be_visible()

    visit(use, ann)


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_each_person_is_listed_once_at_every_width(visit, ann, helena, width) -> None:
    def use(page: Page) -> list[str]:
        page.goto("/people")
        links = page.get_by_role("link", name="Grandma Helena")
        expect(links.filter(visible=True)).to_have_count(1)
        expect(page.get_by_role("link", name="You", exact=True)).to_have_count(1)
        shown = page.get_by_role("link", name="Add person").filter(visible=True)
        return shown.all_inner_texts()

    viewport = {"width": width, "height": 800}
    assert visit(use, ann, viewport=viewport) == ["Add person"]


def test_a_remembered_line_is_noted_by_the_keyboard(visit, ann, home, helena) -> None:
    home.memory_page = True
    home.save()
    text = "Grandma Helena takes aspirin 75 mg"
    MemoryFactory(
        user=ann, space=home, content=text, subject="Grandma Helena", person=helena
    )

    def use(page: Page) -> None:
        page.goto(f"/people/{helena.pk}")
        page.wait_for_load_state()
        page.get_by_role("button", name=f"Note “{text}”").press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("Line")).to_be_focused()
        expect(dialog.get_by_label("Notes")).to_have_value("medications")
        dialog.get_by_label("Line").fill("Aspirin 75 mg")
        dialog.get_by_role("button", name="Save note").press("Enter")
        expect(page.get_by_text("Noted: Medications")).to_be_visible()
        expect(page.locator(".prose").get_by_text("Aspirin 75 mg")).to_be_visible()

    visit(use, ann)
    helena.refresh_from_db()
    assert helena.medications.endswith("\n- Aspirin 75 mg")
