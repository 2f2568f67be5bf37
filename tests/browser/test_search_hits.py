"""Where a search leads: the message is unfolded, and the first hit in it is in view."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import log, rows
from tests.browser.test_chat_layout import PHONE
from tests.conversations import transcripts

IN_VIEW = """() => {
  const [hit] = CSS.highlights.get("hit") ?? [];
  if (!hit) return "";
  const { top, bottom } = hit.getBoundingClientRect();
  const foot = document.getElementById("composer").getBoundingClientRect().top;
  return top > 60 && bottom < foot ? hit.toString() : "";
}"""


@pytest.fixture
def conversation(ann):
    space = ann.memberships.get().space
    conversation = transcripts.start_conversation(ann, space, title="Log")
    days = [f"Day {number}: nothing" for number in range(1, 200)]
    days[150] = "Day 151: Fever (high)"
    transcripts.exchange(conversation, "\n".join(days), "\n\n".join(days))
    for number in range(5):
        transcripts.exchange(conversation, f"Question {number}", "Answer\n\n" * 20)
    return conversation


def test_folded_message_is_unfolded_and_shows_the_hit(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        page.get_by_role("searchbox", name="Search").fill("(high 151")
        expect(page.locator(".rail mark").first).to_be_visible()
        rows(page).first.click()
        expect(log(page).locator(".message:target")).to_have_count(1)
        page.wait_for_function(f"({IN_VIEW})() === '151'")

    conversation.messages.filter(content__contains="Fever", role="assistant").update(
        content="I see."
    )
    visit(use, ann)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["wide", "phone"])
def test_hit_far_down_in_a_reply_is_in_view(visit, ann, conversation, options):
    def use(page: Page) -> None:
        page.goto(f"/chat/message/{reply.pk}?q=fever")
        page.wait_for_function(f"({IN_VIEW})() === 'Fever'")

    reply = conversation.messages.filter(role="assistant").in_order().first()
    visit(use, ann, **options)


def test_folded_message_is_unfolded_by_its_address(visit, ann, conversation):
    def use(page: Page) -> None:
        page.goto(f"/chat/message/{message.pk}")
        expect(page.get_by_role("button", name="Show less")).to_be_visible()

    message = conversation.messages.filter(role="user").in_order().first()
    visit(use, ann)
