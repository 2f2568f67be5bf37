"""The line that tells what was done to conversations, and its Undo."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat import actions, choose, rows
from tests.browser.test_accessibility import violations_in_both
from tests.conversations import transcripts

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
LIBRARY = "All conversations"


@pytest.fixture
def conversation(ann):
    space = ann.memberships.get().space
    transcripts.start_conversation(ann, space, title="Diet", days_ago=1)
    return transcripts.start_conversation(ann, space, title="Knee pain")


def told(page: Page) -> Locator:
    return page.locator("#told")


def archive(page: Page, title: str) -> None:
    row = page.get_by_role("main").locator(".conversation-row").filter(has_text=title)
    row.get_by_role("link", name="Actions").click()
    choose(page, "Archive")


@pytest.mark.parametrize("options", [{}, PHONE])
def test_archived_conversation_comes_back_by_undo(visit, ann, conversation, options):
    def use(page: Page) -> list[str]:
        page.goto("/chat")
        archive(page, "Knee pain")
        expect(told(page)).to_contain_text("Archived: Knee pain")
        expect(told(page)).to_have_role("status")
        expect(rows(page, LIBRARY)).to_have_count(1)
        found = violations_in_both(page)
        told(page).get_by_role("button", name="Undo").press("Enter")
        expect(told(page)).to_contain_text("Back in the list: Knee pain")
        expect(told(page)).to_be_focused()
        expect(rows(page, LIBRARY)).to_have_count(2)
        page.goto("/people")
        expect(told(page)).to_be_empty()
        return found

    assert visit(use, ann, bypass_csp=True, **options) == []


@pytest.mark.parametrize("options", [{}, PHONE])
def test_open_conversation_is_told_of_below_the_bar(visit, ann, conversation, options):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        actions(page).click()
        choose(page, "Archive")
        told(page).get_by_role("button", name="Undo").click()
        expect(told(page)).to_contain_text("Back in the list: Knee pain")
        expect(told(page)).to_be_in_viewport()

    visit(use, ann, **options)


@pytest.mark.parametrize("scripts", [True, False])
def test_several_come_back_by_undo_also_without_scripts(
    visit, ann, conversation, scripts
):
    def use(page: Page) -> None:
        page.goto("/chat?select=1")
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.get_by_role("button", name="Archive").click()
        expect(page.get_by_text("No conversations yet.").first).to_be_attached()
        main = page.get_by_role("main")
        expect(main.get_by_text("Archived: 2 conversations")).to_be_visible()
        main.get_by_role("button", name="Undo").click()
        expect(main.get_by_text("Back in the list: 2 conversations")).to_be_visible()
        expect(rows(page, LIBRARY)).to_have_count(2)

    visit(use, ann, java_script_enabled=scripts)


def test_deletion_in_a_dialog_is_told_as_final(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/chat")
        row = page.get_by_role("main").locator(".conversation-row").first
        row.get_by_role("link", name="Actions").click()
        choose(page, "Delete")
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(told(page)).to_have_text("Deleted for good: Knee pain Proof of deletion")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(rows(page, LIBRARY)).to_have_count(1)

    visit(use, ann)


def test_page_s_own_message_is_read_out_after_loading(visit, ann, conversation):
    """A live region reads changes only: the text is put in place once more."""

    def use(page: Page) -> None:
        page.add_init_script(
            "new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {"
            "  if (document.readyState !== 'loading' && target.closest?.('.notes'))"
            "    document.documentElement.dataset.readOut = addedNodes[0].textContent;"
            "})).observe(document, { childList: true, subtree: true });"
        )
        page.goto("/account")
        page.get_by_role("button", name="Save changes").click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("data-read-out", "Saved.")

    visit(use, ann)
