"""An outage of the embedding model loses nothing: deferred facts are stored after it."""

import uuid
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from meddie import dispatch
from meddie.ai.errors import ProviderDown, Refused
from meddie.jobs import registry
from memory.facts import deferred, worker
from memory.facts.forget import forget_stated
from memory.facts.prepare import prepare_facts
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate
from people.models import Membership
from tests.memory.conftest import known, remember, said
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import make_job, run_due
from tests.openai_answers import fails

pytestmark = pytest.mark.django_db

FACT = "User told the doctor about an allergy against ibuprofen and against aspirin"


@pytest.fixture
def outage(tell, embedder):
    """Tell facts while the embedding model is down."""

    def outage(*texts, **how):
        embedder.failure = ProviderDown("down")
        decisions = tell(*texts, **how)
        embedder.failure = None
        return decisions

    return outage


@pytest.fixture
def enqueued(monkeypatch):
    """Tasks that were enqueued, instead of a broker."""
    calls = []
    monkeypatch.setattr(
        dispatch, "enqueue", lambda *call, queue: calls.append((*call, queue))
    )
    return calls


class Choosy(WordEmbedder):
    """Refuses a batch that mentions a zebra."""

    def embed(self, texts):
        if any("zebra" in text for text in texts):
            raise Refused("400")
        return super().embed(texts)


class Broken(WordEmbedder):
    def embed(self, texts):
        raise ProviderDown("down")


def rung(job):
    return ("jobs.run", "capture", str(job.pk), "memory")


def later():
    return timezone.now() + timedelta(hours=1)


def texts_of(job):
    return [candidate.text for candidate in deferred.candidates_of(job)]


@pytest.mark.req("S0-54", "S0-53")
def test_deferred_fact_is_stored_after_the_outage(outage, scope, embedder):
    at = timezone.now() - timedelta(hours=1)
    named = uuid.uuid4()
    outage(Candidate("User is vegan", confidence=0.7, supersedes=named), at=at)
    assert run_due(embedder) == 1
    memory = Memory.objects.get()
    assert (memory.content, memory.confidence) == ("User is vegan", 0.7)
    assert (memory.stated_at, memory.channel, memory.origin) == (at, "web", "inline")
    assert known(scope) == ["User is vegan"]


@pytest.mark.req("S0-54")
def test_outage_that_lasts_leaves_the_job_waiting(outage, embedder):
    outage("User is vegan")
    embedder.failure = ProviderDown("down")
    for _ in range(3):
        CaptureJob.objects.update(available_at=timezone.now())
        assert run_due(embedder) == 0
    job = CaptureJob.objects.get()
    assert (job.state, job.attempts, job.error) == ("waiting", 0, "provider_down")
    assert texts_of(job) == ["User is vegan"]


@pytest.mark.req("S1-45")
@pytest.mark.parametrize("act", ["tell", "forget"])
@pytest.mark.parametrize(
    ("failure", "code"),
    [(ProviderDown("down"), "provider_down"), (Refused("400"), "refused")],
)
def test_a_failed_job_leaves_one_event(scope, outage, embedder, act, failure, code):
    if act == "tell":
        outage("User is vegan")
    else:
        wishes = prepare_facts([Candidate("vegan")], NO_HOUSEHOLD, embedder=Broken())
        forget_stated(scope, wishes, said())
    MemoryEvent.objects.all().delete()
    embedder.failure = failure
    for _ in range(2):
        CaptureJob.objects.update(available_at=timezone.now())
        run_due(embedder)
    event = MemoryEvent.objects.get()
    assert (event.kind, event.user_id) == ("memory_decision", scope.user_id)
    assert event.data["error"] == code


@pytest.mark.usefixtures("resolver")
def test_oldest_statement_is_stored_first(outage, embedder, scope):
    now = timezone.now()
    outage("User weighs 82 kg", at=now)
    outage("User weighs 80 kg", at=now - timedelta(days=1))
    run_due(embedder)
    assert known(scope) == ["User weighs 82 kg"]
    assert (
        Memory.objects.get(content="User weighs 80 kg").retired_reason == "superseded"
    )


