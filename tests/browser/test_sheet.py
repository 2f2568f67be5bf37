"""A sheet for the doctor: ticked, printed, shared with a code, and ended."""

from datetime import UTC, datetime
from io import BytesIO

import pypdf
import pytest
from playwright.sync_api import Page, expect

from conversations.models import SheetLink
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.factories import MemoryFactory, PersonFactory

DAY = datetime(2026, 11, 24, tzinfo=UTC)
FACT = "Was told by the family doctor that {} is nothing to worry about"


@pytest.fixture
def home(ann):
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    PersonFactory(
        space=space, user=ann, name="Ann", medications="- Sumatriptan 50 mg", sex=""
    )
    return space


@pytest.fixture
def told(ann, home):
    for text in ("User is allergic to penicillin", "User keeps a canary"):
        MemoryFactory(user=ann, space=home, content=text)


def make_link(page: Page) -> tuple[str, str]:
    page.goto("/memory")
    page.get_by_role("link", name="Sheet for the doctor").click()
    expect(page.get_by_label("Is allergic to penicillin")).to_be_checked()
    expect(page.get_by_label("Sumatriptan 50 mg")).to_be_checked()
    expect(page.get_by_label("Keeps a canary")).not_to_be_checked()
    page.get_by_label("Questions for the doctor").fill("May I fly?")
    page.get_by_role("button", name="Show the sheet").click()
    expect(
        page.get_by_role("heading", name="For the doctor", exact=True)
    ).to_be_visible()
    page.get_by_label("The link ends after").select_option("1 hour")
    page.get_by_role("button", name="Make a link with a code").click()
    link = page.locator("code").inner_text()
    return link, page.locator(".sheet-code").inner_text()


def test_link_opens_with_its_code_alone_until_it_is_ended(visit, ann, told, server):
    link, code = visit(make_link, ann)

    def read(page: Page) -> None:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(link)
        expect(page.get_by_label("Code of six digits")).to_be_focused()
        page.keyboard.type("12 34")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Enter a valid value.")).to_be_visible()
        page.get_by_label("Code of six digits").fill(code)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Is allergic to penicillin")).to_be_visible()
        expect(page.get_by_text("May I fly?")).to_be_visible()
        assert "canary" not in page.content()
        assert all(url.startswith((server.url, "data:")) for url in asked), asked

    def end(page: Page) -> None:
        page.goto("/sheet")
        expect(page.get_by_text("Opened: ")).to_be_visible()
        page.get_by_role("button", name="End the link").click()
        expect(page.get_by_text("can no longer be opened.")).to_be_visible()

    def find_nothing(page: Page) -> None:
        answer = page.goto(link)
        assert answer
        assert answer.status == 404

    visit(read)
    visit(end, ann)
    visit(find_nothing)
    assert SheetLink.objects.get().ended_at


def test_fullest_sheet_of_usual_lines_is_printed_on_two_pages(visit, ann, home):
    for number in range(55):
        content = FACT.format(number)
        MemoryFactory(user=ann, space=home, content=content, stated_at=DAY)

    def use(page: Page) -> bytes:
        page.goto("/sheet")
        page.get_by_role("checkbox").evaluate_all(
            "all => all.forEach((one) => (one.checked = true))"
        )
        page.locator(
            "[value^='person:'], [value^='medicine:medications']"
        ).evaluate_all("all => all.forEach((one) => (one.checked = false))")
        page.get_by_label("Questions for the doctor").fill("Why?\n" * 5)
        page.get_by_role("button", name="Show the sheet").click()
        expect(
            page.get_by_role("heading", name="For the doctor", exact=True)
        ).to_be_visible()
        return page.pdf(prefer_css_page_size=True)

    pages = pypdf.PdfReader(BytesIO(visit(use, ann))).pages
    assert len(pages) <= 2
    assert "Print" not in pages[0].extract_text()


def test_pages_of_a_sheet_are_accessible(visit, ann, told):
    link, code = visit(make_link, ann)

    def use(page: Page) -> None:
        page.goto("/sheet")
        assert not violations_in_both(page)
        page.get_by_role("button", name="Show the sheet").click()
        expect(
            page.get_by_role("heading", name="For the doctor", exact=True)
        ).to_be_visible()
        assert not violations_in_both(page)
        page.goto(link)
        assert not violations_in_both(page)
        page.get_by_label("Code of six digits").fill(code)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Is allergic to penicillin")).to_be_visible()
        assert not violations_in_both(page)
        page.set_viewport_size({"width": 360, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == 360

    visit(use, ann, **AXE_PAGE)
