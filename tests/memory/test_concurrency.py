"""Parallel writers on real connections, and no network call inside a transaction."""

import json
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from meddie.ai.errors import ProviderDown
from memory import reembedding, service
from memory.facts.commit import commit
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.prepare import prepare_facts
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.recall import recall as reading
from memory.recall.recall import prepare_query, recall
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, ProfileCandidate
from people.scope import scope_for
from tests.memory.conftest import known, remember, remember_profile, said
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "User told the doctor about a strong headache that comes back every spring"


def at_once(*calls):
    """Run the calls in threads that start together; raises what they raise."""
    start = threading.Barrier(len(calls))

    def run(call):
        try:
            start.wait(PATIENCE)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.req("B-08")
@pytest.mark.parametrize("text", ["User is vegan", LONG])
def test_parallel_saves_of_one_fact_leave_one_row(scope, text):
    def save():
        (decision,) = remember(
            scope, [Candidate(text)], said(), embedder=WordEmbedder()
        )
        return decision.action

    actions = at_once(*[save] * 6)
    assert sorted(actions) == ["add"] + ["ignore"] * 5
    assert known(scope) == [text]


@pytest.mark.req("B-08")
def test_parallel_saves_of_nearly_the_same_fact_leave_one_row(scope):
    prepared = [
        prepare_facts([Candidate(text)], NO_HOUSEHOLD, embedder=WordEmbedder())
        for text in (LONG, f"{LONG}.", f"{LONG}!", f"... {LONG}")
    ]
    decisions = at_once(
        *[lambda p=one: commit(scope, p, said())[0].action for one in prepared]
    )
    assert sorted(decisions) == ["add", "ignore", "ignore", "ignore"]
    assert len(known(scope)) == 1


def test_parallel_saves_of_a_profile_fact_leave_one_active_value(scope):
    def save(value):
        candidate = ProfileCandidate("identity", "name", value)
        at = timezone.now() + timedelta(seconds=int(value[-1]))
        return remember_profile(scope, [candidate], said(at))

    at_once(*[lambda n=number: save(f"Alex {n % 3}") for number in range(6)])
    assert [line.text for line in reading.profile(scope)] == ["name: Alex 2"]


def test_another_scope_does_not_wait_for_the_lock(scope, others):
    """Each takes a lock of its own, so both finish though the other holds on."""
    both_inside = threading.Barrier(2)

    def save(one):
        with transaction.atomic():
            prepared = prepare_facts(
                [Candidate("User is vegan")], NO_HOUSEHOLD, embedder=WordEmbedder()
            )
            decisions = commit(one, prepared, said())
            both_inside.wait(PATIENCE)
        return decisions[0].action

    assert at_once(lambda: save(scope), lambda: save(others[0])) == ["add", "add"]


def test_two_workers_do_not_run_a_job_twice(scope, embedder):
    for n in range(4):
        failing = WordEmbedder(failure=ProviderDown("out"))
        at = timezone.now() - timedelta(hours=n)
        remember(scope, [Candidate(f"User's note {n}")], said(at), embedder=failing)
    done = at_once(lambda: run_due(WordEmbedder()), lambda: run_due(WordEmbedder()))
    assert sum(done) == 4
    assert Memory.objects.count() == 4
    assert set(CaptureJob.objects.values_list("attempts", flat=True)) == {0}
    decided = MemoryEvent.objects.filter(data__decisions__0__action="add")
    assert decided.count() == 4


@pytest.mark.req("B-08")
@pytest.mark.parametrize("messages", [1, 2])
def test_parallel_captures_of_one_message_leave_one_row(
    ann, home, openai_server, messages
):
    api = scope_for(ann, home.pk, channel="api")
    extracted = {"facts": [{"text": "User is vegan"}], "profile_facts": []}
    openai_server.titles.default = lambda _body: says(json.dumps(extracted))
    told = [said(message_id=uuid.uuid4()) for _ in range(messages)] * 2

    def capture(provenance):
        service.capture_later(api, "I am vegan", provenance, [])

    at_once(*[lambda one=one: capture(one) for one in told[:2]])
    done = at_once(lambda: run_due(WordEmbedder()), lambda: run_due(WordEmbedder()))
    assert sum(done) == CaptureJob.objects.count() == messages
    assert Memory.objects.count() == 1
    assert known(api) == ["User is vegan"]


class Watchful(WordEmbedder):
    """Fails when it is asked inside a transaction."""

    def embed(self, texts):
        assert not connection.in_atomic_block, "the network inside a transaction"
        return super().embed(texts)


def test_nothing_waits_for_the_network_inside_a_transaction(scope):
    watchful = Watchful()
    facts = [Candidate("User is vegan"), Candidate("User lives in NY")]
    remember(scope, facts, said(), embedder=watchful)
    recall(scope, prepare_query("vegan", embedder=watchful))
    forget_stated(
        scope, prepare_forgetting(["User is vegan"], embedder=watchful), said()
    )
    failing = WordEmbedder(failure=ProviderDown("out"))
    remember(scope, [Candidate("User plays chess")], said(), embedder=failing)
    assert run_due(watchful) == 1
    Memory.objects.update(embedding_model="another")
    assert reembedding.reembed_all(embedder=watchful) == 3
    assert len(watchful.asked) == 2 + 1 + 1 + 1 + 3


@pytest.mark.parametrize("step", ["prepare", "prepare_forgetting", "prepare_query"])
def test_preparing_touches_no_database(step, django_assert_num_queries):
    steps = {
        "prepare": lambda: prepare_facts(
            [Candidate("x")], NO_HOUSEHOLD, embedder=WordEmbedder()
        ),
        "prepare_forgetting": lambda: prepare_forgetting(
            ["x"], embedder=WordEmbedder()
        ),
        "prepare_query": lambda: prepare_query("x", embedder=WordEmbedder()),
    }
    with django_assert_num_queries(0):
        steps[step]()
