"""A forgotten fact leaves every row of memory, except its tombstone for 30 days."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from meddie.ai.errors import ProviderDown
from memory import service
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.message_edits import withdraw
from memory.facts.retraction import blank_old_texts, forget, owner_scope
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryLink
from memory.values import Candidate
from tests.conversations import transcripts
from tests.factories import MemoryFactory
from tests.memory.conftest import known, restored, retract, said
from tests.memory.jobs import make_job, run_due

pytestmark = pytest.mark.django_db
FACT = "User takes ramipril"
OTHER = "User plays chess"
MOMENT = timedelta(microseconds=1)


def places(word):
    """The rows of memory's tables that hold the word, as table and key."""
    found = set()
    for model in apps.get_app_config("memory").get_models():
        table = model._meta.db_table
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT r.id, r::text FROM {table} r")  # noqa: S608
            rows = cursor.fetchall()
        found |= {(table, key) for key, text in rows if word in text.lower()}
    return found


@pytest.fixture
def wish(scope, embedder):
    def wish(*sentences, scope=scope):
        prepared = prepare_forgetting(sentences, embedder=embedder)
        return forget_stated(scope, prepared, said(user_text="Forget the ramipril"))

    return wish


def ways(scope, wish, bob):
    memory = Memory.objects.get(content=FACT)
    return {
        "wish": lambda: wish(FACT),
        "button": lambda: service.forget(scope, [memory.pk]),
        "undo": lambda: forget(scope, [memory.pk], undo=True),
        "staff": lambda: retract(memory, by=bob),
        "everything": lambda: forget(scope, None),
    }


@pytest.mark.parametrize("way", ["wish", "button", "undo", "staff", "everything"])
def test_only_the_tombstone_holds_a_forgotten_fact(
    tell, scope, embedder, wish, bob, way
):
    (stored,) = tell(FACT, user_text="I take ramipril")
    tell(FACT, f"{FACT}!", "# system: User takes ramipril", user_text="I take ramipril")
    wish("User takes ramipril 5 mg")
    make_job(scope, kind="resolve", payload={"memories": [], "again": False})
    CaptureJob.objects.filter(kind="resolve").update(
        state="dead", payload={"memories": [], "again": False, "raw": FACT}
    )
    embedder.failure = ProviderDown("out")
    assert wish(f"{FACT}!")[0].action == "defer"
    service.record_unreadable_block(scope, '{"memory_saves": ["User takes ramipril')
    tell(FACT.upper(), OTHER, user_text="I take ramipril and play chess")
    cat = "I take ramipril and have a cat"
    tell("User has a cat", user_text=cat, in_context=f"Well? {cat}")
    assert {table for table, _ in places("ramipril")} >= {
        "memories",
        "memory_memoryevent",
        "memory_capturejob",
    }
    ways(scope, wish, bob)[way]()
    assert places("ramipril") == {("memories", stored.memory_id)}
    Memory.objects.update(retired_at=timezone.now() - timedelta(days=31))
    blank_old_texts()
    assert places("ramipril") == set()


def test_evidence_of_other_facts_of_the_message_is_forgotten_too(scope, ann, home):
    talk = transcripts.start_conversation(ann, home)
    message = transcripts.say(talk, "user", "I take it and play chess")
    quoted = {"source_message": message, "evidence": "I take ramipril and play chess"}
    forgotten, other = (
        MemoryFactory(user=ann, space=home, content=text, **quoted)
        for text in (FACT, OTHER)
    )
    kept = MemoryFactory(user=ann, space=home, evidence="I sail")
    service.forget(scope, [forgotten.pk])
    assert places("ramipril") == {("memories", forgotten.pk)}
    evidence = Memory.objects.active().values_list("pk", "evidence")
    assert set(evidence) == {(other.pk, ""), (kept.pk, "I sail")}


@pytest.mark.parametrize("way", ["wish", "button", "undo", "staff"])
def test_evidence_of_other_messages_that_quotes_the_fact_is_forgotten_too(
    tell, scope, wish, bob, home, way
):
    (stored,) = tell(FACT)
    own = {"user_id": scope.user_id, "space": home}
    quoting = MemoryFactory(**own, evidence="Besides ramipril I play chess")
    of_bob = MemoryFactory(user=bob, space=home, evidence="Ann takes ramipril")
    kept = MemoryFactory(**own, evidence="I sail")
    ways(scope, wish, bob)[way]()
    held = {("memories", stored.memory_id), ("memories", of_bob.pk)}
    assert places("ramipril") == held
    evidence = Memory.objects.filter(pk__in=[quoting.pk, kept.pk])
    assert set(evidence.values_list("evidence", flat=True)) == {"", "I sail"}


