"""Talking, in a browser: at once, without a mouse, through reloads and mishaps."""

import re

import pytest
from playwright.sync_api import Page, expect

from conversations.models import Message
from tests.browser.chat import (
    STORY,
    actions,
    answered,
    box,
    choose,
    log,
    replies,
    say,
    send,
)
from tests.factories import PersonFactory
from tests.openai_answers import disconnects, fails, says


def test_message_is_shown_before_the_server_answers(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        held = []
        page.route("**/chat/send", lambda route: held.append(route))  # noqa: PLW0108 -- Playwright marks its handlers
        send(page, "Hello\nthere")
        expect(log(page).get_by_text("Hello")).to_be_visible()
        expect(box(page)).to_have_value("")
        expect(page).to_have_url(re.compile("/chat/new$"))
        held[0].continue_()
        answered(page)
        expect(log(page).locator(".user")).to_have_count(1)

    visit(use, ann)


@pytest.mark.req("S0-48")
def test_a_reply_grows_and_survives_a_reload_and_a_second_tab(visit, ann, story):
    def use(page: Page) -> tuple[str, str]:
        page.goto("/chat/new")
        send(page, "Tell me a story.")
        expect(page).to_have_url(re.compile("/chat/[0-9a-f-]{36}$"))
        expect(replies(page).get_by_text("Part 2")).to_be_visible()
        page.reload()
        expect(page.locator(".growing")).to_have_count(1)
        second = page.context.new_page()
        second.goto(page.url)
        expect(second.get_by_role("button", name="Stop")).to_be_visible()
        story.released.set()
        return answered(page), answered(second)

    here, there = visit(use, ann)
    assert here == there == STORY.replace("**", "").strip()


def test_another_tab_follows_the_reply(visit, ann, story):
    def use(page: Page) -> str:
        page.goto("/chat/new")
        say(page, "Hello")
        second = page.context.new_page()
        second.goto(page.url)
        send(page, "Tell me a story.")
        expect(second.get_by_role("button", name="Stop")).to_be_visible()
        expect(log(second).locator(".bubble")).to_have_count(2)
        story.released.set()
        return answered(second)

    story.chat.queue(says("Hello."))
    assert "Part 12" in visit(use, ann)


def test_reply_is_finished_after_the_tab_is_closed(visit, ann, story):
    def leave(page: Page) -> str:
        page.goto("/chat/new")
        send(page, "Tell me a story.")
        expect(replies(page).get_by_text("Part 2")).to_be_visible()
        return page.url

    def come_back(page: Page) -> str:
        page.goto(url)
        return answered(page)

    url = visit(leave, ann)
    story.released.set()
    assert "Part 12" in visit(come_back, ann)


def test_stopped_reply_keeps_its_text_and_offers_a_retry(visit, ann, story):
    def use(page: Page) -> tuple[str, str]:
        page.goto("/chat/new")
        send(page, "Tell me a story.")
        expect(replies(page).get_by_text("Part 2")).to_be_visible()
        expect(page.get_by_role("button", name="Send", exact=True)).to_be_hidden()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("You stopped this reply.")).to_be_visible()
        stopped = answered(page)
        story.released.set()
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("You stopped this reply.")).to_have_count(0)
        return stopped, answered(page)

    stopped, again = visit(use, ann)
    assert "Part 2" in stopped
    assert "Part 12" not in stopped
    assert "Part 12" in again


def test_the_focus_is_in_the_box_after_send_and_after_stop(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        box(page).fill("Tell me a story.")
        page.get_by_role("button", name="Send", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        expect(box(page)).to_be_focused()
        page.get_by_role("button", name="Stop").focus()
        page.keyboard.press("Enter")
        answered(page)
        expect(box(page)).to_be_focused()

    visit(use, ann)


def test_the_focus_goes_from_a_quick_question_to_its_answer(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.locator("[data-quick]").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".reply")).to_be_focused()
        story.released.set()
        answered(page)
        expect(page.locator(".reply")).to_be_focused()

    visit(use, ann)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([fails(401)], "did not accept Meddie's key"),
        ([fails(500)] * 4, "cannot be reached at the moment"),
        ([disconnects("Half a sent")], "broke off"),
    ],
    ids=["wrong key", "down", "broken off"],
)
def test_failed_reply_says_what_to_do_and_can_be_regenerated(
    visit, ann, openai_server, answers, sentence
):
    def use(page: Page) -> str:
        page.goto("/chat/new")
        send(page, "Hello?")
        expect(replies(page).get_by_text(sentence)).to_be_visible()
        page.get_by_role("button", name="Try again").click()
        expect(replies(page).get_by_text("Here I am.")).to_be_visible()
        expect(replies(page)).to_have_count(1)
        return answered(page)

    openai_server.chat.queue(*answers)
    openai_server.chat.default = lambda _body: says("Here I am.")
    assert visit(use, ann) == "Here I am."
    assert Message.objects.current().count() == 2


