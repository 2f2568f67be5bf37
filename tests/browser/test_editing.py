"""The dialog that edits a message: its caret, its keys, and where the page is after it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat import answered, box, log, replies, rows
from tests.browser.test_chat_layout import PHONE
from tests.conversations import transcripts
from tests.openai_answers import says


@pytest.fixture
def conversation(ann, openai_server):
    openai_server.chat.default = lambda _body: says("I see.")
    space = ann.memberships.get().space
    conversation = transcripts.start_conversation(ann, space, title="Question 0")
    for number in range(3):
        transcripts.exchange(conversation, f"Question {number}", "Answer\n\n" * 40)
    return f"/chat/{conversation.pk}"


def edit(page: Page, place: int) -> Locator:
    """Open the dialog for one of the user's messages; its field."""
    message = log(page).locator(".user").nth(place)
    message.scroll_into_view_if_needed()
    message.locator(".edit").focus()
    page.keyboard.press("Enter")
    words = page.locator("#edit-words")
    expect(words).to_be_focused()
    return words


def expect_sent(page: Page, *texts: str) -> None:
    expect(page.get_by_role("dialog")).to_be_hidden()
    answered(page)
    expect(log(page).locator(".bubble")).to_have_text(texts, use_inner_text=True)


def test_keys_of_the_dialog_are_those_of_the_box(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        edit(page, 2)
        page.keyboard.type(" more")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("and more")
        page.keyboard.press("Enter")
        expect_sent(page, "Question 0", "Question 1", "Question 2 more\nand more")
        expect(replies(page).last).to_be_focused()
        edit(page, 1)
        page.keyboard.type("!")
        page.keyboard.press("Control+Enter")
        expect_sent(page, "Question 0", "Question 1!")

    visit(use, ann)


def compose(field: Locator) -> None:
    field.fill("こんにちは")
    for how in ({"isComposing": True}, {"keyCode": 229}):
        field.dispatch_event("keydown", {"key": "Enter", "bubbles": True, **how})


def test_enter_within_a_composition_sends_nothing(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        compose(box(page))
        compose(edit(page, 2))
        expect(page.get_by_role("dialog")).to_be_visible()
        expect(page.locator(".growing, .waiting")).to_have_count(0)
        expect(log(page).locator(".bubble")).to_have_count(3)

    visit(use, ann)


def test_enter_breaks_the_line_on_a_touch_screen(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        words = edit(page, 2)
        page.keyboard.press("Enter")
        page.keyboard.type("more")
        expect(words).to_have_value("Question 2\nmore")
        page.keyboard.press("Control+Enter")
        expect_sent(page, "Question 0", "Question 1", "Question 2\nmore")

    visit(use, ann, **PHONE)


def test_nothing_is_offered_below_after_the_first_message_was_edited(
    visit, ann, conversation
):
    def use(page: Page) -> None:
        page.goto(conversation)
        edit(page, 0)
        expect(page.get_by_role("button", name="To the newest message")).to_be_visible()
        page.keyboard.type("!")
        page.keyboard.press("Enter")
        expect_sent(page, "Question 0!")
        expect(replies(page).last).to_be_in_viewport()
        expect(page.locator("#to-newest")).to_be_hidden()

    visit(use, ann)


def test_nothing_is_offered_below_after_a_long_message_was_folded(visit, ann):
    def use(page: Page) -> None:
        page.goto(f"/chat/{long.pk}")
        newest = page.locator("#to-newest")
        page.get_by_role("button", name="Show all").click()
        expect(newest).to_be_visible()
        page.get_by_role("button", name="Show less").click()
        expect(newest).to_be_hidden()

    space = ann.memberships.get().space
    long = transcripts.start_conversation(ann, space, title="Log")
    transcripts.exchange(long, "Line\n" * 60, "I see.")
    visit(use, ann)


def test_title_follows_the_edited_first_message(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        edit(page, 0)
        page.keyboard.type(" of mine")
        page.keyboard.press("Enter")
        expect(page.locator("#chat-head h1")).to_have_text("Question 0 of mine")
        expect(rows(page).first).to_contain_text("Question 0 of mine")

    visit(use, ann)
