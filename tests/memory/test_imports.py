"""Importing facts: the rules of `remember`, in batches."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from meddie.ai.errors import ProviderDown
from memory.facts import imports
from memory.facts.imports import import_facts
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from memory.values import Candidate, ImportedFact
from tests.memory.conftest import known, reasons
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def bring(scope, embedder):
    """Import (text, day) pairs at Ann's home; returns the decisions."""

    def bring(*stated, embedder=embedder):
        facts = [
            ImportedFact(Candidate(text), DAY + timedelta(days=day))
            for text, day in stated
        ]
        return list(import_facts(scope, facts, embedder=embedder))

    return bring


def test_each_fact_has_its_own_date_and_decision(bring, tell):
    tell("User likes tea", at=DAY)
    decisions = bring(
        ("User likes tea", 1), ("User plays chess", 2), ("User plays chess", 3), ("", 4)
    )
    assert reasons(decisions) == [
        ("ignore", "duplicate"),
        ("add", "new"),
        ("ignore", "duplicate"),
        ("reject", "blank"),
    ]
    dates = dict(Memory.objects.values_list("content", "stated_at"))
    assert dates["User likes tea"] == DAY + timedelta(days=1)
    assert dates["User plays chess"] == DAY + timedelta(days=3)


def test_more_facts_than_a_reply_may_state_are_stored(bring, scope):
    texts = [f"User keeps book{n} on shelf{n} of room{n}" for n in range(60)]
    assert {d.action for d in bring(*((text, 0) for text in texts))} == {"add"}
    assert known(scope) == sorted(texts)


def test_a_batch_is_one_embedding_call_and_one_event(bring, monkeypatch):
    monkeypatch.setattr(imports, "BATCH", 2)
    embedder = WordEmbedder()
    sizes = []
    embed = embedder.embed
    embedder.embed = lambda texts: sizes.append(len(texts)) or embed(texts)
    bring(*((f"User owns boat{n}", 0) for n in range(5)), embedder=embedder)
    assert sizes == [2, 2, 1]
    events = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.DECISION)
    assert sorted(len(event.data["decisions"]) for event in events) == [1, 2, 2]


def test_facts_that_cannot_be_embedded_wait_in_a_job_each(bring):
    embedder = WordEmbedder(failure=ProviderDown("out"))
    decisions = bring(("User likes tea", 0), ("User plays chess", 1), embedder=embedder)
    assert set(reasons(decisions)) == {("defer", "embedding_failed")}
    dates = CaptureJob.objects.order_by("stated_at").values_list("stated_at", flat=True)
    assert list(dates) == [DAY, DAY + timedelta(days=1)]


def test_nothing_is_stored_without_a_memory(others, embedder):
    facts = [ImportedFact(Candidate("User likes tea"), DAY)]
    decisions = import_facts(others[-1], facts, embedder=embedder)
    assert reasons(decisions) == [("reject", "no_memory")]
    assert not Memory.objects.exists()


class Down(WordEmbedder):
    def embed(self, texts):
        raise ProviderDown("down")


@pytest.mark.req("S0-54")
def test_none_of_many_facts_of_one_date_is_lost_in_an_outage(bring, scope, embedder):
    texts = [f"User keeps book{n} on shelf{n} of room{n}" for n in range(60)]
    assert {d.action for d in bring(*((t, 0) for t in texts), embedder=Down())} == {
        "defer"
    }
    CaptureJob.objects.update(available_at=timezone.now())
    run_due(embedder)
    assert known(scope) == sorted(texts)


def test_a_deferred_import_is_no_reply(scope, home, embedder):
    MemoryPolicy.objects.create(space=home, inline_capture=False)
    exported = ImportedFact(Candidate("User plays chess"), DAY, "inline")
    assert reasons(list(import_facts(scope, [exported], embedder=Down()))) == [
        ("defer", "embedding_failed")
    ]
    CaptureJob.objects.update(available_at=timezone.now())
    run_due(embedder)
    assert known(scope) == ["User plays chess"]
