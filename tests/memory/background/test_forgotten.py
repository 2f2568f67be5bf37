"""Messages and jobs about facts that were forgotten meanwhile."""

import json
import uuid
from datetime import timedelta

import pytest

from conversations.reply.turn import begin
from meddie.jobs.job import LeaseLost
from memory import service
from memory.episodes import drop_runs
from memory.facts import worker
from memory.facts.forget import prepare_forgetting
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.recall import recall as reading
from tests.memory.background.heard import EARLIER, NOW, facts, heard
from tests.memory.conftest import known
from tests.openai_answers import says

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("state", ["waiting", "dead"])
def test_message_that_speaks_of_a_forgotten_fact_is_dropped(hear, api, embedder, state):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    service.capture_later(api, "Oslo is where I live", heard(), [])
    CaptureJob.objects.exclude(state="done").update(state=state)
    wish = prepare_forgetting(["User lives in Oslo"], embedder=embedder)
    service.forget_stated(api, wish, heard(NOW + timedelta(hours=1)))
    assert not CaptureJob.objects.exclude(state="done").exists()


def test_wish_before_the_job_of_the_message_drops_the_message(
    hear, api, embedder, openai_server
):
    service.capture_later(api, "I am diabetic since 2010.", heard(EARLIER), [])
    later = NOW + timedelta(hours=1)
    service.capture_later(api, "I am diabetic after all", heard(later), [])
    wish = prepare_forgetting(["User is diabetic"], embedder=embedder)
    (decision,) = service.forget_stated(api, wish, heard(NOW))
    assert (decision.action, decision.reason) == ("retract", "forgotten")
    assert CaptureJob.objects.get().stated_at == later
    (again,) = service.forget_stated(api, wish, heard(NOW))
    assert again.reason == "not_found"


@pytest.mark.parametrize(
    ("message", "context", "forgotten"),
    [
        ("Please forget that I am diabetic.", [], True),
        ("Forget that, please", [("user", "I am diabetic")], True),
        ("I am diabetic. Forget that!", [], True),
        ("Proszę, zapomnij o tym", [("assistant", "You are diabetic")], True),
        ("Forget about Oslo. I am diabetic", [], False),
        ("Forget that, please", [("user", "I am vegan")], False),
        ("Do not forget that I am diabetic", [], False),
        ("I am diabetic", [], False),
    ],
)
def test_message_can_ask_to_forget_what_is_known(
    hear, api, ann, message, context, forgotten
):
    hear("I am diabetic", facts("User is diabetic"), at=EARLIER)
    sent = begin(ann, api.space_id, message).message
    answer = facts() | {"forgets": ["User is diabetic", "*", 7]}
    hear(message, answer, message_id=sent.pk, context=context)
    assert known(api) == ([] if forgotten else ["User is diabetic"])
    assert not CaptureJob.objects.exclude(state="done").exists()
    retired = Memory.objects.get(content="User is diabetic").retired_at
    assert retired == (NOW if forgotten else None)


def test_message_can_ask_to_forget_a_profile_fact(hear, api, ann):
    name = {"category": "identity", "key": "name", "value": "Alex"}
    hear("My name is Alex", facts() | {"profile_facts": [name]}, at=EARLIER)
    text = "Forget my name Alex. I am vegan"
    sent = begin(ann, api.space_id, text).message
    answer = facts("User is vegan") | {"forgets": ["name: Alex"]}
    hear(text, answer, message_id=sent.pk)
    assert reading.profile(api) == []
    assert known(api) == ["User is vegan"]


def test_message_of_a_wish_that_matches_nothing_is_no_retraction(api, embedder):
    message = uuid.uuid4()
    text = "Forget that I am diabetic"
    service.capture_later(api, text, heard(message_id=message), [])
    wish = prepare_forgetting(["User is diabetic"], embedder=embedder)
    how = {"origin": "inline", "message_id": message}
    assert service.forget_stated(api, wish, heard(NOW, **how))[0].reason == "not_found"


def test_forgotten_fact_leaves_the_context_and_the_answers_of_jobs(hear, api, embedder):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    context = [("user", "I live in Oslo"), ("assistant", "Welcome")]
    service.capture_later(api, "I am vegan", heard(), context)
    job = CaptureJob.objects.exclude(state="done").get()
    job.payload |= {"raw": "User lives in Oslo"}
    job.save()
    wish = prepare_forgetting(["User lives in Oslo"], embedder=embedder)
    service.forget_stated(api, wish, heard(NOW))
    job.refresh_from_db()
    assert job.payload == {"text": "I am vegan", "context": [["assistant", "Welcome"]]}


def test_late_job_does_not_restore_a_forgotten_fact(hear, api, embedder):
    hear("I live in Oslo", facts("User lives in Oslo"), at=EARLIER)
    wish = prepare_forgetting(["User lives in Oslo"], embedder=embedder)
    service.forget_stated(api, wish, heard(NOW))
    hear(
        "Oslo, that is where I live",
        facts("User lives in Oslo these days"),
        at=NOW - timedelta(hours=1),
    )
    assert known(api) == []


def test_facts_of_a_job_that_lost_its_lease_are_not_stored(
    api, openai_server, embedder
):
    service.capture_later(api, "I am vegan", heard(message_id=uuid.uuid4()), [])
    job = CaptureJob.objects.claim()
    CaptureJob.objects.update(lease_holder=uuid.uuid4())
    openai_server.titles.queue(says(json.dumps(facts("User is vegan"))))
    with pytest.raises(LeaseLost):
        worker.run_extract(job, embedder)
    assert not Memory.objects.exists()
    assert not MemoryEvent.objects.exists()


def test_deleted_episode_takes_its_jobs_along(api):
    run = uuid.uuid4()
    service.capture_later(api, "I am vegan", heard(run_id=run), [])
    drop_runs([run])
    assert not CaptureJob.objects.exists()
