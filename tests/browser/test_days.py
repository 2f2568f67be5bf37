"""Lines between days, the way to the newest message, and where the focus begins."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from conversations.models import Message
from people.models import Space
from tests.browser.chat import box, log, replies, say
from tests.browser.test_chat_layout import PHONE
from tests.conversations import transcripts
from tests.openai_answers import says


@pytest.fixture
def conversation(ann):
    space = ann.memberships.get().space
    return transcripts.start_conversation(ann, space, title="Knee pain")


def exchange(conversation, *, days_ago, text="It hurts.", reply="Since when?"):
    told = transcripts.exchange(conversation, text, reply)
    at = timezone.now() - timedelta(days=days_ago)
    pks = [told.pk, told.answers_id]
    Message.objects.filter(pk__in=pks).update(created_at=at)
    return at


def test_a_line_names_each_day(visit, ann, conversation, openai_server):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        days = log(page).locator(".day")
        expect(days).to_have_text([f"{old:%A}, {old.day} {old:%B %Y}", "Yesterday"])
        expect(replies(page).last.locator("time")).to_have_text(f"{new:%H:%M}")
        say(page, "And today?")
        expect(days.last).to_have_text("Today")
        say(page, "Again today")
        expect(days).to_have_count(3)

    openai_server.chat.default = lambda _body: says("Rest it.")
    old = exchange(conversation, days_ago=400)
    exchange(conversation, days_ago=1)
    new = exchange(conversation, days_ago=1)
    visit(use, ann)


def test_day_is_named_once_when_earlier_messages_are_shown(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        expect(log(page).locator(".day")).to_have_text(["Today"])
        page.get_by_role("link", name="Show earlier messages").click()
        expect(log(page).get_by_text("Question 0")).to_be_attached()
        expect(log(page).locator(".day")).to_have_text(["Today"])

    transcripts.many(conversation, 40)
    visit(use, ann)


def test_button_leads_to_the_newest_message(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        below = page.get_by_role("button", name="To the newest message")
        expect(below).to_be_hidden()
        expect(replies(page).last).to_be_in_viewport()
        page.mouse.move(400, 200)
        page.mouse.wheel(0, -1500)
        expect(below).to_be_visible()
        below.click()
        expect(replies(page).last).to_be_in_viewport()
        expect(below).to_be_hidden()
        expect(box(page)).to_be_focused()

    transcripts.many(conversation, 20)
    visit(use, ann)


def test_box_is_one_step_away(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        expect(box(page)).to_be_focused()
        page.get_by_role("link", name="Skip to content").focus()
        page.keyboard.press("Tab")
        skip = page.get_by_role("link", name="Skip to message box")
        expect(skip).to_be_focused()
        page.keyboard.press("Enter")
        expect(box(page)).to_be_focused()

    exchange(conversation, days_ago=0)
    visit(use, ann)


@pytest.mark.parametrize("path", ["new", "stored"])
def test_phone_keeps_its_keyboard_closed(visit, ann, conversation, path):
    def use(page: Page) -> None:
        page.goto("/chat/new" if path == "new" else f"/chat/{conversation.pk}")
        expect(box(page)).to_be_visible()
        expect(box(page)).not_to_be_focused()

    exchange(conversation, days_ago=0)
    visit(use, ann, **PHONE)


def test_new_conversation_on_a_phone_is_not_covered(visit, ann):
    Space.objects.update(name="Family")

    def use(page: Page) -> None:
        page.goto("/chat/new")
        assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
        newest = page.get_by_role("button", name="To the newest message")
        expect(newest).to_be_hidden()
        hint = box(page).evaluate("e => e.scrollHeight")
        box(page).fill("A")
        assert box(page).evaluate("e => e.scrollHeight") == hint  # one line

    visit(use, ann, **PHONE | {"viewport": {"width": 360, "height": 400}})
