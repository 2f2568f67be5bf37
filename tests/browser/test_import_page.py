"""Files of other assistants, chats and health records on the import page, in a browser."""

import pytest
from playwright.sync_api import FilePayload, Page, expect

from memory.models import CaptureJob, Memory
from tests.browser.test_memory_page import home
from tests.conversations.exports import records
from tests.conversations.exports.shapes import ANDROID, CELLO
from tests.factories import PersonFactory

__all__ = ["home"]  # a fixture


@pytest.fixture
def emma(ann, home):
    return PersonFactory(space=home, name="Emma")


def choose(page: Page, name: str, text: str) -> None:
    payload = FilePayload(name=name, mimeType="text/plain", buffer=text.encode())
    page.get_by_label("File").set_input_files(payload)


def test_chat_asks_who_the_user_is_and_a_new_file_asks_again(visit, ann, home):
    def use(page: Page) -> None:
        page.goto("/memory/import")
        choose(page, "chat.txt", ANDROID)
        expect(page.get_by_text("Which name is yours?")).to_be_visible()
        page.get_by_role("button", name="Ann", exact=True).click()
        account = "2 of 3 messages of yours were read; 1 is a file."
        expect(page.get_by_text(account)).to_be_visible()
        choose(page, "other.txt", ANDROID.replace("Ann", "Anna"))
        expect(page.get_by_text("Which name is yours?")).to_be_visible()
        page.get_by_role("button", name="Anna").click()
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.get_by_text("Meddie is reading 2 messages.")).to_be_visible()

    visit(use, ann)
    texts = {job.payload["text"] for job in CaptureJob.objects.all()}
    assert CELLO in texts


def test_health_record_is_previewed_and_given_to_the_person_it_is_about(
    visit, ann, emma
):
    def use(page: Page) -> None:
        page.goto("/memory/import")
        choose(page, "record.json", records.FHIR)
        told = "This is the health record of Emma Li Berg, 2019-04-02. Whose is it?"
        expect(page.get_by_text(told)).to_be_visible()
        mine = page.get_by_role("button", name="Mine")
        expect(mine).to_have_attribute("aria-pressed", "false")
        mine.click()
        expect(mine).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Emma", exact=True).click()
        expect(mine).to_have_attribute("aria-pressed", "false")
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.get_by_text("things imported.")).to_be_visible()

    visit(use, ann)
    assert {memory.person for memory in Memory.objects.active()} == {emma}
