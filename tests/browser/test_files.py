"""Files in the chat: by button, drop and paste, with progress, errors and keyboard."""

import re

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.chat import answered, box, log, send
from tests.browser.files import LETTER, PICTURE, add_files, arrived, carry, unsent
from tests.conversations import transcripts
from tests.conversations.attachments.sent import png
from tests.openai_answers import says


def test_files_are_added_removed_and_sent_with_a_message(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        add_files(page, LETTER, PICTURE, LETTER)
        arrived(page, 3)
        page.get_by_role("button", name="Remove letter.txt").first.press("Enter")
        arrived(page, 2)
        expect(page.get_by_role("button", name="Remove a.png")).to_be_focused()
        send(page, "What is it?")
        answered(page)
        shown = log(page).get_by_role("list", name="Files")
        expect(shown.get_by_role("link")).to_have_count(2)
        expect(shown.get_by_role("img", name="Picture: a.png")).to_be_visible()
        expect(shown.get_by_text("Reading…")).to_have_count(2)
        expect(unsent(page)).to_have_count(0)
        page.reload()
        expect(shown.get_by_role("link")).to_have_count(2)

    visit(use, ann)


def test_picture_is_shown_whole_with_its_name_and_the_log_stays_at_its_end(
    visit, ann, openai_server
):
    conversation = transcripts.start_conversation(
        ann, ann.memberships.get().space, title="Long"
    )
    transcripts.many(conversation, 20)
    letter: FilePayload = {
        "name": "box of amoxicillin.png",
        "mimeType": "image/png",
        "buffer": png(800, 200),
    }
    answer = "A box of tablets.\n\n" * 8
    openai_server.chat.default = lambda _body: says(answer)

    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        add_files(page, letter, LETTER)
        arrived(page, 2)
        send(page, "What is it?")
        answered(page)
        image = log(page).get_by_role("img", name="Picture: box of amoxicillin.png")
        expect(image).to_be_attached()
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("button", name="To the newest message")).to_be_hidden()
        end = "document.documentElement.scrollHeight - innerHeight - scrollY"
        assert page.evaluate(end) < 2
        assert image.evaluate("image => getComputedStyle(image).objectFit") == "contain"
        image.scroll_into_view_if_needed()
        expect(log(page).get_by_text("box of amoxicillin.png")).to_be_visible()

    visit(use, ann, viewport={"width": 1000, "height": 600})


def test_dropped_and_pasted_files_are_sent_without_text(visit, ann, openai_server):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        carry(page, "dragover")
        expect(page.get_by_text("Drop files to add them")).to_be_visible()
        carry(page, "drop")
        expect(page.get_by_text("Drop files to add them")).to_be_hidden()
        carry(page, "paste")
        arrived(page, 2)
        box(page).press("Enter")
        answered(page)
        expect(log(page).get_by_role("img")).to_have_count(2)

    visit(use, ann)


def test_refused_files_say_why_and_the_text_stays(visit, ann, settings):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        box(page).fill("A long thought")
        strange: FilePayload = {
            "name": "a.bin",
            "mimeType": "",
            "buffer": b"\x00\x01\x02",
        }
        large: FilePayload = {
            "name": "b.txt",
            "mimeType": "",
            "buffer": b"x" * 1_100_000,
        }
        add_files(page, strange, large)
        told = unsent(page).get_by_role("alert")
        expect(told.first).to_have_text(re.compile("can’t read this kind of file"))
        expect(told.last).to_have_text(re.compile("too large to send: at most 1.0"))
        expect(box(page)).to_have_value("A long thought")
        page.get_by_role("button", name="Remove: a.bin").click()
        expect(unsent(page)).to_have_count(1)

    settings.FILE_MB = 1
    visit(use, ann)


def test_message_waits_for_its_files_and_shows_their_progress(visit, ann):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        held = []
        page.route("**/chat/files", lambda route: held.append(route))  # noqa: PLW0108 -- Playwright marks its handlers
        add_files(page, LETTER)
        expect(page.get_by_role("progressbar", name="Uploaded")).to_be_visible()
        send(page, "What is it?")
        expect(page.get_by_text("is sent when its files have arrived")).to_be_visible()
        expect(log(page).locator("> *")).to_have_count(0)
        held[0].continue_()
        answered(page)
        expect(page.locator("#waiting-note")).to_be_hidden()
        expect(
            log(page).get_by_role("link", name=re.compile("letter.txt"))
        ).to_be_visible()

    visit(use, ann)


def test_refused_message_keeps_its_files(visit, ann, settings):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        add_files(page, LETTER)
        arrived(page, 1)
        send(page, "What is it?")
        expect(page.get_by_text("daily message limit")).to_be_visible()
        arrived(page, 1)
        expect(box(page)).to_have_value("What is it?")

    settings.DAILY_MESSAGES = 0
    visit(use, ann)