def test_worker_that_lost_its_lease_stores_nothing(outage):
    outage("User is vegan")

    class Slow(WordEmbedder):
        def embed(self, texts):
            past = timezone.now() - timedelta(seconds=1)
            CaptureJob.objects.update(leased_until=past)
            CaptureJob.objects.claim()
            return super().embed(texts)

    assert run_due(Slow()) == 0
    assert not Memory.objects.exists()


def test_fact_of_a_removed_member_is_not_stored(outage, embedder, scope):
    outage("User is vegan")
    Membership.objects.filter(user_id=scope.user_id).delete()
    assert run_due(embedder) == 1
    assert not Memory.objects.exists()
    assert CaptureJob.objects.get().state == "done"


def test_fact_is_not_stored_once_memory_is_switched_off(outage, embedder, ann):
    outage("User is vegan")
    ann.memory_on = False
    ann.save()
    run_due(embedder)
    assert not Memory.objects.exists()


def test_wish_to_forget_holds_once_memory_is_switched_off(tell, embedder, scope, ann):
    tell(FACT)
    embedder.failure = ProviderDown("down")
    wish = prepare_facts([Candidate(f"{FACT} indeed")], NO_HOUSEHOLD, embedder=embedder)
    assert forget_stated(scope, wish, said())[0].action == "defer"
    embedder.failure = None
    ann.memory_on = False
    ann.save()
    assert run_due(embedder) == 1
    assert Memory.objects.get().retired_reason == "retracted"


def test_fact_of_a_deleted_message_is_stored_without_its_source(outage, embedder):
    outage("User is vegan", message_id=uuid.uuid4())
    run_due(embedder)
    assert Memory.objects.get().source_message_id is None


def test_facts_of_one_message_share_a_job(outage, embedder, scope):
    message = uuid.uuid4()
    outage("User is vegan", message_id=message)
    outage("User plays chess", message_id=message)
    assert CaptureJob.objects.count() == 1
    assert run_due(embedder) == 1
    assert known(scope) == ["User is vegan", "User plays chess"]


def test_fact_added_while_the_job_runs_is_stored_too(outage, scope, embedder):
    message = uuid.uuid4()
    outage("User is vegan", message_id=message)

    class Interrupted(WordEmbedder):
        def embed(self, texts):
            outage("User plays chess", message_id=message)
            return super().embed(texts)

    job = CaptureJob.objects.claim()
    handlers = {"remember": partial(worker.run_remember, embedder=Interrupted())}
    registry.attempt(job, handlers)
    assert not Memory.objects.exists()
    assert run_due(embedder) == 1
    assert known(scope) == ["User is vegan", "User plays chess"]


def test_retracted_fact_is_judged_by_the_words_of_the_user(
    outage, tell, scope, embedder
):
    tell(FACT)
    forget_stated(
        scope, prepare_facts([Candidate(FACT)], NO_HOUSEHOLD, embedder=embedder), said()
    )
    outage(
        FACT,
        user_text="But I did tell the doctor about my allergy against ibuprofen and aspirin.",
    )
    run_due(embedder)
    assert Memory.objects.get().active


def test_candidates_survive_as_json():
    candidate = Candidate("User is vegan", "profile", 0.5, "I am", uuid.uuid4())
    assert (
        deferred.candidate_from_json(deferred.candidate_to_json(candidate)) == candidate
    )
    plain = Candidate("User is vegan")
    assert deferred.candidate_from_json(deferred.candidate_to_json(plain)) == plain


def test_refused_text_delays_no_other(outage, scope):
    now = timezone.now()
    outage("User owns a zebra", "User is vegan", at=now - timedelta(days=1))
    for n in range(4):
        outage(f"User's note {n}", at=now)
    run_due(Choosy())
    assert known(scope) == ["User is vegan", *(f"User's note {n}" for n in range(4))]
    job = CaptureJob.objects.exclude(state="done").get()
    assert (job.state, job.error, job.attempts) == ("waiting", "refused", 1)
    assert texts_of(job) == ["User owns a zebra"]


