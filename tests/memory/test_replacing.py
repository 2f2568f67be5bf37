"""What a newer statement takes the place of, and what stays beside it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.models import Memory, MemoryUpdate
from memory.values import Candidate
from tests.memory.conftest import known, reasons
from tests.memory.test_contradiction import PAIRS

pytestmark = pytest.mark.django_db
CUT_OTHERWISE = [
    ("User takes paracetamol/codeine", "User does not take paracetamol/codeine"),
    ("User reads wyborcza.pl/zdrowie", "User never reads wyborcza.pl/zdrowie"),
    ("User likes Łódź", "User does not like Łódź"),
    ("User did fly on 12.05.2024", "User did not fly on 12.05.2024"),
]
"""Into other words by PostgreSQL than by Meddie, most of them."""


@pytest.mark.parametrize("third", ["User lives in NY", "User moved to NY"])
def test_ny_la_ny_leaves_ny(tell, scope, third):
    (first,) = tell("User lives in NY")
    (second,) = tell("User lives in LA")
    assert (second.action, second.reason) == ("replace", "newer")
    assert second.target_id == first.memory_id
    assert known(scope) == ["User lives in LA"]
    (last,) = tell(third)
    assert (last.action, last.target_id) == ("replace", second.memory_id)
    assert known(scope) == [third]


@pytest.mark.parametrize(("old", "new"), [*PAIRS, *CUT_OTHERWISE])
def test_what_a_newer_sentence_contradicts_is_found_and_gives_way(
    old, new, tell, scope
):
    tell(old, at=timezone.now() - timedelta(days=1))
    assert reasons(tell(new)) == [("replace", "newer")]
    assert known(scope) == [new]


def test_the_superseded_row_is_kept_unlinked_and_audited(tell, scope):
    (old,) = tell("User lives in NY")
    (new,) = tell("User moved to LA")
    row = Memory.objects.get(pk=old.memory_id)
    assert (row.active, row.retired_reason) == (False, "superseded")
    assert row.retired_at is not None
    assert not row.links.exists()
    update = MemoryUpdate.objects.get()
    assert (update.old_id, update.new_id) == (old.memory_id, new.memory_id)
    assert (update.user_id, update.reason) == (scope.user_id, "newer")


def test_a_revived_row_is_the_old_one_with_a_new_date(tell, scope):
    (first,) = tell("User lives in NY")
    tell("User lives in LA")
    at = timezone.now()
    (last,) = tell("User lives in NY", at=at)
    assert last.memory_id == first.memory_id
    row = Memory.objects.get(pk=first.memory_id)
    assert (row.active, row.retired_reason, row.retired_at) == (True, "", None)
    assert row.stated_at == at
    assert row.links.count() == 1
    assert MemoryUpdate.objects.filter(new=row, reason="revived").exists()


def test_what_was_said_earlier_cannot_win_by_arriving_late(tell, scope):
    now = timezone.now()
    (stored,) = tell("User lives in LA", at=now)
    (late,) = tell("User lives in NY", at=now - timedelta(days=300))
    assert (late.action, late.reason) == ("ignore", "outdated")
    assert late.target_id == stored.memory_id
    assert known(scope) == ["User lives in LA"]


def test_an_old_import_that_runs_again_revives_nothing(tell, scope):
    now = timezone.now()
    tell("User lives in NY", at=now - timedelta(days=2))
    tell("User lives in LA", at=now - timedelta(days=1))
    (again,) = tell("User lives in NY", at=now - timedelta(days=2))
    assert (again.action, again.reason) == ("ignore", "outdated")
    assert known(scope) == ["User lives in LA"]


def test_two_values_of_one_moment_stay_beside_each_other(tell, scope):
    at = timezone.now()
    assert reasons(tell("User lives in NY", "User lives in LA", at=at)) == [
        ("add", "new"),
        ("add", "new"),
    ]


def test_somebody_elses_value_gives_not_way(tell, others):
    for other in others[:2]:
        tell("User lives in NY", scope=other)
    tell("User lives in LA")
    for other in others[:2]:
        assert known(other) == ["User lives in NY"]


@pytest.mark.req("B-25")
def test_a_candidate_can_name_what_it_supersedes(tell, scope):
    (old,) = tell("User has a cold")
    (new,) = tell(Candidate("User feels well", supersedes=old.memory_id))
    assert (new.action, new.target_id) == ("replace", old.memory_id)
    assert known(scope) == ["User feels well"]
    (late,) = tell("User has a cold", at=timezone.now() - timedelta(days=1))
    assert (late.action, late.reason) == ("ignore", "outdated")


@pytest.mark.req("B-25")
def test_a_candidate_cannot_supersede_what_is_not_its_own(tell, scope, others):
    for other in others[:2]:
        (theirs,) = tell("User has a cold", scope=other)
        named = Candidate("User feels well", supersedes=theirs.memory_id)
        tell(named)
        assert known(other) == ["User has a cold"]
    assert known(scope) == ["User feels well"]


def test_a_fact_that_supersedes_itself_is_a_duplicate(tell):
    (old,) = tell("User has a cold")
    (same,) = tell(Candidate("User has a cold", supersedes=old.memory_id))
    assert (same.action, same.reason) == ("ignore", "duplicate")
