"""The rail on every page: its list, its menu, its search and its keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import actions, choose, log, rows
from tests.conversations import transcripts

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture
def conversation(ann):
    space = ann.memberships.get().space
    for days, title in ((1, "Diet"), (2, "Sleep")):
        transcripts.start_conversation(ann, space, title=title, days_ago=days)
    conversation = transcripts.start_conversation(ann, space, title="Knee pain")
    transcripts.exchange(conversation, "My meniscus hurts.", "Since when?")
    for number in range(30):
        transcripts.exchange(conversation, f"Question {number}", "Answer")
    return conversation


def open_menu(page: Page, title: str) -> None:
    row = page.locator(".rail .conversation-row").filter(has_text=title)
    row.hover()
    row.get_by_role("link", name="Actions").click()


def test_row_is_pinned_and_archived_from_its_menu_on_any_page(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/account")
        open_menu(page, "Sleep")
        choose(page, "Pin")
        expect(rows(page).first).to_contain_text("Sleep")
        expect(page.get_by_role("heading", name="Pinned")).to_be_visible()
        open_menu(page, "Diet")
        choose(page, "Archive")
        expect(rows(page)).to_have_count(2)
        expect(page).to_have_url(re.compile("/account$"))
        page.get_by_role("link", name="Archive", exact=True).click()
        expect(rows(page, "All conversations")).to_have_text(re.compile("Diet"))

    visit(use, ann)


def test_open_conversation_is_renamed_in_the_head_too(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        open_menu(page, "Knee pain")
        choose(page, "Rename")
        page.get_by_role("textbox", name="Title").fill("Left knee")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Left knee")).to_be_visible()
        expect(rows(page).first).to_contain_text("Left knee")

    visit(use, ann)


def test_several_are_deleted_at_once(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/chat?select=1")
        expect(page.get_by_text("Nothing selected")).to_be_visible()
        expect(page.get_by_role("button", name="Archive")).to_be_disabled()
        page.get_by_role("checkbox", name="Diet").check()
        page.get_by_role("checkbox", name="Sleep").check()
        expect(page.get_by_text("Selected: 2")).to_be_visible()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("link", name="Cancel")).to_be_focused()
        page.get_by_role("button", name="Delete 2 conversations").click()
        told = page.get_by_text("Deleted for good: 2 conversations")
        expect(told).to_be_visible()
        expect(rows(page)).to_have_count(1)

    visit(use, ann)


def test_ctrl_k_searches_and_leads_to_an_early_message(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/account")
        page.keyboard.press("Control+k")
        field = page.get_by_role("searchbox", name="Search")
        expect(field).to_be_focused()
        field.fill("meniscus")
        expect(page.locator(".rail mark")).to_have_text("meniscus")
        rows(page).first.click()
        hit = log(page).locator(".message:target")
        expect(hit).to_contain_text("My meniscus hurts.")
        expect(hit).to_be_in_viewport()

    visit(use, ann)


def test_ctrl_k_on_a_phone_leads_to_the_search_of_the_list(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/account")
        page.keyboard.press("Control+k")
        expect(page).to_have_url(re.compile("/chat#library-query$"))
        expect(page.get_by_role("searchbox", name="Search")).to_be_focused()

    visit(use, ann, **PHONE)


def test_keys_are_listed_but_not_while_typing(visit, ann):
    def use(page: Page) -> None:
        page.goto("/account")
        page.get_by_role("searchbox", name="Search").press("?")
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("?")
        page.get_by_role("main").press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Keyboard shortcuts")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.keyboard.press("Control+Shift+O")
        expect(page).to_have_url(re.compile("/chat/new$"))

    visit(use, ann)


def test_dialog_of_a_loss_focuses_cancel_and_covers_the_page(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        left = "document.querySelector('#chat-head h1').getBoundingClientRect().left"
        before = page.evaluate(left)
        actions(page).click()
        choose(page, "Delete")
        expect(page.get_by_role("link", name="Cancel")).to_be_focused()
        gutter = "getComputedStyle(document.documentElement).scrollbarGutter"
        assert page.evaluate(gutter) == "auto"
        assert page.evaluate(left) == before
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(actions(page)).to_be_focused()

    visit(use, ann)


def test_title_and_menu_share_a_bar_on_a_phone(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        expect(page.get_by_text("This is not medical advice.")).not_to_be_in_viewport()
        middles = [
            box["y"] + box["height"] / 2
            for place in (
                page.get_by_role("button", name="Menu"),
                page.get_by_role("heading", name="Knee pain"),
                actions(page),
                page.get_by_role("button", name="New conversation"),
            )
            if (box := place.bounding_box())
        ]
        assert len(middles) == 4
        assert max(middles) - min(middles) < 2
        page.evaluate("scrollTo(0, 0)")
        expect(page.get_by_text("This is not medical advice.")).to_be_in_viewport()
        actions(page).click()
        choose(page, "Rename")
        expect(page.get_by_role("dialog")).to_be_visible()

    visit(use, ann, **PHONE)


def test_error_page_loads_the_list(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/nothing-here")
        expect(rows(page)).to_have_count(3)

    visit(use, ann)


def test_chosen_theme_is_on_the_page_before_any_script(visit, ann):
    def use(page: Page) -> str:
        page.goto("/account")
        page.get_by_role("button", name="Dark").click()
        expect(page.get_by_role("button", name="Dark")).to_have_attribute(
            "aria-pressed", "true"
        )
        return str(page.evaluate("getComputedStyle(document.body).color"))

    options = {"color_scheme": "light", "java_script_enabled": True}
    assert visit(use, ann, **options) == "rgb(236, 232, 225)"
