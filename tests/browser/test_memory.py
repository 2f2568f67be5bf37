"""A chat that remembers: the whole path of a new user."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from memory.models import Memory, MemoryPolicy, MemoryUpdate
from tests.browser.chat import log, replies, say, start_conversation
from tests.conversations.turns import noting, prompt_text
from tests.factories import PASSWORD, MemoryFactory
from tests.openai_answers import says
from tests.waiting import wait_until

BLOCK = ("memory_saves", "profile_updates", "```json", '{"')
WATCH = """
window.seen = [];
const look = () => window.seen.push(document.body?.innerText ?? "");
new MutationObserver(look).observe(document, {
  subtree: true, childList: true, characterData: true,
});
"""


@pytest.mark.req("S0-01", "S0-06", "S0-44", "S0-48", "B-01")
def test_fact_is_known_in_the_next_conversation(visit, ann) -> None:
    def use(page: Page) -> tuple[str, str, list[str]]:
        page.add_init_script(WATCH)
        page.goto("/")
        page.get_by_role("textbox", name="Email address").fill("ann@example.com")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        say(page, "I am allergic to ibuprofen. My mother has type 2 diabetes.")
        expect(page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}$"))
        seen = page.evaluate("window.seen")
        start_conversation(page)
        painkiller = say(page, "Which painkiller am I allergic to?")
        overview = say(page, "What do you know about me?")
        return painkiller, overview, [*seen, *page.evaluate("window.seen")]

    painkiller, overview, seen = visit(use)
    assert "ibuprofen" in painkiller
    assert "diabetes" not in painkiller
    assert "“I am allergic to ibuprofen”" in overview
    assert "“My mother has type 2 diabetes”" in overview
    assert len(seen) > 10
    assert [text for text in seen if any(part in text for part in BLOCK)] == []


def test_confirmation_is_searched_with_its_question(visit, ann, openai_server) -> None:
    space = ann.memberships.get().space
    MemoryPolicy.objects.create(space=space, facts_tokens=0)
    for fact in ("User is left-handed", "User has a dog"):
        MemoryFactory(user=ann, space=space, content=fact)
    question = "Shall I look for scissors for left-handed people?"
    openai_server.chat.queue(says(question), says("Here they are."))

    def use(page: Page) -> str:
        page.goto("/")
        say(page, "How do I cut paper?")
        return say(page, "Yes, please")

    assert visit(use, ann) == "Here they are."
    system = prompt_text(openai_server)
    assert "- User is left-handed (stated " in system
    assert "User has a dog" not in system


def lines(page: Page) -> Locator:
    return log(page).locator(".saved")


def test_lines_tell_live_what_was_stored_and_forgotten(visit, ann) -> None:
    """In one conversation with the offline stand-in, without a reload until the end."""

    def use(page: Page) -> list[str]:
        page.goto("/chat/new")
        answer = say(page, "I am allergic to ibuprofen.")
        assert "ibuprofen" not in answer
        told = "Remembered: I am allergic to ibuprofen"
        expect(lines(page)).to_contain_text([told])
        page.get_by_role("button", name="Undo").click()
        expect(lines(page)).to_contain_text(["Forgotten: 1 memory"])
        expect(page.get_by_role("button", name="Undo")).to_have_count(0)

        say(page, "I take ramipril.")
        say(page, "Please forget my ramipril.")
        expect(lines(page).last).to_contain_text("Forgotten:")

        say(page, "I have two cats.")
        say(page, "Forget everything about me.")
        question = "Forget the only memory? Say yes to confirm."
        expect(lines(page).last).to_contain_text(question)
        expect(page.get_by_role("button", name="Forget all")).to_be_visible()
        say(page, "Yes")
        expect(page.get_by_role("button", name="Forget all")).to_be_hidden()
        expect(lines(page).last).to_contain_text("Forgotten: 1 memory")
        page.reload()
        return lines(page).all_inner_texts()

    told = visit(use, ann)
    assert told[-1].split() == ["Forgotten:", "1", "memory", "Undo"]
    assert not Memory.objects.filter(active=True).exists()


def test_line_of_kept_and_refused_facts_comes_first_under_a_reply(
    visit, ann, openai_server
) -> None:
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    old: Any = MemoryFactory(user=ann, space=space, content="User lives in Sopot")
    saves = ["User lives in Gdynia", "User owns a yacht"]
    openai_server.chat.queue(noting("Noted, Gdynia.", memory_saves=saves))

    def resolve() -> None:
        """As the resolver does, a while after the reply."""
        found = Memory.objects.filter(content="User lives in Gdynia")
        wait_until(found.exists)
        Memory.objects.filter(pk=old.pk).update(
            active=False, retired_reason="superseded", retired_at=timezone.now()
        )
        MemoryUpdate.objects.create(user=ann, old=old, new=found.get(), reason="newer")
        connection.close()

    def use(page: Page) -> list[float]:
        page.goto("/chat/new")
        say(page, "Do I live in Sopot? I live in Gdynia now.")
        kept = lines(page).filter(has_text="Lives in Gdynia (before: Lives in Sopot)")
        refused = lines(page).filter(has_text="Not kept: “Owns a yacht”.")
        expect(kept).to_contain_text("Updated: ")
        expect(kept.get_by_role("button", name="Undo")).to_be_visible()
        shown = (
            replies(page).last.locator(".blocks"),
            kept,
            refused,
            page.get_by_text("Looked at 1 thing you told me"),
            page.get_by_role("button", name="Copy").last,
        )
        return [(part.bounding_box() or {"y": -1})["y"] for part in shown]

    with ThreadPoolExecutor(1) as threads:
        resolving = threads.submit(resolve)
        places = visit(use, ann)
        resolving.result()
    assert places == sorted(places)
    assert places[0] > 0


def test_button_forgets_all(visit, ann) -> None:
    def use(page: Page) -> None:
        page.goto("/chat/new")
        say(page, "I take ramipril. I have two cats.")
        say(page, "Forget everything about me.")
        button = page.get_by_role("button", name="Forget all")
        button.focus()
        page.keyboard.press("Enter")
        expect(lines(page).last).to_contain_text("Forgotten: 2 memories")
        expect(page.get_by_role("button", name="Undo").last).to_be_visible()

    visit(use, ann)
    assert not Memory.objects.filter(active=True).exists()