def test_text_that_is_refused_for_hours_is_kept_for_staff(outage):
    outage("User owns a zebra")
    CaptureJob.objects.update(attempts=CaptureJob.MOST_ATTEMPTS - 1)
    assert run_due(Choosy()) == 0
    job = CaptureJob.objects.get()
    assert (job.state, job.error) == ("dead", "refused")
    assert texts_of(job) == ["User owns a zebra"]


def test_outage_in_the_middle_of_a_refused_batch_is_an_outage(outage):
    class Failing(Choosy):
        def embed(self, texts):
            if texts == ["User is vegan"]:
                raise ProviderDown("down")
            return super().embed(texts)

    outage("User owns a zebra", "User is vegan")
    assert run_due(Failing()) == 0
    job = CaptureJob.objects.get()
    assert (job.state, job.error, job.attempts) == ("waiting", "provider_down", 0)
    assert len(texts_of(job)) == 2


@pytest.mark.parametrize("state", ["done", "dead"])
def test_ended_job_takes_new_facts(outage, embedder, scope, state):
    message = uuid.uuid4()
    outage("User is vegan", message_id=message, user_text="I am vegan")
    run_due(embedder)
    CaptureJob.objects.update(state=state, attempts=40, available_at=later())
    outage("User plays chess", message_id=message, user_text="I play chess")
    job = CaptureJob.objects.get()
    assert (job.payload["text"], job.attempts) == ("I play chess", 0)
    assert run_due(embedder) == 1
    assert known(scope) == ["User is vegan", "User plays chess"]


def test_sweep_announces_one_due_job_of_each_scope(scope, others, enqueued):
    now = timezone.now()
    make_job(scope, at=now)
    first = make_job(scope, at=now - timedelta(days=1))
    other = make_job(others[0])
    make_job(others[1], available_at=later())
    registry.sweep()
    assert enqueued == [rung(first), rung(other)]


def test_new_job_is_announced_after_the_commit(
    scope, enqueued, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = make_job(scope)
        registry.announce(job)
        assert enqueued == []
    assert enqueued == [rung(job)]


def test_outage_of_the_real_client_ends_and_the_job_stores(scope, openai_server):
    openai_server.embeddings.queue(fails(500), fails(500))
    (decision,) = remember(scope, [Candidate("User is vegan")], said())
    assert decision.action == "defer"
    assert openai_server.embeddings.unused == 0
    registry.run("capture", CaptureJob.objects.get().pk)
    assert Memory.objects.get().embedding_model == "text-embedding-3-small"


def test_running_a_job_also_runs_what_waited_for_it(scope, openai_server):
    openai_server.embeddings.queue(*(fails(500) for _ in range(4)))
    now = timezone.now()
    for n, text in enumerate(["User is vegan", "User plays chess"]):
        remember(scope, [Candidate(text)], said(now + timedelta(seconds=n)))
    first = CaptureJob.objects.in_order().first()
    registry.run("capture", first.pk)
    assert known(scope) == ["User is vegan", "User plays chess"]


def test_busy_scope_is_left_to_a_new_task_after_a_minute(scope, enqueued, monkeypatch):
    monkeypatch.setattr(registry, "SHIFT", -1.0)
    now = timezone.now()
    first, second, _ = (
        make_job(scope, at=now + timedelta(seconds=n)) for n in range(3)
    )
    registry.run("capture", first.pk)
    states = CaptureJob.objects.in_order().values_list("state", flat=True)
    assert list(states) == ["done", "waiting", "waiting"]
    assert enqueued == [rung(second)]


def test_task_of_a_deleted_job_does_nothing(db):
    registry.run("capture", uuid.uuid4())
    assert not Memory.objects.exists()
