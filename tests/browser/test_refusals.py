"""What the page shows when a message is refused, by Meddie or a proxy."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import answered, box, log, say, send
from tests.openai_answers import says


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (400, "A message may have 20,000 characters"),
        (404, "The household or the person of this conversation is no longer there."),
        (403, "Something went wrong."),
        (413, "A message may have 20,000 characters"),
        (418, "Something went wrong."),
        (502, "Something went wrong."),
    ],
)
def test_page_shows_every_refusal_and_keeps_the_text(visit, ann, status, sentence):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.route(
            "**/chat/send",
            lambda route: route.fulfill(status=status, body="<h1>From a proxy</h1>"),
        )
        send(page, "A long thought")
        expect(page.get_by_text(sentence)).to_be_visible()
        expect(box(page)).to_have_value("A long thought")
        expect(log(page).locator("> *")).to_have_count(0)

    visit(use, ann)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (404, "This is no longer there."),
        (413, "This is too large to send."),
        (500, "Something went wrong."),
        (None, "Meddie could not be reached."),
    ],
)
def test_failed_action_is_reported_beside_its_button(visit, ann, status, sentence):
    def fail(route) -> None:
        route.abort() if status is None else route.fulfill(status=status, body="?")

    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Hello")
        page.route("**/again", fail)
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("alert").get_by_text(sentence)).to_be_visible()
        page.locator(".user").hover()
        page.get_by_role("button", name="Edit").click()
        expect(page.get_by_text(sentence)).to_have_count(0)
        page.route("**/edit", fail)
        page.get_by_role("button", name="Save and ask again").click()
        told = page.get_by_role("dialog").get_by_role("alert")
        expect(told.get_by_text(sentence)).to_be_visible()

    visit(use, ann)


def test_failed_stop_request_is_reported(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.route(
            "**/stop",
            lambda route: route.fulfill(
                status=503,
                headers={"HX-Retarget": "#composer-note", "HX-Reswap": "innerHTML"},
                body="The reply could not be stopped.",
            ),
        )
        send(page, "Tell me a story.")
        page.get_by_role("button", name="Stop").click()
        told = page.get_by_role("alert").get_by_text("could not be stopped")
        expect(told).to_be_visible()
        expect(page.get_by_text("Something went wrong.")).to_have_count(0)
        openai_server.released.set()
        answered(page)

    openai_server.chat.default = lambda _body: says("Once upon a time. ", hold=1)
    visit(use, ann)


@pytest.mark.parametrize(
    "limit", [{"DATA_UPLOAD_MAX_MEMORY_SIZE": 10_000}, {"MAX_BODY_MB": 0.01}], ids=str
)
def test_much_too_long_message_is_refused_with_a_sentence(visit, ann, settings, limit):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, "A long thought. " * 1_000)
        sentence = "A message may have 20,000 characters"
        expect(page.get_by_text(sentence)).to_be_visible()
        expect(box(page)).to_have_value("A long thought. " * 1_000)

    for name, value in limit.items():
        setattr(settings, name, value)
    visit(use, ann)


def test_stream_of_a_deleted_reply_ends(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.route("**/chat/reply/**", lambda route: route.fulfill(status=404))
        send(page, "Hello")
        expect(page.get_by_text("This conversation has been deleted.")).to_be_visible()
        expect(page.locator(".growing")).to_have_count(0)
        page.unroute("**/chat/reply/**")
        page.get_by_role("button", name="New conversation").click()
        say(page, "Hello again")

    visit(use, ann)
