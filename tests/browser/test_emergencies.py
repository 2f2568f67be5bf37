"""The note about an emergency on the page: at once, readable, and kept."""

import threading
from dataclasses import replace

from playwright.sync_api import Page, expect

from meddie.ai import client
from tests.browser.chat import again, answered, send
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.openai_answers import fails, says

CHEST = "I have chest pain and my left arm is numb."


def test_note_is_shown_before_the_first_word_and_kept(
    visit, ann, openai_server, monkeypatch
):
    shown = threading.Event()

    def slow(_body):
        shown.wait(20)
        return says("Sit down and wait.")

    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        send(page, CHEST)
        alert = page.get_by_role("alert", name="Emergency")
        expect(alert).to_contain_text("Call 112")
        expect(page.locator(".growing .blocks")).to_be_empty()
        found = violations_in_both(page)
        shown.set()
        assert answered(page) == "Sit down and wait."
        expect(alert).to_have_count(1)
        page.reload()
        note = page.get_by_role("note", name="Emergency")
        expect(note).to_contain_text("Call 112")
        reply = page.locator(".blocks").bounding_box()
        above = note.bounding_box()
        assert reply is not None
        assert above is not None
        assert above["y"] < reply["y"]
        return [*found, *violations_in_both(page)]

    monkeypatch.setattr(client, "LIMITS", replace(client.LIMITS, first_token=20))
    openai_server.chat.default = slow
    found = visit(use, ann, **AXE_PAGE)
    assert found == [], "\n".join(found)


def test_note_is_shown_with_the_daily_limit(visit, ann, settings):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, CHEST)
        refusal = page.get_by_role("alert").filter(has_text="daily message limit")
        expect(refusal).to_contain_text("This may be an emergency. Call 112")

    settings.DAILY_MESSAGES = 0
    visit(use, ann)


def test_note_stays_when_the_provider_fails_and_after_a_retry(
    visit, ann, openai_server
):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        send(page, CHEST)
        expect(page.locator(".reply.failed")).to_be_visible()
        expect(page.get_by_label("Emergency")).to_contain_text("Call 112")
        openai_server.chat.default = lambda _body: says("Sit down.")
        assert again(page) == "Sit down."
        expect(page.get_by_label("Emergency")).to_have_count(1)

    openai_server.chat.default = lambda _body: fails(500)
    visit(use, ann)
