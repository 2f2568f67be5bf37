"""The page of metrics: who sees it, and that its figures are true."""

import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.utils.timezone import now

from meddie import measurements
from meddie.metrics_format import measured
from memory.models import CaptureJob
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, MemoryFactory
from tests.memory.conftest import *  # noqa: F403 -- Ann and her home
from tests.memory.jobs import make_job, run_due
from tests.openai_answers import says

pytestmark = pytest.mark.django_db


@pytest.fixture
def figures(client):
    """Numbers of the page by name with labels, after all measurements arrived."""

    def figures():
        measurements._waiting.join()
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


@pytest.mark.req("S1-46")
def test_memories_and_jobs_are_counted_in_the_database(figures, ann, home, scope):
    MemoryFactory(user=ann, space=home)
    MemoryFactory(user=ann, space=home)
    job = make_job(scope)
    found = figures()
    assert found["meddie_memory_total_count"] == 2
    assert found["meddie_memory_users"] == 1
    label = f'{{kind="{job.kind}",queue="capture"}}'
    assert found[f"meddie_jobs{label}"] == 1
    assert found[f"meddie_dead_jobs{label}"] == 0
    CaptureJob.objects.update(state="dead")
    assert figures()[f"meddie_dead_jobs{label}"] == 1


@pytest.fixture
def grown(figures, django_capture_on_commit_callbacks):
    """What the counters of memory gain by an act, once it is committed."""

    def counters():
        names = re.compile(r"meddie_memory_\w+_total\b")
        return Counter({n: v for n, v in figures().items() if names.match(n)})

    def grown(act):
        before = counters()
        with django_capture_on_commit_callbacks(execute=True):
            act()
            assert counters() == before
        return counters() - before

    return grown


def decided(action, reason, origin="inline"):
    labels = f'action="{action}",origin="{origin}",reason="{reason}"'
    return f"meddie_memory_decisions_total{{{labels}}}"


@pytest.mark.req("S1-47", "S1-48")
def test_decisions_are_counted_over_all_processes(grown, tell):
    def act():
        tell("User plays chess", "User has a dog")
        tell("User plays chess")

    found = grown(act)
    assert found[decided("add", "new")] == 2
    assert found[decided("ignore", "duplicate")] == 1
    assert found["meddie_memory_extracted_total"] == 3


def test_resolving_proposes_no_fact(grown, tell, openai_server):
    verdict = {"new": 1, "action": "replace", "target": 1}
    openai_server.titles.queue(says(json.dumps({"decisions": [verdict]})))
    tell("User lives in Oslo", at=now() - timedelta(days=1))
    tell("User lives in Bergen")
    found = grown(run_due)
    assert found[decided("replace", "newer", "memory_resolution")] == 1
    assert "meddie_memory_extracted_total" not in found


@pytest.mark.req("S1-49")
@pytest.mark.django_db(transaction=True)
def test_facts_that_a_search_found_are_counted_by_their_place(figures):
    name = 'meddie_memory_retrieved_total{injected="yes"}'
    member = MembershipFactory()
    MemoryFactory(user=member.user, space=member.space, content="User has a dog")
    before = figures().get(name, 0)
    write(ask(member, "User has a dog"))
    assert figures()[name] == before + 1


@pytest.mark.req("B-45")
def test_durations_are_counted_in_buckets(figures):
    name = "meddie_recall_seconds"
    before = figures()
    measurements.observe("recall", 0.2)
    measurements.observe("recall", 100.0)
    after = figures()

    def grown(key):
        return after[key] - before[key]

    assert grown(f'{name}_bucket{{le="0.1"}}') == 0
    assert grown(f'{name}_bucket{{le="0.25"}}') == 1
    assert grown(f'{name}_bucket{{le="+Inf"}}') == grown(f"{name}_count") == 2
    assert grown(f"{name}_sum") == pytest.approx(100.2)


def test_without_the_broker_the_figures_of_the_database_remain(figures, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    measurements.increase("memory_retrieved", ("yes",))
    found = figures()
    assert found["meddie_memory_total_count"] == 0
    assert not [n for n in found if n.endswith(("_rate", "_bucket", "_seconds_count"))]


def test_community_memories_are_in_no_count(figures, ann, home):
    MemoryFactory(user=ann, space=home)
    MemoryFactory(user=None, space=None, audience="everyone", linked=False)
    found = figures()
    assert found["meddie_memory_total_count"] == found["meddie_memory_users"] == 1


@pytest.mark.req("S1-47", "S1-48", "S1-49")
def test_rates_are_of_all_origins_and_reasons():
    sums = {
        ("memory_decisions", "background", "ignore", "same_message"): 1.0,
        ("memory_decisions", "background", "ignore", "duplicate"): 1.0,
        ("memory_decisions", "background", "ignore", "outdated"): 1.0,
        ("memory_decisions", "background", "replace", "newer"): 4.0,
        ("memory_decisions", "inline", "replace", "refined"): 1.0,
        ("memory_decisions", "inline", "add", "new"): 2.0,
        ("memory_extracted",): 4.0,
        ("memory_retrieved", "yes"): 3.0,
        ("memory_retrieved", "no"): 1.0,
    }
    rates = {m.name: m.samples for m in measured(sums)}
    assert rates["meddie_memory_dedup_rate"][0].value == 0.5
    assert rates["meddie_memory_replacement_rate"][0].value == 2.5
    assert rates["meddie_retrieval_hit_rate"][0].value == 0.75
