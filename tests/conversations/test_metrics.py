"""The page of metrics: who sees it, and that its figures are true."""

import json
from collections import Counter
from datetime import timedelta

import pytest
from django.utils.timezone import now

from conversations.metrics import hit_rate
from conversations.models import Message, Receipt
from memory.metrics import DEDUP_RATE, REPLACEMENT_RATE, Decided
from memory.models import CaptureJob, MemoryEvent
from tests.conversations.transcripts import say, start_conversation
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, MemoryFactory, ProfileFactFactory
from tests.memory.conftest import *  # noqa: F403 -- Ann and her home
from tests.memory.jobs import make_job, run_due
from tests.openai_answers import says
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db


@pytest.fixture
def figures(client):
    """Numbers of the page by name with labels."""

    def figures():
        lines = client.get("/metrics").content.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if line[:1] != "#")
        return {name: float(value) for name, value in pairs}

    return figures


@pytest.mark.parametrize(
    "extra",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_AUTHORIZATION": "Bearer "},
        {"HTTP_AUTHORIZATION": "Bearer wrong"},
        {"HTTP_AUTHORIZATION": "Bearer \u0142"},
    ],
)
def test_other_machines_and_wrong_tokens_see_no_page(client, settings, extra):
    for token in ("", "right"):
        settings.METRICS_TOKEN = token
        assert client.get("/metrics", **extra).status_code == 404


def test_the_token_or_the_same_machine_opens_the_page(client, settings):
    assert client.get("/metrics").status_code == 200
    settings.METRICS_TOKEN = "right"
    away = {"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer right"}
    page = client.get("/metrics", **away)
    assert page.status_code == 200
    assert page["Content-Type"].startswith("text/plain")
    assert client.post("/metrics").status_code == 405


def test_head_is_the_page_without_its_body(client):
    page = client.head("/metrics")
    assert (page.status_code, page.content) == (200, b"")
    assert page["Content-Type"] == client.get("/metrics")["Content-Type"]


def test_names_are_those_that_promtool_allows(client):
    """Its rules: promtool itself is a program of Prometheus."""
    lines = client.get("/metrics").text.splitlines()
    types = [line.split()[2:] for line in lines if line.startswith("# TYPE")]
    helped = {line.split()[2] for line in lines if line.startswith("# HELP")}
    assert {name for name, _ in types} == helped
    ends = ("_count", "_sum", "_bucket", "_total", "_info")
    gauges = [name for name, kind in types if kind == "gauge"]
    assert [name for name in gauges if name.endswith(ends)] == []
    untyped = [name for name, kind in types if kind != "gauge"]
    assert untyped == ["meddie_memory_total_count"]


@pytest.mark.req("S1-46")
def test_memories_and_jobs_are_counted_in_the_database(figures, ann, home, scope):
    MemoryFactory(user=ann, space=home)
    ProfileFactFactory(user=ann, space=home)
    job = make_job(scope)
    found = figures()
    assert found["meddie_memory_total_count"] == found["meddie_memories"] == 2
    assert found["meddie_memory_users"] == 1
    label = f'{{kind="{job.kind}",queue="capture"}}'
    assert found[f"meddie_jobs{label}"] == 1
    assert found[f"meddie_dead_jobs{label}"] == 0
    CaptureJob.objects.update(state="dead")
    assert figures()[f"meddie_dead_jobs{label}"] == 1


def decided(action, reason, origin="inline"):
    labels = f'action="{action}",origin="{origin}",reason="{reason}"'
    return f"meddie_memory_decisions{{{labels}}}"


@pytest.mark.req("S1-47", "S1-48")
def test_decisions_of_the_last_day_are_counted(figures, tell):
    tell("User plays chess", "User has a dog")
    tell("User plays chess")
    found = figures()
    assert found[decided("add", "new")] == 2
    assert found[decided("ignore", "duplicate")] == 1
    assert found["meddie_memory_extracted"] == 3
    assert found["meddie_memory_dedup_rate"] == pytest.approx(1 / 3)
    MemoryEvent.objects.update(created_at=now() - timedelta(days=2))
    found = figures()
    assert decided("add", "new") not in found
    assert found["meddie_memory_extracted"] == found["meddie_memory_dedup_rate"] == 0


@pytest.mark.req("S1-47")
def test_resolving_proposes_no_fact(figures, tell, openai_server):
    verdict = ruling()
    openai_server.titles.queue(says(json.dumps({"decisions": [verdict]})))
    tell("User lives in Oslo", at=now() - timedelta(days=1))
    tell("User lives in Bergen")
    proposed = figures()["meddie_memory_extracted"]
    run_due()
    found = figures()
    assert found[decided("replace", "newer", "memory_resolution")] == 1
    assert found["meddie_memory_replacement_rate"] == 0.5
    assert found["meddie_memory_extracted"] == proposed


@pytest.mark.req("S1-49")
@pytest.mark.django_db(transaction=True)
def test_facts_that_a_search_found_are_counted_by_their_place(figures):
    member = MembershipFactory()
    MemoryFactory(user=member.user, space=member.space, content="User has a dog")
    write(ask(member, "User has a dog"))
    found = figures()
    assert found['meddie_memory_retrieved{injected="yes"}'] == 1
    assert found["meddie_retrieval_hit_rate"] == 1
    Receipt.objects.update(facts_used=0)
    assert figures()["meddie_retrieval_hit_rate"] == 0
    Message.objects.update(created_at=now() - timedelta(days=2))
    assert figures()['meddie_memory_retrieved{injected="no"}'] == 0


def test_tokens_of_replies_are_counted_by_model(figures, ann, home):
    conversation = start_conversation(ann, home)
    for model, tokens in (("small", 5), ("small", 7), ("large", 11)):
        used = {"model": model, "tokens_in": tokens, "tokens_out": 1}
        say(conversation, "assistant", "Hello", **used)
    found = figures()
    assert found['meddie_tokens{direction="in",model="small"}'] == 12
    assert found['meddie_tokens{direction="out",model="large"}'] == 1


def test_community_memories_are_in_no_count(figures, ann, home):
    MemoryFactory(user=ann, space=home)
    MemoryFactory(user=None, space=None, audience="everyone", linked=False)
    found = figures()
    assert found["meddie_memory_total_count"] == found["meddie_memory_users"] == 1


@pytest.mark.req("S1-47", "S1-48", "S1-49")
def test_rates_are_of_all_origins_and_reasons():
    decisions = {
        ("background", "ignore", "same_message"): 1,
        ("background", "ignore", "duplicate"): 1,
        ("background", "ignore", "outdated"): 1,
        ("background", "replace", "newer"): 4,
        ("inline", "replace", "refined"): 1,
        ("inline", "add", "new"): 2,
    }
    rates = Decided(Counter(decisions), proposed=4).rates
    assert rates[DEDUP_RATE] == 0.5
    assert rates[REPLACEMENT_RATE] == 2.5
    assert hit_rate({True: 3, False: 1}) == 0.75
    assert set(Decided(Counter(), 0).rates.values()) == {0}
