"""An outage of the embedding model loses nothing, and what waited arrives."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from meddie.ai.errors import ProviderDown, Refused, WrongKey
from memory import tasks
from memory.capture import deferred
from memory.capture.forgetting import forget
from memory.capture.remember import prepare_facts, remember
from memory.capture.worker import MOST_ATTEMPTS, REFUSALS_ALLOWED, claim, run, run_due
from memory.models import CaptureJob, Memory
from memory.values import Candidate
from people.models import Membership
from tests.memory.conftest import known, said
from tests.memory.embedders import WordEmbedder
from tests.memory.test_forgetting import FACT
from tests.openai_server import fails

pytestmark = pytest.mark.django_db


@pytest.fixture
def outage(tell, embedder):
    """Told while nobody answered."""

    def outage(*texts, failure=None, **how):
        embedder.failure = failure or ProviderDown("nobody there")
        decisions = tell(*texts, **how)
        embedder.failure = None
        return decisions

    return outage


def due():
    CaptureJob.objects.update(available_at=timezone.now())


@pytest.mark.req("S0-54", "S0-53")
def test_what_waited_arrives_when_it_is_over(outage, scope, embedder):
    at = timezone.now() - timedelta(hours=1)
    named = uuid.uuid4()
    outage(Candidate("User is vegan", confidence=0.7, supersedes=named), at=at)
    assert run_due(embedder) == 1
    memory = Memory.objects.get()
    assert (memory.content, memory.confidence) == ("User is vegan", 0.7)
    assert (memory.stated_at, memory.channel, memory.origin) == (at, "web", "inline")
    assert known(scope) == ["User is vegan"]


def test_a_finished_job_keeps_nothing_of_what_was_said(outage, embedder):
    outage("User is vegan", user_text="I am vegan")
    run_due(embedder)
    job = CaptureJob.objects.get()
    assert (job.state, job.text, job.candidates, job.error) == ("done", "", [], "")
    assert job.leased_until is None
    assert run_due(embedder) == 0


@pytest.mark.parametrize("failure", [ProviderDown("down"), WrongKey("401")])
def test_a_job_goes_on_waiting_while_it_lasts_also_for_a_wrong_key(
    outage, embedder, failure
):
    outage("User is vegan", failure=failure)
    embedder.failure = failure
    for attempt in range(1, 12):
        due()
        assert run_due(embedder) == 0
        job = CaptureJob.objects.get()
        assert (job.state, job.attempts, job.error) == (
            "waiting",
            attempt,
            failure.code,
        )
        assert job.candidates
        pause = job.available_at - timezone.now()
        expected = min(timedelta(seconds=15) * 2 ** (attempt - 1), timedelta(minutes=5))
        assert abs(pause - expected) < timedelta(seconds=5)


def test_a_job_is_not_run_before_it_is_due(outage, embedder):
    outage("User is vegan")
    CaptureJob.objects.update(available_at=timezone.now() + timedelta(seconds=60))
    assert claim() is None


def test_the_first_that_succeeds_wakes_the_others(outage, embedder):
    for text in ("User is vegan", "User plays chess"):
        outage(text)
    later = timezone.now() + timedelta(minutes=5)
    CaptureJob.objects.update(attempts=3, available_at=later)
    CaptureJob.objects.filter(candidates__0__text="User is vegan").update(
        available_at=timezone.now()
    )
    assert run_due(embedder) == 2
    assert Memory.objects.count() == 2


def test_the_oldest_statement_comes_first(outage, embedder, scope):
    now = timezone.now()
    outage("User lives in LA", at=now)
    outage("User lives in NY", at=now - timedelta(days=1))
    assert run_due(embedder) == 2
    assert known(scope) == ["User lives in LA"]
    assert Memory.objects.get(content="User lives in NY").retired_reason == "superseded"


def test_a_claimed_job_is_not_claimed_again_until_its_lease_ends(outage, embedder):
    outage("User is vegan")
    assert claim() is not None
    assert claim() is None
    CaptureJob.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert run_due(embedder) == 1


def test_who_has_lost_the_lease_writes_nothing(outage, embedder):
    outage("User is vegan")
    slow = claim()
    CaptureJob.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    quick = claim()
    assert run(slow, embedder) == []
    assert not Memory.objects.exists()
    assert len(run(quick, embedder)) == 1
    assert run(quick, embedder) == []
    assert Memory.objects.count() == 1


def test_a_removed_member_is_remembered_no_more(outage, embedder, scope):
    outage("User is vegan")
    Membership.objects.filter(user_id=scope.user_id).delete()
    assert run_due(embedder) == 1
    assert not Memory.objects.exists()
    assert CaptureJob.objects.get().state == "done"


def test_who_has_switched_memory_off_meanwhile_is_not_remembered(outage, embedder, ann):
    outage("User is vegan")
    ann.memory_on = False
    ann.save()
    run_due(embedder)
    assert not Memory.objects.exists()


def test_a_wish_to_forget_holds_for_who_has_switched_memory_off_meanwhile(
    tell, embedder, scope, ann
):
    tell(FACT)
    embedder.failure = ProviderDown("nobody there")
    wish = prepare_facts([Candidate(f"{FACT} indeed")], embedder=embedder)
    assert forget(scope, wish, said())[0].action == "defer"
    embedder.failure = None
    ann.memory_on = False
    ann.save()
    assert run_due(embedder) == 1
    assert Memory.objects.get().retired_reason == "retracted"


def test_a_message_that_is_gone_meanwhile_is_no_obstacle(outage, embedder, scope):
    outage("User is vegan", message_id=uuid.uuid4())
    run_due(embedder)
    assert Memory.objects.get().source_message_id is None


def test_facts_of_one_message_wait_together(outage, embedder, scope):
    message = uuid.uuid4()
    outage("User is vegan", message_id=message)
    outage("User plays chess", message_id=message)
    assert CaptureJob.objects.count() == 1
    assert run_due(embedder) == 1
    assert known(scope) == ["User is vegan", "User plays chess"]


def test_a_retracted_fact_waits_with_the_words_of_the_user(
    outage, tell, scope, embedder
):
    tell("User is allergic to ibuprofen")
    sentence = [Candidate("User is allergic to ibuprofen")]
    forget(scope, prepare_facts(sentence, embedder=embedder), said())
    outage("User is allergic to ibuprofen", user_text="But I am allergic to ibuprofen.")
    run_due(embedder)
    assert Memory.objects.get().active


def test_candidates_survive_as_json():
    candidate = Candidate("User is vegan", "profile", 0.5, "I am", uuid.uuid4())
    assert deferred.from_data(deferred.as_data(candidate)) == candidate
    plain = Candidate("User is vegan")
    assert deferred.from_data(deferred.as_data(plain)) == plain


def test_an_outage_of_the_real_client_ends_and_the_sweep_stores(
    scope, openai_server, settings
):
    openai_server.embeddings.queue(fails(500), fails(500))
    (decision,) = remember(scope, [Candidate("User is vegan")], said())
    assert decision.action == "defer"
    assert openai_server.embeddings.unused == 0
    due()
    assert tasks.sweep_jobs() == 1
    assert Memory.objects.get().embedding_model == "text-embedding-3-small"


class Choosy(WordEmbedder):
    """Refuses a batch with a text that it does not like."""

    def embed(self, texts):
        if any("zebra" in text for text in texts):
            raise Refused("400")
        return super().embed(texts)


def test_a_refused_text_holds_up_nobody(outage, scope):
    now = timezone.now()
    outage("User owns a zebra", "User is vegan", at=now - timedelta(days=1))
    for n in range(4):
        outage(f"User's note {n}", at=now)
    assert run_due(Choosy()) == 4
    assert known(scope) == ["User is vegan", *(f"User's note {n}" for n in range(4))]
    job = CaptureJob.objects.exclude(state="done").get()
    assert (job.state, job.error, job.attempts) == ("waiting", "refused", 1)
    assert [c["text"] for c in job.candidates] == ["User owns a zebra"]


def test_a_text_that_is_refused_for_good_fails_and_is_kept_for_staff(outage):
    outage("User owns a zebra")
    CaptureJob.objects.update(attempts=REFUSALS_ALLOWED - 1)
    assert run_due(Choosy()) == 0
    job = CaptureJob.objects.get()
    assert (job.state, job.error, len(job.candidates)) == ("failed", "refused", 1)
    assert claim() is None


def test_an_outage_in_the_middle_of_a_refused_batch_is_an_outage(outage):
    class Failing(Choosy):
        def embed(self, texts):
            if texts == ["User is vegan"]:
                raise ProviderDown("gone")
            return super().embed(texts)

    outage("User owns a zebra", "User is vegan")
    assert run_due(Failing()) == 0
    job = CaptureJob.objects.get()
    assert (job.state, job.error, len(job.candidates)) == (
        "waiting",
        "provider_down",
        2,
    )


def test_attempts_are_counted_as_far_as_the_column_goes(outage, embedder):
    outage("User is vegan")
    CaptureJob.objects.update(attempts=32_767)
    embedder.failure = ProviderDown("nobody there")
    assert run_due(embedder) == 0
    assert CaptureJob.objects.get().attempts == MOST_ATTEMPTS
    due()
    embedder.failure = None
    assert run_due(embedder) == 1


def test_a_finished_job_that_is_filled_again_has_the_new_words(outage, embedder, scope):
    message = uuid.uuid4()
    outage("User is vegan", message_id=message, user_text="I am vegan")
    run_due(embedder)
    CaptureJob.objects.update(available_at=timezone.now() + timedelta(hours=1))
    outage("User plays chess", message_id=message, user_text="I play chess")
    assert CaptureJob.objects.get().text == "I play chess"
    assert run_due(embedder) == 1
    assert known(scope) == ["User is vegan", "User plays chess"]
