"""The charts of memories, decisions, rates, times and queues."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from redis import RedisError

from conversations.desk import charts
from memory.models import Memory
from people.scope import scope_for
from tests.factories import MembershipFactory, MemoryFactory, UserFactory
from tests.memory.jobs import make_job

pytestmark = pytest.mark.django_db

SUMS = {
    ("memory_decisions", "inline", "add", "new"): 8,
    ("memory_decisions", "background", "add", "new"): 2,
    ("memory_decisions", "inline", "replace", "newer"): 5,
    ("memory_decisions", "inline", "ignore", "duplicate"): 3,
    ("memory_extracted",): 30,
    ("memory_retrieved", "yes"): 3,
    ("memory_retrieved", "no"): 1,
    ("recall", "0.025"): 50,
    ("recall", "0.1"): 46,
    ("recall", "1.0"): 4,
}


@pytest.fixture
def staff(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def shown(staff, monkeypatch, sums=SUMS):
    """The bars of each chart, by its caption."""
    monkeypatch.setattr(charts, "read_measurements", lambda: sums)
    page = staff.get(reverse("admin:charts"))
    assert page.status_code == 200
    return page, {
        chart.caption: {str(bar.label): bar.value for bar in chart.bars}
        for chart in page.context["charts"]
    }


def test_active_memories_are_counted_by_origin_and_week(staff, monkeypatch):
    memories = MemoryFactory.create_batch(4, origin="background")
    MemoryFactory(origin="import")
    MemoryFactory(active=False, retired_reason="archived", retired_at=timezone.now())
    ago = timezone.now() - timedelta(weeks=3)
    Memory.objects.filter(pk=memories[0].pk).update(inserted_at=ago)
    page, found = shown(staff, monkeypatch)
    assert found["Memories by origin"] == {"background": "4", "import": "1"}
    weeks = list(found["Active memories by the week they were stored in"].values())
    assert (len(weeks), weeks[0], weeks[3]) == (12, "4", "1")
    assert "5 active memories" in page.text


@pytest.mark.req("S1-47", "S1-48", "S1-49")
def test_rates_are_those_of_the_metrics(staff, monkeypatch):
    _page, found = shown(staff, monkeypatch)
    assert found["Rates"] == {
        "Replacements for each addition": "50.0\xa0%",
        "Duplicates among proposed facts": "10.0\xa0%",
        "Retrieved facts that were in the prompt": "75.0\xa0%",
    }
    decisions = found["Decisions on proposed facts"]
    assert decisions == {
        "add: new": "10",
        "replace: newer": "5",
        "ignore: duplicate": "3",
    }


def test_times_have_their_quantiles(staff, monkeypatch):
    _page, found = shown(staff, monkeypatch)
    times = found["Times"]
    assert times["Recall"] == "half within 0.025 s, 95 % within 0.1 s, 100 measured"
    assert times["Extraction"] == "none measured"


def test_unfinished_jobs_are_counted(staff, monkeypatch):
    member = MembershipFactory()
    make_job(scope_for(member.user, member.space_id, channel="web"))
    _page, found = shown(staff, monkeypatch)
    assert found["Unfinished jobs"]["Capture jobs"] == "1"


def test_page_is_there_without_the_counters(staff, monkeypatch):
    def away():
        raise RedisError

    monkeypatch.setattr(charts, "read_measurements", away)
    page = staff.get(reverse("admin:charts"))
    assert "The counters cannot be read now." in page.text


def test_bars_need_no_inline_style(staff, monkeypatch):
    page, _found = shown(staff, monkeypatch)
    assert "style=" not in page.text
    assert page.text.count("<rect") >= 10


def test_page_needs_its_rights(client):
    client.force_login(UserFactory(is_staff=True))
    assert client.get(reverse("admin:charts")).status_code == 403
