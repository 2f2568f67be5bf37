"""Spaces that keep a limited number of facts archive the oldest ones."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from memory.models import Memory, MemoryLink, MemoryPolicy
from memory.tasks import archive_surplus
from tests.factories import MemoryFactory
from tests.memory.conftest import known

pytestmark = pytest.mark.django_db
EARLIER = now() - timedelta(days=1)


@pytest.fixture
def policy(home):
    return MemoryPolicy.objects.create(space=home, keep_per_user=2)


def fill(tell, scope):
    tell("User plays chess", scope=scope, at=EARLIER)
    tell("User has a dog", scope=scope)
    tell("User likes tea", scope=scope, at=EARLIER - timedelta(days=1))


@pytest.mark.req("S3-24", "S3-07", "S3-73")
def test_the_latest_facts_of_each_user_are_kept(policy, tell, scope, others):
    bobs, office = others[:2]
    for each in (scope, office):
        fill(tell, each)
    tell("User sails", scope=bobs)
    archive_surplus()
    assert known(scope) == ["User has a dog", "User plays chess"]
    assert known(bobs) == ["User sails"]
    assert len(known(office)) == 3
    archived = Memory.objects.get(active=False)
    assert archived.retired_reason == "archived"
    archive_surplus()
    assert len(known(scope)) == 2


@pytest.mark.req("S3-24")
def test_facts_about_health_are_kept(policy, tell, scope):
    fill(tell, scope)
    tell("User is allergic to nuts", at=EARLIER - timedelta(days=9))
    archive_surplus()
    assert known(scope) == [
        "User has a dog",
        "User is allergic to nuts",
        "User plays chess",
    ]


@pytest.mark.req("S3-24")
def test_without_a_limit_all_facts_are_kept(tell, scope, home):
    MemoryPolicy.objects.create(space=home)
    fill(tell, scope)
    archive_surplus()
    assert len(known(scope)) == 3


def test_an_archived_fact_that_is_stated_again_is_active(policy, tell, scope):
    fill(tell, scope)
    archive_surplus()
    tell("User likes tea")
    archive_surplus()
    assert known(scope) == ["User has a dog", "User likes tea"]


def test_community_memories_are_not_archived(policy):
    for _ in range(3):
        MemoryFactory(user=None, space=None, audience="everyone", linked=False)
    archive_surplus()
    assert Memory.objects.active().count() == 3


def test_a_fact_that_is_lent_stays_with_its_borrower(policy, tell, scope, bob, home):
    fill(tell, scope)
    oldest = Memory.objects.get(content="User likes tea")
    MemoryLink.objects.create(user=bob, space=home, memory=oldest)
    archive_surplus()
    assert known(scope) == ["User has a dog", "User plays chess"]
    oldest.refresh_from_db()
    assert oldest.active
