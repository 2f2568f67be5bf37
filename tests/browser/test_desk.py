"""The desk worked by an operator: inspect, correct, retire, restore, retry, erase."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Page, expect

from conversations.reply.append_messages import append_line
from memory.models import CaptureJob, Memory, MemoryEvent
from people.scope import scope_for
from tests.browser.test_accessibility import AXE_PAGE, violations_in_both
from tests.conversations import transcripts
from tests.factories import MemoryFactory, ProfileFactFactory, UserFactory
from tests.memory.jobs import make_job

OPERATOR = {"email": "operator@example.com", "name": "Olga"}


@pytest.fixture
def operator(transactional_db):
    return UserFactory(**OPERATOR, is_staff=True, is_superuser=True)


@pytest.fixture
def facts(ann):
    """Four facts of Ann, and a dead letter."""
    space = ann.memberships.get().space
    stated = timezone.now() - timedelta(days=3)
    texts = (
        "User weights 80 kg",
        "User has a grey cat",
        "User owns a cat that is grey",
        "User is allergic to ibuprofen",
    )
    owner = {"user": ann, "space": space}
    found: list[Any] = [
        MemoryFactory(**owner, content=text, stated_at=stated) for text in texts
    ]
    ProfileFactFactory(**owner, key="name", value="Ann")
    job = make_job(scope_for(ann, space.pk, channel="web"))
    CaptureJob.objects.filter(pk=job.pk).update(
        state="dead", attempts=40, error="refused"
    )
    return found


def open_memory(page: Page, words: str) -> None:
    page.goto("/admin/memory/memory/")
    page.locator("#changelist-filter").get_by_role("link", name="ann@").click()
    page.get_by_role("link", name=words, exact=True).click()
    expect(page.get_by_role("group", name="Repairs")).to_be_visible()


def done(page: Page, text: str) -> None:
    expect(page.locator(".messagelist")).to_contain_text(text)


def active() -> list[str]:
    return sorted(Memory.objects.active().values_list("content", flat=True))


def inspect(page: Page, message: str) -> None:
    page.goto("/admin/")
    page.locator("#content").get_by_role("link", name="Memory inspector").click()
    page.get_by_label("User", exact=True).fill("ann@example.com")
    page.get_by_label("Message", exact=True).fill(message)
    page.get_by_role("button", name="Inspect").click()


@pytest.mark.req("B-39")
def test_operator_corrects_what_a_reply_would_get(visit, ann, operator, facts) -> None:
    def work(page: Page) -> None:
        inspect(page, "How much do I weigh?")
        prompt = page.get_by_role("region", name="Part of the prompt")
        expect(prompt).to_contain_text("- User weights 80 kg (stated")
        page.get_by_role("link", name="User weights 80 kg").first.click()
        page.get_by_role("link", name="Correct…").press("Enter")
        page.get_by_label("Text", exact=True).fill("User weighs 80 kg")
        page.get_by_role("button", name="Correct").press("Enter")
        done(page, "Corrected.")
        page.get_by_role("link", name="Inspect what replies get").click()
        page.get_by_label("Message", exact=True).fill("How much do I weigh?")
        page.get_by_role("button", name="Inspect").click()
        expect(prompt).to_contain_text("- User weighs 80 kg (stated")
        expect(prompt).not_to_contain_text("weights")

    visit(work, operator)
    assert "User weighs 80 kg" in active()
    looks = MemoryEvent.objects.filter(kind="inspection", user=ann)
    assert {event.by_id for event in looks} == {operator.pk}


@pytest.mark.req("B-39")
def test_operator_retires_restores_and_erases(visit, operator, facts) -> None:
    def work(page: Page) -> None:
        open_memory(page, "User has a grey cat")
        page.get_by_role("button", name="Retire").press("Enter")
        done(page, "Retired: it is in no answer now")
        page.get_by_role("button", name="Restore").press("Enter")
        done(page, "Restored: answers can use it again.")
        open_memory(page, "User is allergic to ibuprofen")
        page.get_by_role("link", name="Erase…").click()
        expect(page.get_by_text("cannot be brought back")).to_be_visible()
        page.get_by_role("button", name="Erase").click()
        done(page, "Erased for good.")

    visit(work, operator)
    assert active() == [
        "User has a grey cat",
        "User owns a cat that is grey",
        "User weights 80 kg",
    ]
    assert not Memory.objects.filter(content__contains="ibuprofen").exists()


def test_operator_retries_a_dead_letter(visit, operator, facts) -> None:
    def work(page: Page) -> None:
        page.goto("/admin/desk/queues/")
        expect(page.get_by_role("cell", name="refused")).to_be_visible()
        page.get_by_role("button", name=re.compile("^Retry ?: Remember, ")).click()
        done(page, "1 job will be retried.")
        expect(page.get_by_text("No job has failed.")).to_be_visible()

    visit(work, operator)
    assert CaptureJob.objects.get().state != "dead"


def test_pages_of_the_desk_keep_to_wcag(visit, ann, operator, facts) -> None:
    keys = [str(fact.pk) for fact in facts]

    def look(page: Page) -> list[str]:
        inspect(page, "How much do I weigh?")
        expect(page.get_by_role("heading", name="Part of the prompt")).to_be_visible()
        found = _own(page)
        page.goto(f"/admin/memory/memory/{keys[0]}/change/")
        page.get_by_role("button", name="Retire").click()
        done(page, "Retired")
        paths = [f"memory/memory/{keys[0]}/change/"]
        paths += [f"memory/memory/{keys[1]}/{verb}/" for verb in ("correct", "erase")]
        paths += ["desk/queues/", "desk/charts/"]
        for path in paths:
            page.goto(f"/admin/{path}")
            found += _own(page)
        page.goto("/admin/desk/judgement/")
        page.get_by_label("Text", exact=True).fill("I like tea. I can't breathe!")
        page.get_by_role("button", name="Judge").click()
        expect(page.get_by_role("heading", name="I can't breathe!")).to_be_visible()
        return found + _own(page)

    found = visit(look, operator, **AXE_PAGE)
    assert found == [], "\n".join(found)


def _own(page: Page) -> list[str]:
    """Violations, and whether the page is wider than a phone."""
    found = violations_in_both(page)
    page.set_viewport_size({"width": 360, "height": 800})
    if page.evaluate("document.documentElement.scrollWidth") > 360:
        found.append(f"{page.url} is wider than a phone")
    page.set_viewport_size({"width": 1280, "height": 800})
    return found


@pytest.fixture
def forgotten_cat(ann):
    """A cat that Ann told of on a Tuesday, and asked to forget two days later."""
    space = ann.memberships.get().space
    told = datetime(2026, 11, 17, 9, 30, tzinfo=UTC)
    conversation = transcripts.start_conversation(ann, space, title="Cat Tom")
    reply = transcripts.exchange(conversation, "Please forget my cat.", "Done.")
    cat = MemoryFactory(
        user=ann, space=space, content="User has a cat called Tom", stated_at=told
    )
    tea = MemoryFactory(user=ann, space=space, content="User likes tea", stated_at=told)
    with transaction.atomic():
        append_line(reply, "", [cat.pk], line_kind="forgotten")
    decisions = [
        {"action": "add", "reason": "new", "fact": str(fact.pk), "target": None}
        for fact in (cat, tea)
    ]
    retracted = {"action": "retract", "reason": "forgotten", "fact": None}
    retracted["target"] = str(cat.pk)
    later = told + timedelta(days=2)
    for kind, at, data in (
        ("memory_decision", told, {"origin": "inline", "decisions": decisions}),
        ("memory_forget", later, {"decisions": [retracted]}),
    ):
        event = MemoryEvent.objects.create(user=ann, space=space, kind=kind, data=data)
        MemoryEvent.objects.filter(pk=event.pk).update(created_at=at)
    reason = Memory.RetiredReason.RETRACTED
    Memory.objects.filter(pk=cat.pk).update(
        active=False, retired_reason=reason, retired_at=later
    )
    return cat


def test_staff_see_what_was_learnt_on_a_day_and_why_it_was_forgotten(
    visit, ann, operator, forgotten_cat
) -> None:
    def work(page: Page) -> None:
        page.goto("/admin/memory/memoryevent/")
        expect(page.locator("#result_list")).to_contain_text("added 2")
        expect(page.locator("#result_list")).not_to_contain_text("cat")
        page.locator("#changelist-filter").get_by_role("link", name="ann@").click()
        page.get_by_role("link", name="17 November", exact=True).click()
        learnt = page.locator("#result_list tbody tr")
        expect(learnt).to_have_count(1)
        expect(learnt).to_contain_text("Added: User has a cat called Tom")
        expect(learnt).to_contain_text("Added: User likes tea")
        page.get_by_role("link", name="User has a cat called Tom").click()
        page.get_by_role("link", name="Events", exact=True).click()
        events = page.locator("#result_list tbody tr")
        expect(events).to_have_count(2)
        expect(events.first).to_contain_text("forgot 1")

    visit(work, operator)
    looks = MemoryEvent.objects.filter(kind="inspection", user=ann)
    seen = {name for look in looks for name in look.data}
    assert {"events", "memories"} <= seen