def test_everything_can_be_done_with_the_keyboard(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).not_to_be_focused()
        page.keyboard.press("Shift+Tab")
        box(page).focus()
        page.keyboard.type("First line")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("second line")
        expect(box(page)).to_have_value("First line\nsecond line")
        page.keyboard.press("Enter")
        expect(log(page).locator(".user .bubble")).to_have_text(
            "First line\nsecond line", use_inner_text=True
        )
        answered(page)
        expect(box(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(replies(page)).to_have_count(1)

    openai_server.chat.default = lambda _body: says("Yes.")
    visit(use, ann)


def test_conversation_is_renamed_with_the_keyboard(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        actions(page).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="Rename")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("textbox", name="Title")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(actions(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="Rename")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("textbox", name="Title")).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type("Two lines")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Two lines")).to_be_visible()

    openai_server.chat.default = lambda _body: says("Yes.")
    visit(use, ann)


def test_the_skip_link_is_the_first_stop(visit, ann):
    def use(page: Page) -> None:
        page.goto("/people")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("main")).to_be_focused()

    visit(use, ann)


def test_edited_message_replaces_the_old_one_and_all_after_it(
    visit, ann, openai_server
):
    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        say(page, "Since Monday.")
        page.locator(".user").first.hover()
        page.get_by_role("button", name="Edit").first.click()
        words = page.get_by_role("dialog").get_by_role("textbox", name="Message")
        expect(words).to_be_focused()
        expect(words).to_have_value("My knee hurts.")
        words.fill(" ")
        page.get_by_role("button", name="Save and ask again").click()
        expect(page.get_by_text("Write something first.")).to_be_visible()
        words.fill("My elbow hurts.")
        page.get_by_role("button", name="Save and ask again").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        answered(page)
        return page.locator(".bubble").all_inner_texts()

    openai_server.chat.default = lambda _body: says("I see.")
    assert visit(use, ann) == ["My elbow hurts."]


def test_delete_says_what_stays_and_can_be_left_by_escape(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        actions(page).click()
        choose(page, "Delete")
        expect(page.get_by_role("dialog")).to_contain_text(
            "What Meddie remembers about you stays"
        )
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        actions(page).click()
        choose(page, "Delete")
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Deleted for good:")).to_be_visible()
        expect(page.get_by_text("No conversations yet.")).to_be_visible()

    visit(use, ann)


@pytest.mark.req("S0-61", "B-02")
def test_change_of_notes_can_be_undone(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        expect(page.get_by_role("combobox", name="About")).to_have_value(str(me.pk))
        say(page, "I have asthma.")
        expect(page.get_by_text("Saved to Health notes: Asthma")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("Undone")).to_be_visible()
        expect(page.get_by_role("combobox", name="About")).to_have_count(0)

    me = PersonFactory(space=ann.memberships.get().space, user=ann, name="Ann")
    block = (
        '```json\n{"profile_updates": [{"field": "health_notes", "action": "append",'
        ' "text": "Asthma"}]}\n```'
    )
    openai_server.chat.default = lambda _body: says(f"Noted.\n\n{block}")
    visit(use, ann)
    me.refresh_from_db()
    assert me.health_notes == ""


def test_quick_questions_follow_the_person_and_are_sent_at_once(
    visit, ann, openai_server
):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.get_by_role("combobox", name="About").select_option("Tomek")
        expect(page.get_by_text("Ask Meddie about Tomek's health")).to_be_visible()
        question = "What should Tomek monitor, given their health history?"
        page.get_by_role("button", name=question).click()
        expect(log(page).locator(".bubble")).to_have_text(question)
        answered(page)
        expect(
            page.locator("#chat-head").get_by_text("Tomek", exact=True)
        ).to_be_visible()
        expect(page.locator(".welcome")).to_have_count(0)

    openai_server.chat.default = lambda _body: says("Your knee.")
    space = ann.memberships.get().space
    PersonFactory(space=space, name="Tomek", health_notes="- Knee")
    visit(use, ann)
