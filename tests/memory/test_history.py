"""Statements that arrive in any order: the newest is active, the older ones are kept."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.message_edits import withdraw
from memory.facts.resolve import Verdict, carry_out, read_comparison
from memory.models import CaptureJob, Memory, MemoryUpdate
from memory.values import Candidate
from tests.conversations import transcripts
from tests.memory.conftest import known, reasons, said
from tests.memory.jobs import run_due
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db
NOW = timezone.now()
NY, LA, BOSTON = "User lives in NY", "User lives in LA", "User lives in Boston"


def day(number):
    return NOW - timedelta(days=100 - number)


@pytest.fixture
def judge(scope):
    """Write a resolver's verdict about a new fact and a known one."""

    def judge(action, new, known):
        comparison = read_comparison(scope, [new.memory_id])
        number = [row.pk for row in comparison.known].index(known.memory_id) + 1
        carry_out(scope, comparison, [Verdict(**ruling(action, target=number))])

    return judge


@pytest.fixture
def moved(tell, judge):
    """NY on the first day, then LA."""
    (ny,) = tell(NY, at=day(1))
    (la,) = tell(LA, at=day(2))
    judge("replace", la, ny)
    return ny, la


def forbid_resolving():
    CaptureJob.objects.all().delete()


@pytest.mark.req("S1-29")
def test_sentence_stated_once_more_replaces_its_successor(moved, tell, scope):
    ny, la = moved
    forbid_resolving()
    (again,) = tell(NY, at=day(3))
    assert (again.action, again.reason) == ("replace", "newer")
    assert (again.memory_id, again.target_id) == (ny.memory_id, la.memory_id)
    assert known(scope) == [NY]
    assert Memory.objects.get(content=LA).retired_reason == "superseded"
    (back,) = tell(LA, at=day(4))
    assert (back.action, back.target_id) == ("replace", ny.memory_id)
    assert known(scope) == [LA]


def test_whole_chain_is_followed_to_its_end(moved, tell, scope, judge):
    _, la = moved
    (boston,) = tell(BOSTON, at=day(3))
    judge("replace", boston, la)
    (again,) = tell(NY, at=day(4))
    assert again.target_id == boston.memory_id
    assert known(scope) == [NY]


def test_successor_that_is_newer_stays(moved, tell, scope):
    (again,) = tell(NY, at=day(1) + timedelta(hours=1))
    assert (again.action, again.reason) == ("ignore", "outdated")
    assert known(scope) == [LA]


@pytest.mark.req("S1-32")
def test_thinner_wording_of_a_refined_fact_is_known(tell, scope, judge):
    thin, full = "User takes aspirin", "User takes aspirin 100 mg"
    (old,) = tell(thin, at=day(1))
    (new,) = tell(full, at=day(2))
    judge("refine", new, old)
    assert MemoryUpdate.objects.get().reason == "refined"
    (again,) = tell(thin, at=day(3))
    assert (again.action, again.reason) == ("ignore", "duplicate")
    assert again.target_id == new.memory_id
    assert known(scope) == [full]
    assert Memory.objects.get(content=full).stated_at == day(3)


@pytest.mark.parametrize("action", ["refine", "replace"])
def test_forgetting_a_refined_fact_forgets_what_refines_it(
    tell, scope, judge, embedder, action
):
    thin, full = "User takes aspirin", "User takes aspirin 100 mg"
    (old,) = tell(thin, at=day(1))
    (new,) = tell(full, at=day(2))
    judge(action, new, old)
    assert known(scope) == [full]
    wish = prepare_forgetting([thin], embedder=embedder)
    (decision,) = forget_stated(scope, wish, said())
    assert (decision.reason, decision.target_id) == ("forgotten", new.memory_id)
    assert known(scope) == []
    assert set(Memory.objects.values_list("retired_reason", flat=True)) == {"retracted"}
    (again,) = forget_stated(scope, wish, said())
    assert again.reason == "already_forgotten"


def test_forgetting_a_replaced_fact_keeps_what_contradicts_it(moved, scope, embedder):
    ny, _ = moved
    wish = prepare_forgetting([NY], embedder=embedder)
    (decision,) = forget_stated(scope, wish, said())
    assert (decision.reason, decision.target_id) == ("forgotten", ny.memory_id)
    assert known(scope) == [LA]


@pytest.mark.parametrize("origin", ["import", "inline"])
def test_late_statement_is_kept_as_superseded(tell, scope, origin):
    (newer,) = tell(LA, at=day(2))
    late = Candidate(NY, supersedes=newer.memory_id)
    (decision,) = tell(late, at=day(1), origin=origin)
    assert (decision.action, decision.reason) == ("ignore", "outdated")
    row = Memory.objects.get(pk=decision.memory_id)
    assert (row.active, row.retired_reason) == (False, "superseded")
    assert row.stated_at == day(1)
    assert row.retired_at is not None
    assert not row.links.exists()
    update = MemoryUpdate.objects.get(old=row)
    assert (update.new_id, update.reason) == (newer.memory_id, "outdated")
    assert known(scope) == [LA]


def test_late_statement_that_returns_replaces_its_successor(tell, scope):
    (newer,) = tell(LA, at=day(2))
    tell(Candidate(NY, supersedes=newer.memory_id), at=day(1))
    assert reasons(tell(NY, at=day(3))) == [("replace", "newer")]
    assert known(scope) == [NY]


def test_withdrawing_the_return_restores_what_it_replaced(
    moved, tell, scope, ann, home
):
    talk = transcripts.start_conversation(ann, home)
    message = transcripts.say(talk, "user", NY)
    tell(NY, at=day(3), message_id=message.pk)
    withdraw(scope, [message.pk])
    assert known(scope) == [LA]


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    weights=st.lists(st.sampled_from([80, 82, 84]), min_size=2, max_size=6),
    data=st.data(),
)
@pytest.mark.usefixtures("resolver")
def test_newest_statement_is_active_in_any_order_of_arrival(tell, scope, weights, data):
    dated = [(f"User weighs {kg} kg", day(n)) for n, kg in enumerate(weights)]
    with transaction.atomic():
        for text, at in data.draw(st.permutations(dated)):
            tell(text, at=at)
            run_due()
        assert known(scope) == [dated[-1][0]]
        kept = set(Memory.objects.values_list("content", flat=True))
        assert kept == {text for text, _ in dated}
        transaction.set_rollback(True)