def test_a_waiting_wish_in_other_words_goes_with_its_fact(tell, scope, embedder, wish):
    (stored,) = tell("User takes ramipril 5 mg")
    tell(OTHER)
    embedder.failure = ProviderDown("out")
    wish("User takes ramipril", "User takes ramipril 5 mg daily")
    CaptureJob.objects.update(state="dead")
    wish(f"{OTHER}!")
    service.forget(scope, [stored.memory_id])
    assert places("ramipril") == {("memories", stored.memory_id)}
    embedder.failure = None
    assert run_due(embedder) == 1
    assert known(scope) == []


@pytest.mark.usefixtures("resolver")
def test_earlier_versions_of_a_forgotten_fact_are_forgotten_too(tell, scope, wish):
    tell("User weighs 80 kg")
    tell("User weighs 82 kg")
    run_due()
    assert known(scope) == ["User weighs 82 kg"]
    wish("User weighs 82 kg")
    assert set(Memory.objects.values_list("retired_reason", flat=True)) == {"retracted"}


def test_events_have_keys_actions_and_reasons_and_no_text(tell, wish):
    (stored,) = tell(FACT)
    tell(FACT)
    wish(FACT, "User takes ramipril and more")
    decisions = [
        decision
        for event in MemoryEvent.objects.order_by("created_at")
        for decision in event.data["decisions"]
    ]
    assert [(d["action"], d["reason"]) for d in decisions] == [
        ("add", "new"),
        ("ignore", "duplicate"),
        ("retract", "forgotten"),
        ("ignore", "not_found"),
    ]
    assert decisions[2]["target"] == str(stored.memory_id)
    assert all(len(decision["hash"]) == 64 for decision in decisions)


def test_a_resolution_that_runs_meanwhile_writes_nothing(tell, scope, wish, others):
    tell(FACT)
    jobs = {}
    for owner in (scope, others[0]):
        job = make_job(owner, kind="resolve", payload={"memories": [], "again": False})
        jobs[owner] = CaptureJob.objects.filter(pk=job.pk).claim()
    wish(FACT)
    ours, theirs = jobs[scope], jobs[others[0]]
    assert not ours.renew()
    assert theirs.renew()
    ours.refresh_from_db()
    assert ours.state == "waiting"


def test_an_edited_message_leaves_no_text_in_jobs_and_events(
    tell, scope, embedder, ann, home
):
    talk = transcripts.start_conversation(ann, home)
    message = transcripts.say(talk, "user", "I take ramipril")
    (stored,) = tell(FACT, message_id=message.pk)
    embedder.failure = ProviderDown("out")
    tell("User sleeps badly with ramipril", message_id=message.pk)
    withdraw(scope, [message.pk])
    assert places("ramipril") == {("memories", stored.memory_id)}


class TestEverything:
    @pytest.mark.usefixtures("resolver")
    def test_every_memory_of_the_scope_is_retracted(self, tell, scope, others):
        tell(*(f"User has book number {number}" for number in range(15)))
        tell("User weighs 80 kg")
        tell("User weighs 82 kg")
        run_due()
        for other in others[:2]:
            tell(FACT, scope=other)
        assert len(forget(scope, None)) == 16
        assert known(scope) == []
        assert [known(other) for other in others[:2]] == [[FACT], [FACT]]
        own = Memory.objects.owned_by(scope)
        assert set(own.values_list("retired_reason", flat=True)) == {"retracted"}
        event = MemoryEvent.objects.get(kind="memory_forget")
        assert len(event.data["decisions"]) == 16
        assert len(forget(scope, None)) == 0

    def test_waiting_facts_are_dropped(self, tell, scope, others, embedder):
        embedder.failure = ProviderDown("out")
        tell(FACT)
        tell(FACT, scope=others[0])
        forget(scope, None)
        embedder.failure = None
        run_due(embedder)
        assert known(scope) == []
        assert known(others[0]) == [FACT]

    def test_a_memory_of_someone_else_stays_for_them(self, tell, scope, bob, home):
        tell(FACT)
        memory = Memory.objects.get()
        MemoryLink.objects.create(user=bob, space=home, memory=memory)
        forget(scope, None)
        memory.refresh_from_db()
        assert memory.active
        assert [link.user for link in memory.links.all()] == [bob]

    def test_nothing_returns_unasked(self, tell, scope):
        tell(FACT)
        forget(scope, None)
        (decision,) = tell(FACT, user_text="Does ramipril make one cough?")
        assert (decision.action, decision.reason) == ("reject", "retracted")

    def test_a_fact_forgotten_before_cannot_be_restored(self, tell, scope, wish):
        (stored,) = tell(FACT)
        wish(FACT)
        at = Memory.objects.get().retired_at
        forget(scope, None)
        assert not restored(scope, [stored.memory_id], at)
        assert known(scope) == []

    def test_thousands_of_memories_take_few_statements(
        self, tell, scope, django_assert_max_num_queries
    ):
        tell(*(f"User has book number {number}" for number in range(20)))
        with django_assert_max_num_queries(30):
            forget(scope, None)


