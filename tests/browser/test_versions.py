"""Going back to earlier versions of messages and replies."""

import pytest
from playwright.sync_api import Page, expect

from conversations.models import Message
from tests.browser.chat import again, answered, box, log, replies, say
from tests.conversations import transcripts
from tests.openai_answers import says


@pytest.fixture
def home(ann):
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    return space


@pytest.fixture
def counting(openai_server):
    """A provider whose replies are numbered."""
    numbers = iter(range(1, 100))
    openai_server.chat.default = lambda _body: says(f"Answer {next(numbers)}")


def edit_first(page: Page, text: str) -> None:
    log(page).locator(".user").first.hover()
    page.get_by_role("button", name="Edit").first.click()
    page.locator("#edit-words").fill(text)
    page.get_by_role("button", name="Save and ask again").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(log(page).locator(".user").first).to_contain_text(text)
    answered(page)


def words(page: Page) -> list[str]:
    return log(page).locator(".bubble, .blocks").all_inner_texts()


def test_replies_can_be_compared_and_continued(visit, ann, counting):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Hello")
        again(page)
        again(page)
        versions = page.get_by_role("group", name="Version 3 of 3")
        expect(versions).to_contain_text("3 of 3")
        expect(versions.get_by_role("button", name="Next version")).to_be_disabled()
        versions.get_by_role("button", name="Previous version").click()
        expect(replies(page)).to_contain_text("Answer 2")
        say(page, "Further")
        assert words(page) == ["Hello", "Answer 2", "Further", "Answer 4"]

    visit(use, ann)


def test_edited_message_can_be_taken_back_with_all_that_followed(visit, ann, counting):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        say(page, "Since Monday.")
        edit_first(page, "My elbow hurts.")
        assert words(page) == ["My elbow hurts.", "Answer 3"]
        page.get_by_role("button", name="Previous version").click()
        expect(replies(page)).to_have_count(2)
        before = ["My knee hurts.", "Answer 1", "Since Monday.", "Answer 2"]
        assert words(page) == before
        page.reload()
        assert words(page) == before
        page.get_by_role("button", name="Next version").click()
        expect(log(page)).to_contain_text("Answer 3")

    visit(use, ann)


def test_versions_are_changed_with_the_keyboard(visit, ann, counting):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Hello")
        again(page)
        again(page)
        page.get_by_role("button", name="Previous version").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("group", name="Version 2 of 3")).to_be_visible()
        expect(page.get_by_role("button", name="Previous version")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("group", name="Version 1 of 3")).to_be_visible()
        expect(page.get_by_role("button", name="Next version")).to_be_focused()

    visit(use, ann)


def test_versions_are_changed_without_script(visit, ann):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        page.get_by_role("button", name="Previous version").click()
        expect(replies(page)).to_contain_text("Old")
        page.get_by_role("button", name="Next version").click()
        expect(replies(page)).to_contain_text("New")

    space = ann.memberships.get().space
    conversation = transcripts.start_conversation(ann, space, title="Hello")
    old = transcripts.exchange(conversation, "Hello", "Old", status="superseded")
    transcripts.say(conversation, "assistant", "New", answers=old.answers)
    visit(use, ann, java_script_enabled=False)
    assert Message.objects.current().count() == 2


def test_dialog_says_how_many_messages_are_replaced(visit, ann):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        bubbles = log(page).locator(".user")
        dialog = page.get_by_role("dialog")
        for place, sentence in (
            (0, "5 later messages are replaced by a new reply."),
            (2, "The reply is replaced by a new one."),
        ):
            bubbles.nth(place).hover()
            bubbles.nth(place).get_by_role("button", name="Edit").click()
            expect(dialog).to_contain_text(sentence)
            expect(dialog).to_contain_text("You can go back to")
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()

    space = ann.memberships.get().space
    conversation = transcripts.start_conversation(ann, space, title="Knee pain")
    for number in range(3):
        transcripts.exchange(conversation, f"Question {number}", "Answer")
    visit(use, ann)


def test_arrow_up_in_the_empty_box_edits_the_last_message(visit, ann, counting):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "First")
        say(page, "Second")
        box(page).fill("Draft")
        box(page).press("ArrowUp")
        expect(page.get_by_role("dialog")).to_be_hidden()
        box(page).fill("")
        box(page).press("ArrowUp")
        expect(page.locator("#edit-words")).to_have_value("Second")
        page.keyboard.press("Escape")
        expect(box(page)).to_be_focused()

    visit(use, ann)


def test_version_that_is_taken_up_again_says_what_it_remembered(visit, ann, home):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "My name is Anna. I live in Oslo.")
        receipt = page.get_by_text("Remembered:")
        expect(receipt).to_contain_text("My name is Anna")
        before = receipt.inner_text()
        edit_first(page, "My name is Anna. I live in Bergen.")
        expect(receipt).to_contain_text("I live in Bergen")
        page.get_by_role("button", name="Previous version").click()
        expect(receipt).to_have_text(before)
        expect(page.get_by_text("Forgotten:")).to_have_count(0)
        page.goto("/chat/new")
        say(page, "Do I live in Oslo?")
        page.get_by_text("Looked at 1 thing you told me").click()
        used = page.locator(".used")
        expect(used).to_contain_text("I live in Oslo")

    visit(use, ann)
