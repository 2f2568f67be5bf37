"""Staff read for 30 days what was not stored, and why."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from memory import service
from memory.facts.retraction import blank_old_texts
from memory.models import MemoryEvent
from memory.reasons import Reason
from memory.values import Candidate
from tests.factories import UserFactory
from tests.memory.conftest import reasons

pytestmark = pytest.mark.django_db


@pytest.fixture
def refused(tell):
    fact = Candidate("User has a horse", evidence="I rode a horse once")
    return tell(fact, user_text="I like tea")


@pytest.fixture
def shown(client, ann):
    """The list of events about Ann as staff see it."""
    viewer = UserFactory(is_staff=True)
    rights = ("view_memory", "view_memoryevent")
    viewer.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(viewer)
    address = reverse("admin:memory_memoryevent_changelist")
    return lambda: client.get(address, {"user": ann.pk}).text


def test_proposal_is_shown_with_its_evidence_and_reason(refused, shown):
    assert reasons(refused) == [("reject", "ungrounded")]
    page = shown()
    assert "User has a horse" in page
    assert "I rode a horse once" in page
    assert "The message does not say it." in page


def test_proposal_is_erased_after_30_days(refused, shown):
    events = MemoryEvent.objects.filter(kind="memory_decision")
    events.update(created_at=timezone.now() - timedelta(days=29))
    blank_old_texts()
    assert "horse" in shown()
    events.update(created_at=timezone.now() - timedelta(days=31))
    blank_old_texts()
    page = shown()
    assert "horse" not in page
    assert "The message does not say it." in page


def test_proposal_is_erased_when_something_is_forgotten(refused, tell, scope, shown):
    (stored,) = tell("User likes tea", user_text="I like tea")
    service.forget(scope, [stored.memory_id])
    assert "horse" not in shown()


@pytest.mark.parametrize(
    "candidate",
    [
        Candidate("User's password is hunter2x", withheld=Reason.CONFIDENCE),
        Candidate("User has a horse", evidence="my password is hunter2x"),
    ],
)
def test_secret_that_is_refused_for_another_reason_is_recorded_nowhere(tell, candidate):
    tell(candidate, user_text="I like tea")
    assert "hunter2x" not in str(MemoryEvent.objects.get().texts)


def test_proposal_is_not_shown_to_staff_who_may_not_read_facts(refused, client, ann):
    viewer = UserFactory(is_staff=True)
    viewer.user_permissions.set(Permission.objects.filter(codename="view_memoryevent"))
    client.force_login(viewer)
    event = MemoryEvent.objects.get(kind="memory_decision")
    listed = reverse("admin:memory_memoryevent_changelist")
    one = reverse("admin:memory_memoryevent_change", args=[event.pk])
    for page in (client.get(listed, {"user": ann.pk}), client.get(one)):
        assert page.status_code == 200
        assert "horse" not in page.text


def test_secret_is_recorded_nowhere(tell, shown):
    decisions = tell("User's PIN is 1234", user_text="My PIN is 1234")
    assert reasons(decisions) == [("reject", "secret")]
    assert MemoryEvent.objects.get().texts == {}
    assert "1234" not in shown()
