"""Facts that a newer statement replaces, and facts that name what they replace."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.models import Memory, MemoryUpdate
from memory.values import Candidate
from tests.memory.conftest import known, reasons
from tests.memory.jobs import run_due

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("resolver")]


@pytest.fixture
def settle(tell):
    """Tell facts and run the jobs that resolve them."""

    def settle(*texts, **how):
        decisions = tell(*texts, **how)
        run_due()
        return decisions

    return settle


def test_ny_la_ny_leaves_ny(settle, scope):
    settle("User weighs 80 kg")
    settle("User weighs 82 kg")
    assert known(scope) == ["User weighs 82 kg"]
    settle("User now weighs 80 kg")
    assert known(scope) == ["User now weighs 80 kg"]


def test_fact_is_stored_at_once_and_resolved_afterwards(tell, scope):
    tell("User weighs 80 kg")
    assert reasons(tell("User weighs 82 kg")) == [("add", "new")]
    assert len(known(scope)) == 2
    run_due()
    assert known(scope) == ["User weighs 82 kg"]


def test_superseded_row_is_kept_unlinked_and_audited(settle, scope):
    (old,) = settle("User weighs 80 kg")
    (new,) = settle("User weighs 82 kg")
    row = Memory.objects.get(pk=old.memory_id)
    assert (row.active, row.retired_reason) == (False, "superseded")
    assert row.retired_at is not None
    assert not row.links.exists()
    update = MemoryUpdate.objects.get()
    assert (update.old_id, update.new_id) == (old.memory_id, new.memory_id)
    assert update.user_id == scope.user_id


def test_revived_row_is_the_old_one_with_a_new_date(settle, scope):
    (first,) = settle("User now weighs 80 kg")
    settle("User weighs 82 kg")
    at = timezone.now()
    (last,) = settle("User now weighs 80 kg", at=at)
    assert last.memory_id == first.memory_id
    row = Memory.objects.get(pk=first.memory_id)
    assert (row.active, row.retired_reason, row.retired_at) == (True, "", None)
    assert row.stated_at == at
    assert row.links.count() == 1
    assert MemoryUpdate.objects.filter(new=row, reason="revived").exists()
    assert known(scope) == ["User now weighs 80 kg"]


def test_earlier_statement_cannot_win_by_arriving_late(settle, scope):
    now = timezone.now()
    (stored,) = settle("User weighs 82 kg", at=now)
    settle("User weighs 80 kg", at=now - timedelta(days=300))
    assert known(scope) == ["User weighs 82 kg"]
    late = Memory.objects.get(content="User weighs 80 kg")
    update = MemoryUpdate.objects.get(old=late)
    assert update.new_id == stored.memory_id
    assert update.reason.startswith("outdated")


def test_old_import_that_runs_again_revives_nothing(settle, scope):
    now = timezone.now()
    settle("User weighs 80 kg", at=now - timedelta(days=2))
    settle("User weighs 82 kg", at=now - timedelta(days=1))
    (again,) = settle("User weighs 80 kg", at=now - timedelta(days=2))
    assert (again.action, again.reason) == ("ignore", "outdated")
    assert known(scope) == ["User weighs 82 kg"]


def test_two_values_of_one_moment_stay_beside_each_other(settle, scope):
    settle("User weighs 80 kg", "User weighs 82 kg", at=timezone.now())
    assert len(known(scope)) == 2


def test_other_users_value_is_not_replaced(settle, others):
    for other in others[:2]:
        settle("User weighs 80 kg", scope=other)
    settle("User weighs 82 kg")
    for other in others[:2]:
        assert known(other) == ["User weighs 80 kg"]


@pytest.mark.req("B-25")
def test_candidate_can_name_what_it_supersedes(tell, scope):
    (old,) = tell("User has a cold")
    (new,) = tell(Candidate("User feels well", supersedes=old.memory_id))
    assert (new.action, new.target_id) == ("replace", old.memory_id)
    assert known(scope) == ["User feels well"]
    (late,) = tell("User has a cold", at=timezone.now() - timedelta(days=1))
    assert (late.action, late.reason) == ("ignore", "outdated")


def test_candidate_cannot_supersede_a_newer_statement(tell, scope):
    (old,) = tell("User has a cold")
    named = Candidate("User feels well", supersedes=old.memory_id)
    (late,) = tell(named, at=timezone.now() - timedelta(days=1))
    assert (late.action, late.reason) == ("ignore", "outdated")
    assert known(scope) == ["User has a cold"]


@pytest.mark.req("B-25")
def test_candidate_cannot_supersede_a_memory_of_another_scope(tell, scope, others):
    for other in others[:2]:
        (theirs,) = tell("User has a cold", scope=other)
        tell(Candidate("User feels well", supersedes=theirs.memory_id))
        assert known(other) == ["User has a cold"]
    assert known(scope) == ["User feels well"]


def test_fact_that_supersedes_itself_is_a_duplicate(tell):
    (old,) = tell("User has a cold")
    (same,) = tell(Candidate("User has a cold", supersedes=old.memory_id))
    assert (same.action, same.reason) == ("ignore", "duplicate")
