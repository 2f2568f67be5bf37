"""Forgetting: retracted facts leave every answer at once and do not return unasked."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from meddie.ai import embeddings
from meddie.ai.errors import ProviderDown
from memory import service
from memory.episodes import drop_runs
from memory.facts import retraction, store
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.retraction import forget, owner_scope
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.models.embedded import NO_MODEL
from memory.recall.recall import prepare_query, recall
from memory.values import Candidate
from people.scope import scope_for
from tests.memory.conftest import known, remember, retract, said
from tests.memory.jobs import make_job, run_due

pytestmark = pytest.mark.django_db
FACT = "User told the doctor about an allergy against ibuprofen and against aspirin"


@pytest.fixture
def please_forget(scope, embedder):
    def please_forget(*sentences, scope=scope, embedder=embedder, **how):
        prepared = prepare_forgetting(sentences, embedder=embedder)
        return forget_stated(scope, prepared, said(**how))

    return please_forget


def test_the_same_sentence_is_forgotten(tell, please_forget, scope):
    (stored,) = tell(FACT)
    (decision,) = please_forget(FACT.upper())
    assert (decision.action, decision.reason) == ("retract", "forgotten")
    assert decision.target_id == stored.memory_id
    assert known(scope) == []
    row = Memory.objects.get()
    assert (row.active, row.retired_reason) == (False, "retracted")
    assert not row.links.exists()


def test_the_nearest_sentence_is_forgotten_if_it_states_the_same(
    tell, please_forget, scope
):
    tell(FACT, "User plays chess")
    (decision,) = please_forget(f"{FACT} indeed")
    assert decision.action == "retract"
    assert known(scope) == ["User plays chess"]


@pytest.mark.parametrize(
    "text",
    [
        "User told the doctor about an allergy",
        "User told the doctor about an allergy against ibuprofen",
    ],
)
def test_a_similar_sentence_is_not_forgotten(tell, please_forget, scope, text):
    tell(FACT)
    (decision,) = please_forget(text)
    assert (decision.action, decision.reason) == ("ignore", "not_found")
    assert known(scope) == [FACT]


@pytest.mark.parametrize("sentence", ["", None, "x" * 501])
def test_an_unusable_sentence_is_rejected(please_forget, sentence):
    assert please_forget(sentence)[0].action == "reject"


def test_only_memories_of_the_own_scope_are_forgotten(
    tell, please_forget, scope, others
):
    tell(FACT)
    for other in others[:2]:
        assert please_forget(FACT, scope=other)[0].action == "ignore"
    assert please_forget(FACT, scope=others[-1])[0].reason == "no_memory"
    assert known(scope) == [FACT]


def test_forgetting_works_in_a_conversation_that_is_not_remembered(
    tell, please_forget, ann, home
):
    tell(FACT)
    scope = scope_for(ann, home.pk, channel="web", remember=False)
    assert please_forget(FACT, scope=scope)[0].action == "retract"


def test_a_forgotten_fact_is_in_no_answer(tell, please_forget, scope, embedder):
    tell(FACT)
    please_forget(FACT)
    for text in (FACT, "What do you know about me?"):
        query = prepare_query(text, embedder=embedder)
        for ranking in ("chat", "chat_literal"):
            assert recall(scope, query, ranking=ranking).items == ()


def test_forgetting_is_recorded_as_an_event(tell, please_forget, scope):
    (stored,) = tell(FACT)
    please_forget(FACT)
    event = MemoryEvent.objects.get(kind="memory_forget")
    assert event.user_id == scope.user_id
    assert event.data["decisions"][0]["target"] == str(stored.memory_id)


def test_the_same_conversation_does_not_bring_it_back(tell, please_forget, scope):
    tell(FACT)
    please_forget(FACT)
    for text in (
        None,
        "Thanks, doctor! Lunch?",
        "Please forget that I am allergic to ibuprofen",
    ):
        (decision,) = tell(FACT, user_text=text)
        assert (decision.action, decision.reason) == ("reject", "retracted")
    assert known(scope) == []


def test_nearly_the_same_sentence_does_not_bring_it_back(tell, please_forget, scope):
    (stored,) = tell(FACT)
    please_forget(FACT)
    (decision,) = tell(f"{FACT} indeed", user_text="Thanks, doctor!")
    assert (decision.action, decision.reason) == ("reject", "retracted")
    assert decision.target_id == stored.memory_id


def test_a_fact_with_another_number_is_not_a_retracted_one(tell, please_forget, scope):
    tell(f"{FACT} 20 years ago")
    please_forget(f"{FACT} 20 years ago")
    (decision,) = tell(f"{FACT} 30 years ago", origin="import")
    assert (decision.action, decision.reason) == ("add", "new")
    assert known(scope) == [f"{FACT} 30 years ago"]


def test_an_earlier_message_does_not_bring_it_back(tell, please_forget, scope):
    at = timezone.now()
    tell(FACT, at=at, user_text=FACT)
    please_forget(FACT)
    (decision,) = tell(FACT, at=at + timedelta(milliseconds=1), user_text=FACT)
    assert decision.reason == "retracted"


@pytest.mark.req("B-06")
def test_it_returns_when_the_user_states_it_again(tell, please_forget, scope):
    (stored,) = tell(FACT)
    please_forget(FACT)
    (decision,) = tell(FACT, user_text=f"I was wrong. {FACT}.")
    assert (decision.action, decision.reason) == ("add", "revived")
    assert decision.memory_id == stored.memory_id
    assert known(scope) == [FACT]


def test_stated_again_in_other_words_it_is_a_new_row(tell, please_forget, scope):
    tell(FACT)
    please_forget(FACT)
    (decision,) = tell(f"{FACT} indeed", user_text=f"{FACT} indeed.")
    assert (decision.action, decision.reason) == ("add", "new")
    assert known(scope) == [f"{FACT} indeed"]


def test_a_blanked_tombstone_gets_its_text_back(tell, scope):
    (stored,) = tell(FACT)
    memory = Memory.objects.get()
    service.erase(owner_scope(memory), [memory.pk])
    assert Memory.objects.get().content == ""
    tell(FACT, user_text=FACT)
    row = Memory.objects.get()
    assert (row.pk, row.content) == (stored.memory_id, FACT)


def test_erasing_blanks_at_once_and_keeps_the_tombstone(tell, scope):
    tell(FACT)
    memory = Memory.objects.get()
    service.erase(owner_scope(memory), [memory.pk])
    row = Memory.objects.get()
    assert (row.content, row.evidence, row.content_tsv) == ("", "", "")
    assert (row.active, row.retired_reason) == (False, "retracted")
    assert (row.near, row.embedding, row.embedding_model) == (None, None, NO_MODEL)
    assert tell(FACT)[0].reason == "retracted"
    assert tell(f"{FACT} indeed")[0].action == "add"


def test_erasing_is_recorded_under_the_lock_of_the_scope(tell, scope, monkeypatch):
    (stored,) = tell(FACT)
    locked = []
    lock = store.lock
    monkeypatch.setattr(
        store, "lock", lambda owner: locked.append(owner) or lock(owner)
    )
    memory = Memory.objects.get()
    service.erase(owner_scope(memory), [memory.pk])
    assert [(owner.user_id, owner.space_id) for owner in locked] == [
        (scope.user_id, scope.space_id)
    ]
    event = MemoryEvent.objects.get(kind="memory_forget")
    assert [d["fact"] for d in event.data["decisions"]] == [str(stored.memory_id)]


@pytest.mark.parametrize("how", ["wish", "staff", "erasure"])
def test_forgetting_drops_the_answers_of_dead_resolutions(
    tell, please_forget, scope, others, bob, how
):
    tell(FACT)
    for owner in (scope, others[0]):
        make_job(owner, kind="resolve", payload={"memories": [], "again": False})
        CaptureJob.objects.filter(user=owner.user_id).claim().give_up(
            "unparseable", f"I cannot say whether {FACT}"
        )
    memory = Memory.objects.get()
    if how == "wish":
        please_forget(FACT)
    elif how == "staff":
        fact = memory
        forget(owner_scope(fact, bob), [fact.pk], by=bob)
    else:
        service.erase(owner_scope(memory), [memory.pk])
    ours, theirs = (
        CaptureJob.objects.get(user=owner.user_id) for owner in (scope, others[0])
    )
    assert ours.payload == {"memories": [], "again": False}
    assert theirs.payload["raw"]


def test_texts_are_blanked_after_thirty_days(tell, please_forget):
    tell(FACT, "User plays chess", "User is vegan")
    please_forget(FACT, "User plays chess")
    now = timezone.now()
    month = Memory.objects.filter(content=FACT)
    month.update(retired_at=now - timedelta(days=30, seconds=1))
    Memory.objects.filter(content="User plays chess").update(
        retired_at=now - timedelta(days=29)
    )
    assert retraction.blank_old_texts() == 1
    assert retraction.blank_old_texts() == 0
    texts = sorted(Memory.objects.values_list("content", flat=True))
    assert texts == ["", "User is vegan", "User plays chess"]


def test_superseded_texts_are_not_blanked(tell):
    tell("User weighs 80 kg")
    tell("User weighs 82 kg")
    Memory.objects.filter(active=False).update(
        retired_at=timezone.now() - timedelta(days=300)
    )
    assert retraction.blank_old_texts() == 0


def test_staff_can_retract(tell, scope, bob):
    tell(FACT)
    memory = Memory.objects.get()
    assert retract(memory, by=bob)
    assert known(scope) == []
    event = MemoryEvent.objects.get(kind="memory_forget")
    assert ([d["fact"] for d in event.data["decisions"]], event.by) == (
        [str(memory.pk)],
        bob,
    )
    assert event.user_id == scope.user_id
    assert not retract(memory, by=bob)


@pytest.mark.usefixtures("resolver")
def test_staff_can_retract_a_superseded_memory(tell, bob):
    tell("User weighs 80 kg")
    tell("User weighs 82 kg")
    run_due()
    old = Memory.objects.get(active=False)
    assert retract(old, by=bob)
    old.refresh_from_db()
    assert old.retired_reason == "retracted"


def test_without_any_embedder_the_same_sentence_is_still_forgotten(
    tell, please_forget, scope
):
    tell(FACT)
    (decision, other) = please_forget(FACT, "Another", embedder=embeddings.none())
    assert (decision.action, other.action) == ("retract", "ignore")


def test_a_wish_to_forget_outlives_an_outage(tell, please_forget, scope, embedder):
    tell(FACT)
    embedder.failure = ProviderDown("out")
    (near,) = please_forget(f"{FACT} indeed")
    assert (near.action, near.reason) == ("defer", "embedding_failed")
    assert CaptureJob.objects.get().kind == "forget"
    assert known(scope) == [FACT]
    embedder.failure = None
    assert run_due(embedder) == 1
    assert known(scope) == []


def test_the_same_sentence_needs_no_embedding(tell, please_forget, scope, embedder):
    tell(FACT)
    embedder.failure = ProviderDown("out")
    assert please_forget(FACT)[0].action == "retract"
    assert not CaptureJob.objects.exists()


@pytest.mark.req("B-09")
def test_dropping_a_conversations_runs_drops_what_waits_and_keeps_facts(
    tell, scope, embedder
):
    run, other = uuid.uuid4(), uuid.uuid4()
    tell("User is vegan", run_id=run)
    embedder.failure = ProviderDown("out")
    tell("User plays chess", run_id=run)
    tell("User rides a bike", run_id=other)
    drop_runs([run])
    assert CaptureJob.objects.get().run_id == other
    assert known(scope) == ["User is vegan"]


@pytest.mark.req("B-19")
def test_everything_goes_with_the_user(tell, please_forget, ann):
    tell(FACT, "User is vegan")
    please_forget(FACT)
    ann.delete()
    for model in (Memory, MemoryEvent, CaptureJob):
        assert not model.objects.exists()


@pytest.mark.parametrize(
    "again", ["User cannot take ibuprofen because of an allergy", "Ibuprofen allergy"]
)
def test_other_words_do_not_bring_it_back(scope, again):
    local = embeddings.local()
    fact = [Candidate("User is allergic to ibuprofen")]
    remember(scope, fact, said(), embedder=local)
    forget_stated(scope, prepare_forgetting([fact[0].text], embedder=local), said())
    talk = said(user_text="Is an allergy against ibuprofen rare? What can I take?")
    (decision,) = remember(scope, [Candidate(again)], talk, embedder=local)
    assert (decision.action, decision.reason) == ("reject", "retracted")
    talk = said(user_text="I am not allergic to ibuprofen.")
    other = [Candidate("User is not allergic to ibuprofen")]
    (decision,) = remember(scope, other, talk, embedder=local)
    assert decision.action == "add"


def test_forgetting_twice_retracts_nothing_else(tell, please_forget, scope):
    one, other = f"{FACT} at home", f"{FACT} at work"
    tell(one, other)
    assert len(known(scope)) == 2
    please_forget(one)
    (again,) = please_forget(one)
    assert (again.action, again.reason) == ("ignore", "already_forgotten")
    assert known(scope) == [other]


def test_a_near_sentence_that_states_another_fact_is_not_forgotten(
    tell, please_forget, scope, embedder
):
    one, other = f"{FACT} at home", f"{FACT} at work"
    vector, near = embedder.embed([one, other])
    assert vector @ near > 0.92
    tell(one)
    assert please_forget(other)[0].reason == "not_found"
    assert known(scope) == [one]


def test_a_superseded_sentence_can_be_forgotten_too(tell, please_forget, scope):
    tell("User weighs 80 kg")
    tell("User weighs 82 kg")
    run_due()
    assert please_forget("User weighs 80 kg")[0].action == "retract"
    assert known(scope) == ["User weighs 82 kg"]


@pytest.mark.parametrize("wish", [FACT, FACT.upper()])
def test_a_waiting_fact_is_not_stored_after_it_was_forgotten(
    tell, please_forget, scope, embedder, wish
):
    embedder.failure = ProviderDown("out")
    tell(FACT, "User plays chess", user_text=f"{FACT}. I play chess.")
    (decision,) = please_forget(wish)
    assert (decision.action, decision.reason) == ("retract", "forgotten")
    embedder.failure = None
    assert run_due(embedder) == 1
    assert known(scope) == ["User plays chess"]
    assert tell(FACT)[0].reason == "retracted"


def test_waiting_facts_of_others_are_not_forgotten(
    tell, please_forget, others, embedder, scope
):
    embedder.failure = ProviderDown("out")
    tell(FACT, scope=others[0])
    assert please_forget(FACT)[0].action == "defer"
    embedder.failure = None
    run_due(embedder)
    assert known(others[0]) == [FACT]
