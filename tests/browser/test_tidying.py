"""A model tidies up what was kept without one, in a browser."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection
from playwright.sync_api import Page, expect

from memory.models import Memory
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.conversations import transcripts
from tests.factories import MemoryFactory
from tests.memory.jobs import run_due
from tests.openai_answers import Answer, says

MEDICINE = "so these days I take Ramipril 5 mg in the morning"
TALK = "I had a lovely walk to the bakery"
TIDIED = "User takes Ramipril 5 mg in the morning"


def reads(body: dict[str, Any]) -> Answer:
    quoted = "I take Ramipril 5 mg in the morning"
    said = "Ramipril" in json.loads(body["messages"][-1]["content"])["message"]
    return says(json.dumps({"facts": [{"text": TIDIED, "evidence": quoted}] * said}))


def work() -> None:
    """Run the jobs as a worker does."""
    try:
        run_due()
    finally:
        connection.close()


def test_kept_words_are_tidied_up_and_it_is_undone(visit, ann, openai_server):
    space = ann.memberships.get().space
    space.memory_page = True
    space.save()
    openai_server.titles.default = reads
    conversation = transcripts.start_conversation(ann, space)
    for text in (MEDICINE, TALK):
        message = transcripts.say(conversation, "user", text)
        told = {"answers": message, "model": "offline"}
        transcripts.say(conversation, "assistant", "Noted.", **told)
        MemoryFactory(user=ann, space=space, content=text, source_message=message)

    def use(page: Page) -> list[str]:
        page.goto("/memory")
        found = violations_in_both(page)
        page.get_by_role("button", name="Let the model tidy up").click()
        expect(page.get_by_text("without one: 0 of 2.")).to_be_visible()
        with ThreadPoolExecutor(1) as worker:
            worker.submit(work).result()
        page.get_by_role("link", name="See what it would change").click()
        expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
        found += violations_in_both(page)
        page.get_by_role("checkbox", name=TALK).uncheck()
        page.get_by_role("button", name="Apply").click()
        expect(page.get_by_text("The model has tidied up 1 line.")).to_be_visible()
        expect(page.get_by_text(TALK)).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text(MEDICINE, exact=True)).to_be_visible()
        return found

    assert visit(use, ann, **AXE_PAGE) == []
    active = Memory.objects.active().values_list("content", flat=True)
    assert set(active) == {MEDICINE, TALK}
