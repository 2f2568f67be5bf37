"""What is written on the chat page is kept when something else ends."""

import re

from playwright.sync_api import Page, expect

from conversations.models import Message
from tests.browser.chat import answered, box, log, say, send
from tests.factories import SpaceFactory, UserFactory
from tests.openai_answers import says


def test_text_is_kept_when_the_session_ends(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        box(page).fill("A long thought")
        page.context.clear_cookies(name="sessionid")
        page.get_by_role("button", name="Send", exact=True).click()
        expect(page).to_have_url(re.compile("/sign-in"))
        expect(
            page.get_by_text("You were signed out. What you wrote is kept.")
        ).to_be_visible()
        page.get_by_role("textbox", name="Email address").fill("ann@example.com")
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
            expect(page.get_by_text("Your message was not delivered.")).to_be_visible()
            expect(box(page)).to_have_value(text)
            page.unroute("**/chat/send")
            page.get_by_role("button", name="Send", exact=True).click()
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
        page.get_by_role("textbox", name="Email address").fill(email)
        page.get_by_role("textbox", name="Password").fill("a quiet long sentence")
        page.get_by_role("button", name="Sign in").click()
        expect(box(page)).to_be_visible()
        page.wait_for_load_state()

    def sign_out(page: Page) -> None:
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Sign out").click()

    def use(page: Page) -> None:
        page.goto("/sign-in")
        sign_in(page, "ann@example.com")
        box(page).fill("A secret of Ann's")
        sign_out(page)
        sign_in(page, "bob@example.com")
        expect(box(page)).to_have_value("")
        sign_out(page)
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
        page.get_by_role("textbox", name="Email address").fill("ann@example.com")
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
        expect(page.get_by_text("Your message was not delivered.")).to_be_visible()
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
