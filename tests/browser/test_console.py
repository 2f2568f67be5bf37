"""No page writes to the console."""

from playwright.sync_api import Page, expect

from tests.browser.chat import log, rows, say
from tests.conversations import transcripts
from tests.factories import PersonFactory
from tests.openai_answers import says


def listened(page: Page) -> list[str]:
    """The list that what the page writes to the console is added to."""
    written: list[str] = []
    page.on(
        "console",
        lambda said: written.append(f"{page.url}: {said.type} {said.text}"),
    )
    return written


def test_pages_write_nothing_to_the_console(visit, ann):
    def look(page: Page) -> list[str]:
        written = listened(page)
        for path in paths:
            page.goto(path)
            page.wait_for_load_state("networkidle")
        return written

    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    person = PersonFactory(space=space, user=ann)
    conversation = transcripts.start_conversation(ann, space, title="Knee pain")
    transcripts.exchange(conversation, "My knee hurts.", "Since **when**?")
    message = conversation.messages.get(role="user")
    paths = [
        *("/chat/new", f"/chat/{conversation.pk}", "/chat", "/chat?q=knee"),
        *("/chat?select=1", f"/chat/{conversation.pk}/rename", "/chat/keys"),
        f"/chat/message/{message.pk}?q=knee",
        *("/people", f"/people/{person.pk}", f"/people/{person.pk}/edit"),
        *("/memory", "/account", "/spaces/settings", f"/spaces/{space.pk}/settings"),
        "/model",
    ]
    assert visit(look, ann) == []


def test_guests_pages_write_nothing_to_the_console(visit):
    def look(page: Page) -> list[str]:
        written = listened(page)
        for path in ("/sign-in", "/password/reset", "/"):
            page.goto(path)
            page.wait_for_load_state("networkidle")
        return written

    assert visit(look) == []


def test_searching_and_talking_write_nothing_to_the_console(visit, ann, openai_server):
    def use(page: Page) -> list[str]:
        written = listened(page)
        page.goto("/chat/new")
        search = page.get_by_role("searchbox", name="Search")
        search.fill("knee")
        expect(page.get_by_text("Nothing contains “knee”.")).to_be_visible()
        search.fill("")
        say(page, "My knee hurts.")
        expect(rows(page)).to_have_attribute("aria-current", "page")
        search.fill("hurts")
        expect(page.locator(".rail mark").first).to_have_text("hurts")
        rows(page).first.click()
        expect(log(page).locator(".message:target")).to_have_count(1)
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        return written

    openai_server.chat.default = lambda _body: says("I see.")
    assert visit(use, ann) == []
