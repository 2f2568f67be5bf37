"""A provider's embedding model is measured by a worker when it is first used."""

import json
import math

import pytest

from meddie.ai import local_embedder
from meddie.jobs.registry import QUEUES, sweep
from memory.models import CalibrationJob
from memory.recall.recall import prepare_query, recall
from memory.recall.thresholds import UNMEASURED, measured, thresholds
from memory.tasks import embed
from memory.values import Candidate
from tests.memory.conftest import remember, said
from tests.openai_answers import Answer, fails

pytestmark = pytest.mark.django_db

MODEL = "squeezed-encoder"
SHARED = 0.7  # the least cosine of two texts
FACTS = [
    "User is allergic to ibuprofen",
    "User lives in Gdańsk",
    "User has two cats named Filemon and Bonifacy",
    "User works as a nurse on night shifts",
    "User goes running every Tuesday",
    "User's mother has type 2 diabetes",
]
UNRELATED = "How do I convert a list of strings to integers in Python?"


def squeezed(cosine):
    return SHARED + (1 - SHARED) * cosine


def encoded(body):
    """The bundled encoder's vectors with a common direction, as many models have one."""
    vectors = local_embedder.encode(body["input"])
    rows = [
        [math.sqrt(SHARED), *(math.sqrt(1 - SHARED) * vector).tolist()]
        for vector in vectors
    ]
    data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
    return Answer(raw=json.dumps({"object": "list", "data": data}).encode())


@pytest.fixture
def server(openai_server, settings):
    settings.EMBEDDING_MODEL = MODEL
    openai_server.embeddings.default = encoded
    measured.cache_clear()
    yield openai_server
    measured.cache_clear()


def run_job():
    job = CalibrationJob.objects.get()
    QUEUES[CalibrationJob.QUEUE].run(job.pk)
    job.refresh_from_db()
    return job


def found(scope, text, ranking):
    query = prepare_query(text)
    return [item.text for item in recall(scope, query, ranking=ranking).items]


@pytest.mark.req("S0-23", "S1-13", "S2-24", "S4-31")
def test_gates_follow_the_cosines_of_a_model_once_it_is_measured(server, scope):
    """After a failure the first thresholds hold, and it is tried again."""
    remember(scope, [Candidate(fact) for fact in FACTS], said())
    embed()
    server.embeddings.queue(*[fails(503)] * 2)
    job = run_job()
    assert (job.state, job.error) == ("waiting", "provider_down")
    assert thresholds(MODEL) is UNMEASURED
    for ranking in ("chat", "strict_semantic"):
        assert len(found(scope, UNRELATED, ranking)) == len(FACTS)

    CalibrationJob.objects.retry()
    assert run_job().state == "done"
    limits, bundled = thresholds(MODEL), thresholds(local_embedder.NAME)
    for name in ("floor", "strict", "episode", "topic", "duplicate", "tombstone"):
        expected = squeezed(getattr(bundled, name))
        assert getattr(limits, name) == pytest.approx(expected, abs=0.011), name
    for ranking in ("chat", "strict_semantic"):
        assert found(scope, UNRELATED, ranking) == []
        assert FACTS[1] in found(scope, "Which city do I live in?", ranking)
        assert FACTS[0] in found(scope, "Which painkiller must I not take?", ranking)

    asked = len(server.embeddings.requests)
    embed()
    run_job()
    assert len(server.embeddings.requests) == asked


def test_sweep_rings_for_the_job(server, monkeypatch):
    rung = []
    monkeypatch.setattr("meddie.dispatch.enqueue", lambda *rest, **_: rung.append(rest))
    embed()
    embed()
    sweep()
    job = CalibrationJob.objects.get()
    assert ("jobs.run", "calibrations", str(job.pk)) in rung


def test_former_model_is_not_measured(server, settings):
    embed()
    settings.EMBEDDING_MODEL = "another-encoder"
    assert (run_job().state, CalibrationJob.objects.get().thresholds) == ("waiting", {})
    embed()
    assert CalibrationJob.objects.get().model == "another-encoder"


def test_bundled_model_needs_no_job(settings):
    embed()
    assert not CalibrationJob.objects.exists()