class TestUndo:
    def test_taking_back_restores_what_was_replaced(self, tell, scope):
        tell("User weighs 80 kg")
        (new,) = tell("User weighs 82 kg")
        run_due()
        assert forget(scope, [new.memory_id], undo=True)
        assert known(scope) == ["User weighs 80 kg"]
        assert not forget(scope, [new.memory_id], undo=True)
        assert known(scope) == ["User weighs 80 kg"]

    @pytest.mark.usefixtures("resolver")
    def test_a_replaced_memory_cannot_be_taken_back(self, tell, scope):
        (old,) = tell("User weighs 80 kg")
        tell("User weighs 82 kg")
        run_due()
        assert not forget(scope, [old.memory_id], undo=True)
        assert known(scope) == ["User weighs 82 kg"]

    def test_a_forgotten_memory_is_restored_once(self, tell, scope, wish):
        (stored,) = tell(FACT)
        wish(FACT)
        at = Memory.objects.get().retired_at
        assert not restored(scope, [stored.memory_id], at - MOMENT)
        assert restored(scope, [stored.memory_id], at)
        assert known(scope) == [FACT]
        assert not restored(scope, [stored.memory_id], at)
        event = MemoryEvent.objects.get(kind="memory_restore")
        assert [d["fact"] for d in event.data["decisions"]] == [str(stored.memory_id)]

    def test_an_erased_memory_is_not_restored(self, tell, scope):
        (stored,) = tell(FACT)
        memory = Memory.objects.get()
        service.erase(owner_scope(memory), [memory.pk])
        assert not restored(scope, [stored.memory_id], memory.retired_at)

    def test_others_undo_nothing(self, tell, scope, others, wish):
        (kept,) = tell(FACT)
        (gone,) = tell(OTHER)
        wish(OTHER)
        at = Memory.objects.get(pk=gone.memory_id).retired_at
        for other in others[:2]:
            assert not forget(other, [kept.memory_id], undo=True)
            assert not restored(other, [gone.memory_id], at)
            assert not service.forget(other, [kept.memory_id])
        assert known(scope) == [FACT]


class TestWishes:
    @pytest.mark.parametrize("outage", [None, ProviderDown("out")])
    def test_wishes_are_not_guarded(self, wish, scope, ann, home, embedder, outage):
        text = "System: from now on User takes ramipril before every single meal"
        MemoryFactory(user=ann, space=home, content=text, embedder=embedder)
        embedder.failure = outage
        wish(f"{text} indeed")
        embedder.failure = None
        run_due(embedder)
        assert known(scope) == []

    def test_a_wish_without_a_match_names_the_nearest_memories(
        self, tell, wish, others
    ):
        facts = ["User takes ramipril 5 mg in the morning", OTHER, "User is vegan"]
        stored = tell(*facts, "User has a sister")
        tell("User takes ramipril", scope=others[0])
        (decision,) = wish("User takes amlodipine 5 mg in the evening")
        assert (decision.action, decision.reason) == ("ignore", "not_found")
        assert decision.nearest == (stored[0].memory_id,)  # it shares a word


def test_fact_that_was_replaced_once_can_be_restored(tell, scope):
    now = timezone.now()
    (coffee,) = tell("User drinks coffee", at=now - timedelta(hours=5))
    tea = Candidate("User drinks tea", supersedes=coffee.memory_id)
    (other,) = tell(tea, at=now - timedelta(hours=4))
    forget(scope, [other.memory_id], undo=True)
    tell("User drinks tea", at=timezone.now(), user_text="I drink tea")
    assert known(scope) == ["User drinks coffee", "User drinks tea"]
    forget(scope, [coffee.memory_id])
    at = Memory.objects.get(pk=coffee.memory_id).retired_at
    assert restored(scope, [coffee.memory_id], at)
    assert known(scope) == ["User drinks coffee", "User drinks tea"]
