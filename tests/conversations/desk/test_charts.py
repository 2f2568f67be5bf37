"""The charts of memories, decisions, rates, times and queues."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.models import Memory, MemoryEvent
from people.scope import scope_for
from tests.conversations.receipts import receive
from tests.conversations.transcripts import say, start_conversation
from tests.factories import MembershipFactory, MemoryFactory, UserFactory
from tests.memory.conftest import *  # noqa: F403 -- Ann and her home
from tests.memory.jobs import make_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def shown(staff):
    """The bars of each chart, by its caption."""
    page = staff.get(reverse("admin:charts"))
    assert page.status_code == 200
    return page, {
        chart.caption: {str(bar.label): bar.value for bar in chart.bars}
        for chart in page.context["charts"]
    }


def test_active_memories_are_counted_by_origin_and_week(staff):
    memories = MemoryFactory.create_batch(4, origin="background")
    MemoryFactory(origin="import")
    MemoryFactory(active=False, retired_reason="archived", retired_at=timezone.now())
    ago = timezone.now() - timedelta(weeks=3)
    Memory.objects.filter(pk=memories[0].pk).update(inserted_at=ago)
    page, found = shown(staff)
    assert found["Memories by origin"] == {"background": "4", "import": "1"}
    weeks = list(found["Active memories by the week they were stored in"].values())
    assert (len(weeks), weeks[0], weeks[3]) == (12, "4", "1")
    assert "5 active memories" in page.text


@pytest.mark.req("S1-47", "S1-48", "S1-49")
def test_rates_and_decisions_are_those_of_the_week(staff, tell, ann, home):
    tell("User plays chess", "User has a dog", "User has a cat")
    tell("User plays chess")
    reply = say(start_conversation(ann, home), "assistant", "Hello")
    for rank in range(1, 5):
        receive(reply, uuid4(), rank=rank, injected=rank < 4)
    _page, found = shown(staff)
    assert found["Rates"] == {
        "Replacements for each addition": "0.0\xa0%",
        "Duplicates among proposed facts": "25.0\xa0%",
        "Retrieved facts that were in the prompt": "75.0\xa0%",
    }
    decisions = {"add: new": "3", "ignore: duplicate": "1"}
    assert found["Decisions on proposed facts"] == decisions
    MemoryEvent.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert shown(staff)[1]["Decisions on proposed facts"] == {}


def test_unfinished_jobs_are_counted(staff):
    member = MembershipFactory()
    make_job(scope_for(member.user, member.space_id, channel="web"))
    _page, found = shown(staff)
    assert found["Unfinished jobs"]["Capture jobs"] == "1"


def test_bars_need_no_inline_style(staff):
    page, _found = shown(staff)
    assert "style=" not in page.text
    assert page.text.count("<rect") >= 10


def test_page_needs_its_rights(client):
    client.force_login(UserFactory(is_staff=True))
    assert client.get(reverse("admin:charts")).status_code == 403
