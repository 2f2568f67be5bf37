"""Talking, in a browser: at once, without a mouse, through reloads and mishaps."""

import re

import pytest
from playwright.sync_api import Page, expect

from conversations.models import Message
from tests.browser.chat import (
    answered,
    box,
    log,
    replies,
    say,
    send,
    start_conversation,
)
from tests.conversations import transcripts
from tests.factories import PersonFactory, SpaceFactory, UserFactory
from tests.openai_server import disconnects, fails, says

pytestmark = pytest.mark.browser

PARTS = tuple(f"Part {n} of **the story** goes on.\n\n" for n in range(1, 13))
STORY = "".join(PARTS)
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


@pytest.fixture
def story(openai_server):
    """A provider that tells ten parts of a story, and the rest once it is released."""
    openai_server.chat.default = lambda _body: says(STORY, pieces=PARTS, hold=10)
    return openai_server


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
        expect(page.get_by_role("button", name="Send")).to_be_hidden()
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
        page.get_by_role("button", name="Send").focus()
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
        page.get_by_role("button", name="Rename").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("textbox", name="Title")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.get_by_role("button", name="Rename")).to_be_focused()
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
        words = page.get_by_role("textbox", name="Your words")
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
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("dialog")).to_contain_text(
            "Facts that Meddie remembers"
        )
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.get_by_text("The conversation has been deleted.")).to_be_visible()
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
        expect(page.get_by_text("Reverted")).to_be_visible()
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
        question = "What should I monitor given my health history?"
        page.get_by_role("button", name=question).click()
        expect(log(page).locator(".bubble")).to_have_text(question)
        answered(page)
        expect(page.locator("#chat-head").get_by_text("Tomek")).to_be_visible()
        expect(page.locator(".welcome")).to_have_count(0)

    openai_server.chat.default = lambda _body: says("Your knee.")
    space = ann.memberships.get().space
    PersonFactory(space=space, name="Tomek", health_notes="- Knee")
    visit(use, ann)


