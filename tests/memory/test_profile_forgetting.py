"""Profile facts that are forgotten, withdrawn or taken back, and what may return."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from meddie.ai.errors import ProviderDown
from meddie.jobs.tasks import daily
from memory import service
from memory.admin_events import lines_of
from memory.facts.forget import prepare_forgetting
from memory.models import MemoryEvent, ProfileFact
from memory.recall import recall as reading
from memory.values import ProfileCandidate
from tests.factories import MemoryFactory, UserFactory
from tests.memory.conftest import reasons, remember_profile, restored, said

pytestmark = pytest.mark.django_db

MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


def day(number):
    return MARCH + timedelta(days=number)


@pytest.fixture
def tell(scope):
    def tell(value, key="name", at=0, **how):
        candidate = ProfileCandidate("identity", key, value)
        return remember_profile(scope, [candidate], said(day(at), **how))

    return tell


@pytest.fixture
def forget(scope, embedder, monkeypatch):
    monkeypatch.setattr("meddie.ai.embeddings.current_embedder", lambda: embedder)

    def forget(*sentences, at=5):
        prepared = service.prepare_forgetting(sentences)
        return service.forget_stated(scope, prepared, said(day(at)))

    return forget


def profile(scope):
    return [line.text for line in reading.profile(scope)]


@pytest.mark.req("B-45")
@pytest.mark.parametrize(
    "sentence",
    [
        "name: Alex",
        "Name: alex",
        "Alex",
        "User's name is Alex",
        "Użytkownik ma na imię Alex",
        "Der Nutzer heißt Alex",
        "Пользователя зовут Alex",
    ],
)
def test_fact_is_forgotten_by_its_value_its_line_or_a_sentence(
    scope, tell, forget, sentence
):
    tell("Alex")
    tell("Gdynia", "location")
    assert reasons(forget(sentence)) == [("retract", "forgotten")]
    assert profile(scope) == ["location: Gdynia"]
    assert reasons(forget(sentence)) == [("ignore", "already_forgotten")]


@pytest.mark.parametrize(
    "sentence",
    [
        "User's brother is called Alex",
        "User is not called Alex",
        "User met Alex at the swimming pool",
        "User's name is Alexander",
        "User plays chess",
    ],
)
def test_sentences_about_something_else_do_not_touch_it(scope, tell, forget, sentence):
    tell("Alex")
    assert reasons(forget(sentence)) == [("ignore", "not_found")]
    assert profile(scope) == ["name: Alex"]


def test_one_sentence_forgets_a_memory_and_a_profile_fact(
    scope, tell, forget, ann, home, embedder
):
    sentence = "User's name is Alex"
    MemoryFactory(user=ann, space=home, content=sentence, embedder=embedder)
    tell("Alex")
    assert reasons(forget(sentence)) == [("retract", "forgotten")] * 2
    assert service.count(scope) == 0


def test_former_values_are_forgotten_with_the_present_one(scope, tell, forget):
    tell("Alex")
    tell("Sasha", at=1)
    forget("name: Sasha")
    states = ProfileFact.objects.values_list("retired_reason", "retired_at")
    assert set(states) == {("retracted", day(5))}


@pytest.mark.parametrize("value", ["Alex", "Sasha"])
def test_late_statement_from_before_the_wish_stays_forgotten(
    scope, tell, forget, value
):
    tell("Alex")
    forget("name: Alex")
    for text in (None, f"I am {value}"):
        late = tell(value, at=3, user_text=text)
        assert reasons(late) == [("reject", "retracted")]
    assert profile(scope) == []


def test_later_statement_is_remembered(scope, tell, forget):
    tell("Alex")
    forget("name: Alex")
    repeated = tell("Alex", at=6, user_text="Forget my name Alex.")
    assert reasons(repeated) == [("reject", "retracted")]
    assert reasons(tell("Alex", at=6, user_text="I am Alex")) == [("add", "new")]
    assert profile(scope) == ["name: Alex"]


def test_message_with_the_wish_may_give_a_new_value(scope, tell, forget):
    tell("Alex")
    forget("name: Alex")
    text = "Forget that my name is Alex. I am Sasha."
    assert reasons(tell("Alex", at=5, user_text=text)) == [("reject", "retracted")]
    assert reasons(tell("Sasha", at=5, user_text=text)) == [("add", "new")]


def test_values_stay_for_undo_when_everything_is_forgotten_until_they_are_erased(
    scope, tell
):
    tell("Alex")
    tell("Sasha", at=1)
    tell("Gdynia", "location")
    assert service.count(scope) == 2
    assert len(service.forget(scope, None)) == 2
    assert profile(scope) == []
    assert ProfileFact.objects.exclude(value="").count() == 3
    service.erase(scope, None)
    assert set(ProfileFact.objects.values_list("value", flat=True)) == {""}
    assert reasons(tell("Alex", at=2)) == [("reject", "retracted")]


def test_forgotten_value_is_blanked_after_a_month(tell, forget, scope):
    tell("Alex")
    tell("Gdynia", "location")
    forget("name: Alex")
    ProfileFact.objects.retracted().update(
        retired_at=timezone.now() - timedelta(days=29)
    )
    daily()
    assert ProfileFact.objects.exclude(value="").count() == 2
    ProfileFact.objects.retracted().update(
        retired_at=timezone.now() - timedelta(days=31)
    )
    daily()
    assert ProfileFact.objects.get(value="").key == "name"
    assert profile(scope) == ["location: Gdynia"]


class TestUndo:
    def test_taking_back_restores_the_former_value(self, scope, tell):
        tell("Alex")
        (new,) = tell("Sasha", at=1)
        assert service.forget(scope, [new.memory_id], undo=True)
        assert profile(scope) == ["name: Alex"]
        assert not service.forget(scope, [new.memory_id], undo=True)

    def test_forgetting_is_undone_unless_there_is_a_new_value(
        self, scope, tell, forget
    ):
        tell("Alex")
        (gone,) = forget("name: Alex")
        assert restored(scope, [gone.target_id], day(5))
        assert profile(scope) == ["name: Alex"]
        forget("name: Alex", at=7)
        tell("Sasha", at=8)
        assert not restored(scope, [gone.target_id], day(7))
        assert profile(scope) == ["name: Sasha"]

    def test_forgetting_is_not_undone_beyond_the_limit(
        self, scope, tell, forget, monkeypatch
    ):
        monkeypatch.setattr("memory.facts.profile_facts.MOST_FACTS", 1)
        tell("Alex")
        (gone,) = forget("name: Alex")
        tell("Gdynia", "location", at=6)
        assert not restored(scope, [gone.target_id], day(5))
        assert profile(scope) == ["location: Gdynia"]

    def test_other_scopes_undo_nothing(self, scope, others, tell, forget):
        (new,) = tell("Alex")
        assert not service.forget(others[0], [new.memory_id], undo=True)
        forget("name: Alex")
        assert not restored(others[0], [new.memory_id], day(5))


class TestWithdrawn:
    def test_facts_of_an_edited_message_are_withdrawn(self, scope, tell):
        first, second = uuid4(), uuid4()
        tell("Alex", message_id=first)
        tell("Sasha", at=1, message_id=second)
        service.withdraw(scope, [second])
        assert profile(scope) == ["name: Alex"]
        service.withdraw(scope, [first])
        assert profile(scope) == []

    @pytest.mark.parametrize("at", [-1, 1])
    def test_value_that_two_messages_state_is_withdrawn_with_the_second_edit(
        self, scope, tell, at
    ):
        first, second = uuid4(), uuid4()
        tell("Alex", message_id=first)
        tell("Alex", at=at, message_id=second)
        service.withdraw(scope, [first])
        assert profile(scope) == ["name: Alex"]
        service.withdraw(scope, [second])
        assert profile(scope) == []

    def test_repeated_value_is_undone_whole(self, scope, tell):
        tell("Sasha", at=-2)
        (new,) = tell("Alex", message_id=uuid4())
        tell("Alex", at=1, message_id=uuid4())
        assert service.forget(scope, [new.memory_id], undo=True)
        assert profile(scope) == ["name: Sasha"]

    def test_former_value_of_an_edited_message_leaves_the_present_one(
        self, scope, tell
    ):
        first = uuid4()
        tell("Alex", message_id=first)
        tell("Sasha", at=1)
        service.withdraw(scope, [first])
        service.withdraw(scope, [], [first])
        assert profile(scope) == ["name: Sasha"]

    def test_withdrawn_fact_that_was_forgotten_since_stays_away(
        self, scope, tell, forget
    ):
        first = uuid4()
        tell("Alex", message_id=first)
        service.withdraw(scope, [first])
        tell("Alex", at=1)
        forget("name: Alex")
        service.withdraw(scope, [], [first])
        assert profile(scope) == []

    def test_tombstone_of_an_edited_message_stays(self, scope, tell, forget):
        message = uuid4()
        tell("Alex", message_id=message)
        forget("name: Alex")
        service.withdraw(scope, [message])
        assert reasons(tell("Alex", at=3)) == [("reject", "retracted")]

    def test_other_scopes_withdraw_nothing(self, scope, others, tell):
        message = uuid4()
        tell("Alex", message_id=message)
        service.withdraw(others[0], [message])
        assert profile(scope) == ["name: Alex"]


class TestErasing:
    def test_withdrawn_fact_is_named_in_its_event(self, scope, tell, client):
        message = uuid4()
        tell("Alex", message_id=message)
        service.withdraw(scope, [message])
        keys = service.stated_only_in(scope, [message])
        assert service.erase(scope, keys) == keys
        (event,) = MemoryEvent.objects.filter(kind="memory_forget")
        assert [line.row for line in lines_of(event)] == keys
        client.force_login(UserFactory(is_staff=True, is_superuser=True))
        page = client.get(f"/admin/memory/memoryevent/{event.pk}/change/")
        assert page.status_code == 200

    def test_later_values_outlive_the_erasing_of_a_forgotten_one(self, scope, tell):
        tell("Alex")
        (alex,) = ProfileFact.objects.all()
        service.forget(scope, [alex.pk])
        after = timezone.now() + timedelta(days=1)
        for number, value in enumerate(("Bob", "Carl")):
            candidate = ProfileCandidate("identity", "name", value)
            told = said(after + timedelta(hours=number))
            remember_profile(scope, [candidate], told)
        service.erase(scope, [alex.pk])
        carl = ProfileFact.objects.get(value="Carl")
        service.forget(scope, [carl.pk], undo=True)
        assert profile(scope) == ["name: Bob"]


def test_wish_waits_for_vectors_although_a_profile_fact_is_forgotten(
    scope, tell, ann, home, embedder
):
    tell("nurse", "occupation")
    service.forget(scope, [ProfileFact.objects.get().pk])
    text = "User works as a nurse"
    MemoryFactory(user=ann, space=home, content=text, embedder=embedder)
    embedder.failure = ProviderDown("out")
    wish = prepare_forgetting(["User is a nurse"], embedder=embedder)
    decisions = service.forget_stated(scope, wish, said())
    assert ("defer", "embedding_failed") in reasons(decisions)
