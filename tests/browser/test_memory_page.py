"""The memory page, the line of used facts and the state of memory in a browser."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import FilePayload, Page, expect

from memory.models import Memory
from tests.browser.chat import box, say
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.conversations import transcripts
from tests.conversations.receipts import receive
from tests.factories import MemoryFactory, PersonFactory

FACT, SHOWN = "User is allergic to penicillin", "Is allergic to penicillin"


@pytest.fixture
def home(ann):
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    return space


@pytest.fixture
def fact(ann, home):
    return MemoryFactory(user=ann, space=home, content=FACT)


def open_memory(page: Page) -> None:
    page.goto("/account")
    page.get_by_role("link", name="Memory").click()
    expect(page.get_by_role("heading", name="Memory", level=1)).to_be_visible()
    page.wait_for_load_state()  # before its scripts run, "Add" leads to a page


def test_fact_is_corrected_undone_and_forgotten(visit, ann, fact):
    def use(page: Page) -> None:
        open_memory(page)
        page.get_by_role("button", name=f"Edit “{SHOWN}”").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("What is true")).to_have_value(SHOWN)
        dialog.get_by_label("What is true").fill("I am allergic to amoxicillin")
        dialog.get_by_role("button", name="Save").click()
        saved = page.get_by_text("Saved: I am allergic to amoxicillin")
        expect(saved).to_be_visible()
        page.get_by_text("1 earlier version").click()
        expect(page.get_by_text(f"Before: {SHOWN}")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text(SHOWN, exact=True)).to_be_visible()
        page.get_by_role("button", name=f"Forget “{SHOWN}”").click()
        expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        page.get_by_role("button", name=f"Forget “{SHOWN}”").click()
        dialog.get_by_role("button", name="Forget").click()
        expect(page.get_by_text("Nothing yet.")).to_be_visible()

    visit(use, ann)
    fact.refresh_from_db()
    assert (fact.content, fact.active) == ("", False)


def test_fact_is_added_by_the_keyboard(visit, ann, home):
    def use(page: Page) -> None:
        open_memory(page)
        page.get_by_role("button", name="Add").focus()
        page.keyboard.press("Enter")
        text = page.get_by_role("dialog").get_by_label("What is true")
        expect(text).to_be_focused()
        page.keyboard.type("Do I have cats?")
        for _about_name_save in range(3):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(
            page.get_by_text("Meddie remembers statements, not questions.")
        ).to_be_visible()
        text = page.get_by_label("What is true")
        text.fill("I have two cats")
        page.get_by_role("button", name="Save").press("Enter")
        expect(page.get_by_text("Remembered.")).to_be_visible()
        expect(page.get_by_text("I have two cats", exact=True)).to_be_visible()

    visit(use, ann)


def test_everything_is_forgotten_after_it_was_asked(visit, ann, home, fact):
    MemoryFactory(user=ann, space=home, content="User has two cats")

    def use(page: Page) -> None:
        open_memory(page)
        page.get_by_role("button", name="Forget all").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Forget all 2 things that Meddie remembers?")
        dialog.get_by_role("button", name="Forget all").click()
        expect(page.get_by_text("2 things forgotten.")).to_be_visible()

    visit(use, ann)


def test_page_works_without_scripts(visit, ann, fact):
    def use(page: Page) -> None:
        open_memory(page)
        page.get_by_label("Search what Meddie remembers").fill("penicillin")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("q=penicillin"))
        page.get_by_role("button", name=f"Forget “{SHOWN}”").click()
        page.get_by_role("button", name="Forget").click()
        expect(page.get_by_text("Nothing matches “penicillin”.")).to_be_visible()

    visit(use, ann, java_script_enabled=False)


def test_fact_told_in_a_chat_is_on_the_page_and_leads_back(visit, ann, home):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "I am allergic to ibuprofen.")
        conversation = page.url
        open_memory(page)
        expect(page.locator(".fact-text")).to_have_text("I am allergic to ibuprofen")
        page.get_by_role("main").get_by_role("link", name="from “").click()
        expect(page).to_have_url(re.compile(re.escape(conversation)))

    visit(use, ann)


def test_dropped_file_is_previewed_and_imported_by_the_keyboard(visit, ann, home):
    file: FilePayload = {
        "name": "memories.txt",
        "mimeType": "text/plain",
        "buffer": b"- User likes tea\n- User has two cats\n- User keeps bees\n",
    }
    retired = {"active": False, "retired_reason": "retracted"}
    MemoryFactory(
        user=ann,
        space=home,
        content="User keeps bees",
        linked=False,
        retired_at=timezone.now(),
        **retired,
    )

    def use(page: Page) -> list[str]:
        open_memory(page)
        page.get_by_role("link", name="Import").click()
        found = violations_in_both(page)
        page.get_by_label("File").set_input_files(file)
        expect(page.get_by_text("New: 2")).to_be_visible()
        expect(page.get_by_text("Likes tea")).to_be_visible()
        expect(page.get_by_text("Left out: 1")).to_be_visible()
        found += violations_in_both(page)
        page.get_by_label("File").set_input_files(
            {**file, "name": "a.json", "buffer": b"hello"}
        )
        refused = "This is none of the files that Meddie knows"
        expect(page.get_by_role("alert")).to_contain_text(refused)
        expect(page.get_by_role("button", name="Import")).to_have_count(0)
        page.get_by_label("File").set_input_files(file)
        page.get_by_label("Take it anyway").press("Space")
        page.get_by_role("button", name="Import").press("Enter")
        expect(page.get_by_text("3 things imported.")).to_be_visible()
        expect(page.get_by_text("Has two cats")).to_be_visible()
        return found

    assert visit(use, ann, **AXE_PAGE) == []


def test_used_facts_unfold_under_a_reply(visit, ann, home, fact):
    conversation = transcripts.start_conversation(ann, home)
    reply = transcripts.exchange(conversation, "May I take it?", "No.")
    receive(reply, fact.pk)

    def use(page: Page) -> None:
        page.goto(f"/chat/{conversation.pk}")
        expect(page.get_by_text(SHOWN)).to_be_hidden()
        page.get_by_text("Looked at 1 thing you told me").click()
        expect(page.get_by_text(SHOWN)).to_be_visible()
        page.get_by_role("link", name="All that Meddie remembers").click()
        expect(page).to_have_url(re.compile("/memory$"))

    visit(use, ann)


def test_used_facts_are_told_as_soon_as_a_reply_ends(visit, ann, fact):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "Am I allergic to penicillin?")
        expect(page.get_by_text("Looked at 1 thing you told me")).to_be_visible()

    visit(use, ann)


def test_memory_is_turned_on_from_the_head(visit, ann):
    ann.memory_on = False
    ann.save()

    def use(page: Page) -> None:
        page.goto("/chat/new")
        expect(page.get_by_label("Don't remember this conversation")).to_have_count(0)
        box(page).fill("A long thought")
        page.get_by_role("button", name="Turn on").click()
        expect(page.get_by_text("Memory is off")).to_have_count(0)
        expect(page.get_by_label("Don't remember this conversation")).to_be_visible()
        expect(box(page)).to_have_value("A long thought")

    visit(use, ann)


def test_deleting_a_conversation_forgets_what_was_said_there(visit, ann, home):
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "I am allergic to ibuprofen.")
        page.goto(f"{page.url}/delete")
        page.get_by_label("Also forget what I said here (1 thing)").check()
        page.get_by_role("button", name="Delete").click()
        told = page.get_by_text("Deleted for good, and 1 thing forgotten:")
        expect(told).to_be_visible()

    visit(use, ann)
    assert not Memory.objects.exclude(content="").exists()


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia")


@pytest.mark.parametrize("scripts", [True, False])
def test_an_unsure_fact_is_given_to_a_person_and_back(visit, ann, home, mia, scripts):
    MemoryFactory(user=ann, space=home, content="She takes montelukast", subject="?")

    def use(page: Page) -> None:
        page.goto("/memory")
        expect(page.get_by_role("heading", level=2).first).to_have_text("About whom?")
        page.get_by_role("button", name="Mia", exact=True).press("Enter")
        expect(page.get_by_text("1 thing moved: Mia")).to_be_visible()
        expect(page.get_by_role("heading", name="Mia", exact=True)).to_be_visible()
        page.get_by_role("button", name="Undo").press("Enter")
        expect(page.get_by_role("heading", name="About whom?")).to_be_visible()
        page.get_by_text("Someone else", exact=True).click()
        page.get_by_placeholder("Name or relation").fill("my mum")
        page.keyboard.press("Enter")
        expect(page.get_by_text("1 thing moved: Your mother")).to_be_visible()

    visit(use, ann, java_script_enabled=scripts)


def test_several_are_chosen_by_the_keyboard_and_moved(visit, ann, home, mia):
    for text in ("She has asthma", "She takes montelukast"):
        MemoryFactory(user=ann, space=home, content=text)

    def use(page: Page) -> None:
        page.goto("/memory")
        page.get_by_role("link", name="Select several").press("Enter")
        move = page.get_by_role("button", name="Move")
        expect(move).to_be_disabled()
        for text in ("She has asthma", "She takes montelukast"):
            page.get_by_role("checkbox", name=text).press("Space")
        expect(page.get_by_text("Selected: 2")).to_be_visible()
        page.get_by_label("Is about").select_option("Mia")
        move.press("Enter")
        expect(page.get_by_text("2 things moved: Mia")).to_be_visible()
        page.get_by_role("link", name="Person’s page").click()
        expect(page.get_by_text("She has asthma")).to_be_visible()

    visit(use, ann)


def test_list_is_filtered_as_soon_as_something_is_chosen(visit, ann, fact, mia):
    text = "Mia has asthma"
    MemoryFactory(user=ann, space=fact.space, content=text, subject="Mia", person=mia)

    def use(page: Page) -> None:
        page.goto("/memory")
        page.get_by_label("About").select_option("Mia")
        expect(page.get_by_text(SHOWN)).to_be_hidden()
        expect(page.get_by_text("1 thing of this kind")).to_be_visible()
        expect(page.locator(".fact-text")).to_have_text(text)

    visit(use, ann)


def test_page_with_open_questions_is_accessible(visit, ann, fact, mia):
    MemoryFactory(user=ann, space=fact.space, content="She has asthma", subject="?")
    paths = ("/memory", "/memory?select=1", "/memory/new", "/people/you")

    def look(page: Page) -> list[str]:
        found = []
        for path in paths:
            page.goto(path)
            found += violations_in_both(page)
        return found

    assert visit(look, ann, **AXE_PAGE) == []