def test_text_is_kept_when_the_session_ends(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        box(page).fill("A long thought")
        page.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Send").click()
        expect(page).to_have_url(re.compile("/sign-in"))
        page.get_by_role("textbox", name="E-mail address").fill("ann@example.com")
        page.get_by_role("textbox", name="Password").fill("a quiet long sentence")
        page.get_by_role("button", name="Sign in").click()
        expect(box(page)).to_have_value("A long thought")

    visit(use, ann)


def test_words_written_before_the_script_has_loaded_are_kept(visit, ann):
    def use(page: Page) -> None:
        held = []
        page.route("**/chat*.js", lambda route: held.append(route))  # noqa: PLW0108 -- Playwright marks its handlers
        page.goto("/chat/new", wait_until="commit")
        box(page).fill("A long thought")
        held[0].continue_()
        page.unroute("**/chat*.js")
        page.wait_for_load_state()
        page.goto("/people")
        page.goto("/chat/new")
        expect(box(page)).to_have_value("A long thought")

    visit(use, ann)


def test_message_whose_response_was_lost_is_shown_once(visit, ann, openai_server):
    def use(page: Page) -> list[str]:
        page.goto("/chat/new")

        def lose(route) -> None:
            route.fetch()
            route.abort()

        for text in ("My knee hurts.", "Since Monday."):
            page.route("**/chat/send", lose)
            send(page, text)
            expect(page.get_by_text("Your words were not delivered.")).to_be_visible()
            expect(box(page)).to_have_value(text)
            page.unroute("**/chat/send")
            page.get_by_role("button", name="Send").click()
            expect(log(page).locator(".bubble").last).to_have_text(text)
            answered(page)
        return page.locator(".message").evaluate_all("all => all.map((m) => m.id)")

    openai_server.chat.default = lambda _body: says("I see.")
    there = visit(use, ann)
    stored = Message.objects.in_order()
    assert there == [f"message-{one.pk}" for one in stored]
    assert len(there) == 4


def test_next_user_finds_no_text_of_the_previous_one(visit, ann):
    def sign_in(page: Page, email: str) -> None:
        page.get_by_role("textbox", name="E-mail address").fill(email)
        page.get_by_role("textbox", name="Password").fill("a quiet long sentence")
        page.get_by_role("button", name="Sign in").click()
        expect(box(page)).to_be_visible()
        page.wait_for_load_state()

    def use(page: Page) -> None:
        page.goto("/sign-in")
        sign_in(page, "ann@example.com")
        box(page).fill("A secret of Ann's")
        page.get_by_role("button", name="Sign out").click()
        sign_in(page, "bob@example.com")
        expect(box(page)).to_have_value("")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        sign_in(page, "ann@example.com")
        expect(box(page)).to_have_value("A secret of Ann's")

    SpaceFactory(members=[UserFactory(email="bob@example.com")])
    visit(use)


def test_signed_out_user_returns_to_the_conversation(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.route("**/stream", lambda route: route.fulfill(status=403))
        send(page, "Tell me a story.")
        expect(page).to_have_url(re.compile("/chat/[0-9a-f-]{36}$"))
        here = page.url
        page.context.clear_cookies(name="sessionid")
        expect(page).to_have_url(re.compile("/sign-in"))
        page.get_by_role("textbox", name="E-mail address").fill("ann@example.com")
        page.get_by_role("textbox", name="Password").fill("a quiet long sentence")
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(here)
        story.released.set()
        answered(page)

    visit(use, ann)


def test_text_is_kept_without_a_connection(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.context.set_offline(True)
        expect(page.get_by_text("You are offline.")).to_be_visible()
        send(page, "A long thought")
        expect(page.get_by_text("Your words were not delivered.")).to_be_visible()
        expect(box(page)).to_have_value("A long thought")
        expect(log(page).locator(".message")).to_have_count(0)
        page.context.set_offline(False)
        say(page, "A long thought")

    visit(use, ann)


def test_a_conversation_that_was_deleted_elsewhere_says_so(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Hello")
        second = page.context.new_page()
        second.goto(f"{page.url}/delete")
        second.get_by_role("button", name="Delete").click()
        expect(second).to_have_url(re.compile("/chat/new"))
        send(page, "Are you there?")
        expect(page.get_by_text("This conversation has been deleted.")).to_be_visible()
        expect(box(page)).to_have_value("Are you there?")

    visit(use, ann)


def test_daily_limit_is_explained_and_the_text_is_kept(visit, ann, settings):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, "One too many")
        sentence = "You've reached the daily message limit. Try again tomorrow."
        expect(page.get_by_text(sentence)).to_be_visible()
        expect(box(page)).to_have_value("One too many")

    settings.DAILY_MESSAGES = 0
    visit(use, ann)


def test_page_scrolls_only_for_a_reader_at_the_end(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, "Tell me a story.")
        expect(replies(page).get_by_text("Part 10")).to_be_in_viewport()
        question = log(page).locator(".bubble")
        expect(question).not_to_be_in_viewport()
        page.mouse.wheel(0, -2000)
        expect(question).to_be_in_viewport()
        story.released.set()
        answered(page)
        below = page.get_by_role("button", name="New text below")
        expect(below).to_be_visible()
        assert page.evaluate("scrollY") == 0
        below.click()
        expect(replies(page).get_by_text("Part 12")).to_be_in_viewport()

    visit(use, ann, viewport={"width": 800, "height": 400})


def test_a_phone_has_the_list_as_a_page_and_enter_breaks_the_line(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        box(page).tap()
        page.keyboard.type("One")
        page.keyboard.press("Enter")
        page.keyboard.type("two")
        expect(box(page)).to_have_value("One\ntwo")
        page.get_by_role("button", name="Send").tap()
        answered(page)
        for name in ("Send", "Menu", "New conversation", "Rename", "Copy"):
            size = page.get_by_role("button", name=name).first.bounding_box()
            assert size is not None
            assert min(size["width"], size["height"]) >= 44, name
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("link", name="Conversations").tap()
        conversations = page.get_by_role("list", name="Conversations").get_by_role(
            "link"
        )
        expect(conversations).to_have_count(1)
        page.get_by_role("searchbox", name="Search").fill("three")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Nothing contains “three”.")).to_be_visible()

    visit(use, ann, **PHONE)


def test_list_follows_the_conversation(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        links = page.get_by_role("list", name="Conversations").get_by_role("link")
        expect(links).to_have_count(1)
        expect(links.first).to_have_attribute("aria-current", "page")
        start_conversation(page)
        say(page, "My elbow hurts.")
        expect(links).to_have_count(2)
        page.get_by_role("searchbox", name="Search").fill("knee")
        expect(links).to_have_count(1)
        expect(links.first).to_contain_text("My knee hurts.")

    openai_server.chat.default = lambda _body: says("I see.")
    visit(use, ann)


def test_thousand_messages_are_loaded_in_parts(visit, ann):
    def read(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        expect(log(page).locator(".message")).to_have_count(50)
        expect(log(page).get_by_text("Answer 499")).to_be_in_viewport()
        log(page).get_by_text("Question 475").scroll_into_view_if_needed()
        page.get_by_role("link", name="Show earlier messages").click()
        expect(log(page).locator(".message")).to_have_count(100)
        expect(log(page).get_by_text("Question 475")).to_be_in_viewport()

    conversation = transcripts.start_conversation(
        ann, ann.memberships.get().space, title="Long"
    )
    transcripts.many(conversation, 500)
    visit(read, ann)


def test_chat_works_without_script(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, "My knee hurts.")
        expect(page).to_have_url(re.compile("/chat/[0-9a-f-]{36}$"))
        while (link := page.get_by_role("link", name="Reload")).count():
            link.click()
        expect(log(page).get_by_text("I see.")).to_be_visible()
        page.get_by_role("button", name="Edit").click()
        page.get_by_role("textbox", name="Your words").fill("My elbow hurts.")
        page.get_by_role("button", name="Save and ask again").click()
        expect(log(page).locator(".bubble")).to_have_text("My elbow hurts.")
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("The conversation has been deleted.")).to_be_visible()

    openai_server.chat.default = lambda _body: says("I see.")
    visit(use, ann, java_script_enabled=False)


@pytest.mark.parametrize("marks", ["> " * 30, "- " * 15, "> > - " * 10, "- > " * 12])
def test_deeply_nested_reply_fits(visit, ann, openai_server, marks):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Which tea?")
        answered(page)
        expect(replies(page).get_by_text("Camomile")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 360

    openai_server.chat.default = lambda _body: says(f"{marks}Camomile")
    visit(use, ann, viewport={"width": 360, "height": 740})


def test_long_words_and_long_messages_fit(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "a" * 300)
        say(page, "word " * 4_000)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        send(page, "word " * 4_001)
        expect(page.get_by_text("A message may have 20,000 characters")).to_be_visible()

    openai_server.chat.default = lambda _body: says(
        "b" * 300 + "\n\n|a|b|\n|-|-|\n|c|d|"
    )
    visit(use, ann, **PHONE)


@pytest.mark.req("B-20")
def test_polish_from_end_to_end(visit, ann):
    def use(page: Page) -> str:
        page.goto("/chat/new")
        page.get_by_role("textbox", name="Wiadomość").fill("Mam alergię na ibuprofen.")
        page.get_by_role("button", name="Wyślij").click()
        expect(page.locator(".growing, .waiting")).to_have_count(0)
        expect(page.get_by_role("log", name="Wiadomości")).to_be_visible()
        rows = page.get_by_role("list", name="Rozmowy").get_by_role("link")
        expect(rows).to_have_count(1)
        expect(page.get_by_text("To nie jest porada lekarska.")).to_be_visible()
        return page.locator("html").get_attribute("lang") or ""

    ann.locale = "pl"
    ann.save()
    assert visit(use, ann) == "pl"
