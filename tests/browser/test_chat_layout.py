"""The chat page on a phone, without scripts, and with long conversations."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import (
    actions,
    answered,
    box,
    log,
    replies,
    rows,
    say,
    send,
    start_conversation,
)
from tests.conversations import transcripts
from tests.factories import PersonFactory
from tests.openai_answers import says, stalls

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


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
        page.get_by_role("button", name="Send", exact=True).tap()
        answered(page)
        log(page).locator(".bubble").tap()  # shows the actions
        for name in ("Send", "Menu", "New conversation", "Copy"):
            size = page.get_by_role("button", name=name).first.bounding_box()
            assert size is not None
            assert min(size["width"], size["height"]) >= 44, name
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.get_by_role("button", name="Menu").tap()
        page.get_by_role("link", name="All conversations").tap()
        expect(rows(page, "All conversations")).to_have_count(1)
        page.get_by_role("searchbox", name="Search").fill("three")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Nothing contains “three”.")).to_be_visible()

    visit(use, ann, **PHONE)


def test_list_follows_the_conversation(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        links = rows(page)
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
        page.get_by_role("textbox", name="Message", exact=True).fill("My elbow hurts.")
        page.get_by_role("button", name="Save and ask again").click()
        expect(log(page).locator(".bubble")).to_have_text("My elbow hurts.")
        actions(page).click()
        page.get_by_role("link", name="Delete").click()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Deleted for good:")).to_be_visible()

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
        expect(rows(page, "Rozmowy")).to_have_count(1)
        expect(page.get_by_text("To nie jest porada lekarska.")).to_be_visible()
        return page.locator("html").get_attribute("lang") or ""

    ann.locale = "pl"
    ann.save()
    assert visit(use, ann) == "pl"


def test_answer_is_near_its_question(visit, ann, openai_server):
    def use(page: Page) -> list[float]:
        page.goto("/chat/new")
        say(page, "My knee hurts.")
        log(page).locator(".bubble").hover()
        button = log(page).get_by_role("button", name="Edit")
        expect(button).to_be_visible()
        parts = (log(page).locator(".bubble"), button, replies(page).locator(".blocks"))
        boxes: list[Any] = [part.bounding_box() or {} for part in parts]
        return [
            boxes[2]["y"] - boxes[0]["y"] - boxes[0]["height"],
            boxes[2]["y"] - boxes[1]["y"] - boxes[1]["height"],
        ]

    openai_server.chat.default = lambda _body: says("I see.")
    gap, overlap = visit(use, ann)
    assert gap == 24
    assert overlap >= 0


def test_first_page_has_one_heading_and_then_the_title_is_it(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        main = page.get_by_role("main").get_by_role("heading")
        expect(main).to_have_text(["Start a conversation with Meddie"])
        say(page, "My knee hurts.")
        first = page.get_by_role("main").get_by_role("heading", level=1)
        expect(first).to_have_text(["My knee hurts."])

    visit(use, ann)
    visit(use, ann, **PHONE)


def test_rail_keeps_its_height_for_conversations(visit, ann):
    space = ann.memberships.get().space
    for days in range(30):
        transcripts.start_conversation(ann, space, title="Knee", days_ago=days)

    def use(page: Page) -> float:
        page.goto("/chat/new")
        scroll: Any = page.locator("#conversations").bounding_box() or {}
        menu = page.get_by_role("button", name="Menu: Ann")
        menu.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name="Account")).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="All conversations")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name="Account")).to_be_hidden()
        expect(menu).to_be_focused()
        return float(scroll["height"])

    assert visit(use, ann, viewport={"width": 1280, "height": 900}) > 650


def test_composer_is_at_the_foot_and_the_page_at_its_top_on_a_phone(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        expect(box(page)).to_be_visible()
        foot = "document.getElementById('composer').getBoundingClientRect().bottom"
        assert page.evaluate(f"[scrollY, innerHeight - {foot}]") == [0, 0]

    visit(use, ann, **PHONE)


SIDEWAYS = {**PHONE, "viewport": {"width": 640, "height": 360}}


@pytest.mark.parametrize("device", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_menu_and_new_conversation_stay_on_a_phone(visit, ann, openai_server, device):
    def use(page: Page) -> float:
        page.goto("/chat/new")
        for number in range(6):
            say(page, f"This is message {number}.")
        for name in ("Menu", "New conversation"):
            expect(page.get_by_role("button", name=name).first).to_be_in_viewport()
        composer: Any = page.locator("#composer").bounding_box()
        return float(composer["height"])

    openai_server.chat.default = lambda _body: says("I see.\n\n" * 5)
    assert visit(use, ann, **device) < 140


def test_one_chip_opens_the_choices_on_a_phone(visit, ann, openai_server):
    PersonFactory(space=ann.memberships.get().space, user=ann, name="Ann")

    def use(page: Page) -> None:
        page.goto("/chat/new")
        chip = page.get_by_role("button", name="About, memory and model")
        forgetful = page.get_by_label("Don't remember this conversation")
        expect(chip).to_contain_text("About: Ann")
        expect(forgetful).to_be_hidden()
        size = box(page).bounding_box()
        assert size
        assert size["width"] > 300
        chip.press("Enter")
        expect(chip).to_have_attribute("aria-expanded", "true")
        forgetful.check()
        expect(chip).to_contain_text("About: Ann · Not remembered")
        say(page, "Which tea?")
        expect(page.get_by_text("This conversation is not remembered")).to_be_visible()
        expect(chip).to_contain_text("Not remembered")

    visit(use, ann, **PHONE)


def test_styles_that_a_browser_left_are_not_copied(visit, ann, openai_server):
    """The content policy would refuse them; an extension leaves such attributes."""

    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.locator("#forgetful").evaluate("box => { box.style.color = '' }")
        say(page, "Which tea?")

    visit(use, ann)


def test_running_conversation_is_switched_by_the_keyboard(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Which tea?")
        box(page).fill("half a")
        forgetful = page.get_by_label("Don't remember this conversation")
        forgetful.press("Space")
        said = page.get_by_text("This conversation is not remembered")
        expect(said).to_be_visible()
        expect(forgetful).to_be_focused()
        expect(box(page)).to_have_value("half a")
        forgetful.press("Space")
        expect(said).to_have_count(0)

    visit(use, ann)


def test_switch_that_was_not_heard_goes_back(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Which tea?")
        page.context.set_offline(True)
        forgetful = page.get_by_label("Don't remember this conversation")
        forgetful.click()
        expect(page.get_by_text("Meddie could not be reached.")).to_be_visible()
        expect(forgetful).not_to_be_checked()

    visit(use, ann)


def test_answer_that_does_not_begin_says_that_it_takes_long(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, "Which tea?")
        expect(page.get_by_text("Meddie is thinking")).to_be_visible()
        expect(page.get_by_text("This takes longer than usual.")).to_be_visible()
        page.get_by_role("button", name="Stop", exact=True).click()
        answered(page)

    openai_server.chat.default = lambda _body: stalls()
    visit(use, ann)


def test_tab_has_the_title_of_a_conversation_that_began(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Which tea?")
        expect(page.locator("#chat-head h1")).to_have_text("Which tea?")
        expect(page).to_have_title("Which tea? · Meddie")

    visit(use, ann)
