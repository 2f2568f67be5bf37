"""The actions under messages: hidden until they are wanted, and what they do."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from conversations.models import Feedback
from tests.browser.chat import log, replies, say
from tests.browser.test_chat_layout import PHONE
from tests.conversations import transcripts
from tests.openai_answers import says

# A browser that speaks at once, and records what it said.
VOICE = """
window.spoken = [];
window.SpeechSynthesisUtterance = class extends EventTarget {
  constructor(text) { super(); this.text = text; }
};
window.voices = ["en-GB", "pl-PL"];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => window.voices.map((lang) => ({ lang })),
  speak: (part) => window.spoken.push([part.lang, part.text]),
  cancel: () => window.spoken.push("cancelled"),
}});
"""


@pytest.fixture
def conversation(ann):
    space = ann.memberships.get().space
    conversation = transcripts.start_conversation(ann, space, title="Knee pain")
    transcripts.exchange(conversation, "My knee hurts.", "Since **when**?")
    transcripts.exchange(conversation, "Since Monday.", "Rest it.\n\nCool it.")
    return f"/chat/{conversation.pk}"


def is_painted(part: Locator) -> bool:
    """Whether the place of an element has more than its background."""
    image = Image.open(BytesIO(part.screenshot(animations="disabled"))).convert("RGB")
    within = image.crop((2, 2, image.width - 2, image.height - 2))
    return len(within.getcolors(100_000) or ()) > 1


def actions(message: Locator) -> Locator:
    return message.locator(".message-actions").first


def wait_until_painted(part: Locator) -> None:
    for _ in range(100):
        if is_painted(part):
            return
        part.page.wait_for_timeout(100)
    raise AssertionError("nothing is painted")


def test_actions_appear_under_the_pointer(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        page.mouse.move(0, 0)
        first = actions(log(page).locator(".user").first)
        assert not is_painted(first)
        log(page).locator(".user").first.hover()
        wait_until_painted(first)
        assert is_painted(actions(replies(page).last))

    visit(use, ann)


def test_actions_appear_with_the_focus(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        first = log(page).locator(".user").first
        assert not is_painted(actions(first))
        page.get_by_role("link", name="Skip to content").focus()
        for _ in range(40):
            page.keyboard.press("Tab")
            if first.locator(":focus").count():
                break
        expect(first.get_by_role("button", name="Copy")).to_be_focused()
        wait_until_painted(actions(first))

    visit(use, ann)


def test_actions_appear_after_a_long_press(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        first, second = (log(page).locator(".user").nth(place) for place in (0, 1))
        assert not is_painted(actions(first))
        touch = {"pointerType": "touch", "bubbles": True}
        first.locator(".bubble").dispatch_event("pointerdown", touch)
        wait_until_painted(actions(first))
        first.locator(".bubble").dispatch_event("pointerup", touch)
        assert is_painted(actions(first))
        second.locator(".bubble").dispatch_event("pointerdown", touch)
        second.locator(".bubble").dispatch_event("pointerup", touch)
        page.wait_for_timeout(600)
        assert not is_painted(actions(second))
        assert not is_painted(actions(first))

    visit(use, ann, **PHONE)


def test_actions_are_there_without_script(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        assert is_painted(actions(log(page).locator(".user").first))

    visit(use, ann, java_script_enabled=False)


def test_conversation_of_an_app_is_shown_whole(visit, ann):
    def use(page: Page) -> None:
        page.goto(f"/chat/{of_app.pk}")
        bubble = log(page).locator(".bubble")
        assert bubble.evaluate("e => e.scrollHeight - e.clientHeight") < 2
        assert is_painted(actions(log(page).locator(".user")))

    space = ann.memberships.get().space
    of_app = transcripts.start_conversation(ann, space, channel="api")
    transcripts.exchange(of_app, "Line\n" * 40, "I see.")
    visit(use, ann)


def test_feedback_with_a_reason_can_be_changed_and_removed(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        last = replies(page).last
        last.get_by_role("button", name="Good reply").click()
        expect(last.get_by_label("What was good about it?")).to_be_visible()
        last.get_by_role("button", name="Bad reply").click()
        bad = last.get_by_role("button", name="Bad reply")
        expect(bad).to_have_attribute("aria-pressed", "true")
        expect(bad).to_be_focused()
        last.get_by_label("What was wrong with it?").fill("It is too short.")
        last.get_by_role("button", name="Save").click()
        expect(last.get_by_text("Your feedback is saved.")).to_be_visible()
        page.reload()
        last.get_by_role("button", name="Bad reply").click()
        reason = last.get_by_label("What was wrong with it?")
        expect(reason).to_have_value("It is too short.")

    def remove(page: Page) -> None:
        page.goto(conversation)
        replies(page).last.get_by_role("button", name="Bad reply").click()
        page.get_by_role("button", name="Remove feedback").click()
        expect(page.get_by_text("Your feedback has been removed.")).to_be_visible()

    visit(use, ann)
    stored = Feedback.objects.get()
    assert (stored.rating, stored.reason) == ("bad", "It is too short.")
    visit(remove, ann)
    assert not Feedback.objects.exists()


def test_feedback_works_without_script(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(conversation)
        page.get_by_role("button", name="Bad reply").last.click()
        page.get_by_label("What was wrong with it?").fill("Wrong")
        page.get_by_role("button", name="Save").click()
        expect(page).to_have_url(re.compile(f"{conversation}$"))

    visit(use, ann, java_script_enabled=False)
    assert Feedback.objects.get().reason == "Wrong"


def test_reply_is_read_aloud_in_the_language_of_the_page(visit, ann, conversation):
    def use(page: Page) -> list[object]:
        page.add_init_script(VOICE)
        page.goto(conversation)
        last = replies(page).last
        last.get_by_role("button", name="Read aloud").click()
        last.get_by_role("button", name="Stop reading").click()
        expect(last.get_by_role("button", name="Read aloud")).to_be_visible()
        return page.evaluate("spoken")

    assert visit(use, ann) == [["en", "Rest it."], ["en", "Cool it."], "cancelled"]


def test_reply_is_read_in_its_own_language_if_a_voice_speaks_it(
    visit, ann, openai_server
):
    def use(page: Page) -> list[str]:
        page.add_init_script(VOICE)
        page.goto("/chat/new")
        say(page, "Czy mogę brać ibuprofen?")
        replies(page).last.get_by_role("button", name="Read aloud").click()
        page.reload()
        replies(page).last.get_by_role("button", name="Read aloud").click()
        spoken = page.evaluate("spoken[0][0]")
        page.evaluate("voices = ['en-GB']; spoken.length = 0")
        replies(page).last.get_by_role("button", name="Stop reading").click()
        replies(page).last.get_by_role("button", name="Read aloud").click()
        return [spoken, page.evaluate("spoken.at(-1)[0]")]

    openai_server.chat.default = lambda _body: says("Nie, bo jesteś na niego uczulona.")
    assert visit(use, ann) == ["pl", "en"]


def test_browser_without_a_voice_offers_no_reading(visit, ann, conversation):
    def use(page: Page) -> None:
        page.add_init_script("delete window.speechSynthesis")
        page.goto(conversation)
        expect(replies(page)).to_have_count(2)
        expect(page.locator("[data-read]").last).to_be_hidden()

    visit(use, ann)


def test_long_message_is_folded(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "\n".join(f"Line {number}" for number in range(1, 41)))
        bubble = log(page).locator(".bubble")
        lines = "parseFloat(getComputedStyle(e).lineHeight) * 13.5 > e.offsetHeight"
        assert bubble.evaluate(f"e => {lines}")
        unfold = page.get_by_role("button", name="Show all")
        expect(unfold).to_have_attribute("aria-expanded", "false")
        unfold.click()
        assert not bubble.evaluate(f"e => {lines}")
        page.get_by_role("button", name="Show less").click()
        assert bubble.evaluate(f"e => {lines}")
        page.reload()
        expect(page.get_by_role("button", name="Show all")).to_be_visible()
        say(page, "\n".join(f"Line {number}" for number in range(1, 13)))
        expect(page.get_by_role("button", name="Show all")).to_have_count(1)

    openai_server.chat.default = lambda _body: says("I see.")
    visit(use, ann)
