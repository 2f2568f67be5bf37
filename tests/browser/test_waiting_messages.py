"""Messages that wait for the end of a reply, its end by Esc, and lost connections."""

from playwright.sync_api import Locator, Page, expect

from conversations.models import Message
from tests.browser.chat import (
    PARTS,
    actions,
    answered,
    box,
    choose,
    log,
    replies,
    say,
    send,
)
from tests.openai_answers import disconnects, says


def queue(page: Page) -> Locator:
    return page.get_by_role("list", name="Messages that wait")


def begin_story(page: Page) -> None:
    page.goto("/chat/new")
    send(page, "Tell me a story.")
    expect(replies(page).get_by_text("Part 2")).to_be_visible()


def sent_texts() -> list[str]:
    sent = Message.objects.current().filter(role="user").in_order()
    return list(sent.values_list("content", flat=True))


def test_messages_wait_for_the_end_of_the_reply(visit, ann, story):
    def use(page: Page) -> None:
        begin_story(page)
        for text in ("And then?", "And after that?"):
            box(page).fill(text)
            later = page.get_by_role("button", name="Send when this reply has ended")
            expect(later).to_be_visible()
            box(page).press("Enter")
        expect(box(page)).to_have_value("")
        expect(queue(page).locator(".bubble")).to_have_text(
            ["And then?", "And after that?"]
        )
        box(page).fill("A draft")
        story.chat.default = lambda _body: says("The end.")
        story.released.set()
        expect(replies(page)).to_have_count(3)
        answered(page)
        expect(log(page).locator(".bubble")).to_have_text(
            ["Tell me a story.", "And then?", "And after that?"]
        )
        expect(queue(page)).to_be_hidden()
        expect(box(page)).to_have_value("A draft")

    visit(use, ann)
    assert sent_texts() == ["Tell me a story.", "And then?", "And after that?"]


def test_waiting_message_survives_a_reload_and_can_be_removed(visit, ann, story):
    def use(page: Page) -> None:
        begin_story(page)
        for text in ("And then?", "Stop"):
            box(page).fill(text)
            box(page).press("Enter")
        page.reload()
        expect(queue(page).locator(".bubble")).to_have_text(["And then?", "Stop"])
        queue(page).get_by_role("button", name="Remove").last.click()
        expect(box(page)).to_have_value("Stop")
        expect(box(page)).to_be_focused()
        box(page).fill("")
        story.chat.default = lambda _body: says("The end.")
        story.released.set()
        expect(replies(page)).to_have_count(2)
        answered(page)

    visit(use, ann)
    assert sent_texts() == ["Tell me a story.", "And then?"]


def test_arrow_up_takes_back_the_last_waiting_message(visit, ann, story):
    def use(page: Page) -> None:
        begin_story(page)
        for text in ("And then?", "And after taht?"):
            box(page).fill(text)
            box(page).press("Enter")
        box(page).press("ArrowUp")
        expect(box(page)).to_have_value("And after taht?")
        expect(queue(page).locator(".bubble")).to_have_text("And then?")
        box(page).press("ArrowUp")
        expect(queue(page).locator(".bubble")).to_have_text("And then?")

    visit(use, ann)


def test_messages_have_keys_without_https(visit, ann, story):
    keys = []

    def use(page: Page) -> None:
        page.add_init_script("delete Crypto.prototype.randomUUID")
        begin_story(page)
        box(page).fill("And then?")
        box(page).press("Enter")
        keys.append(queue(page).locator("[data-key]").get_attribute("data-key"))
        story.chat.default = lambda _body: says("The end.")
        story.released.set()
        expect(replies(page)).to_have_count(2)
        answered(page)

    visit(use, ann)
    assert Message.objects.get(content="And then?").pk.hex == keys[0]


def test_waiting_message_stays_after_a_reply_that_failed(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Hello")
        held = []
        page.route("**/chat/send", lambda route: held.append(route), times=1)  # noqa: PLW0108 -- Playwright marks its handlers
        send(page, "Tell me a story.")
        box(page).fill("And then?")
        box(page).press("Enter")
        expect(queue(page)).to_contain_text("And then?")
        held[0].continue_()
        expect(replies(page).last).to_contain_text("broke off")
        expect(queue(page)).to_contain_text("And then?")
        queue(page).get_by_role("button", name="Send now").click()
        expect(replies(page)).to_have_count(3)
        answered(page)
        expect(queue(page)).to_be_hidden()

    story.chat.queue(says("Hello."), disconnects("Half a sent"), says("Then."))
    visit(use, ann)
    assert sent_texts() == ["Hello", "Tell me a story.", "And then?"]


def test_escape_stops_the_reply_but_closes_a_dialog_first(visit, ann, story):
    def use(page: Page) -> None:
        begin_story(page)
        actions(page).click()
        choose(page, "Rename")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_text("You stopped this reply.")).to_be_visible()
        answered(page)

    visit(use, ann)


def test_lost_connection_is_told_until_it_is_back(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.route("**/stream", lambda route: route.abort())
        page.route("**/chat/reply/*", lambda route: route.abort())
        send(page, "Tell me a story.")
        lost = page.get_by_text("Connection lost. Trying again…")
        expect(lost).to_be_visible()
        page.unroute("**/stream")
        page.unroute("**/chat/reply/*")
        expect(replies(page).get_by_text("Part 2")).to_be_visible()
        expect(lost).to_be_hidden()
        story.released.set()
        assert f"Part {len(PARTS)}" in answered(page)

    visit(use, ann)


def test_short_break_of_the_connection_is_not_told(visit, ann, story):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.route("**/stream", lambda route: route.abort(), times=1)
        send(page, "Tell me a story.")
        expect(replies(page).get_by_text("Part 2")).to_be_visible()
        page.wait_for_timeout(2500)
        expect(page.locator("#connection-note")).to_have_text("")

    visit(use, ann)
