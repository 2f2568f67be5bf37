"""Editing a message withdraws the facts learnt from it, and no others."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.capture.forgetting import retract
from memory.capture.message_edits import withdraw
from memory.models import Memory, MemoryLink, MemoryUpdate
from memory.tasks import clean_up
from tests.conversations import transcripts
from tests.memory.conftest import known
from tests.memory.jobs import run_due

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def say(tell, ann, home):
    """Let Ann say a fact in a message of its own, so many hours ago; the message."""
    talk = transcripts.start_conversation(ann, home)

    def said(text, hours):
        message = transcripts.say(talk, "user", text)
        tell(text, at=NOW - timedelta(hours=hours), message_id=message.pk)
        run_due()
        return message

    return said


def test_a_replaced_fact_is_restored(say, scope):
    say("User weighs 80 kg", 3)
    moved = say("User weighs 81 kg", 2)
    assert known(scope) == ["User weighs 81 kg"]
    withdraw(scope, [moved.pk])
    assert known(scope) == ["User weighs 80 kg"]
    assert MemoryUpdate.objects.filter(reason="restored").count() == 1


def test_withdrawing_a_chain_restores_only_the_fact_before_it(say, scope):
    say("User weighs 80 kg", 3)
    later = [say("User weighs 81 kg", 2), say("User weighs 82 kg", 1)]
    withdraw(scope, [message.pk for message in later])
    assert known(scope) == ["User weighs 80 kg"]


def test_a_fact_with_another_successor_is_not_restored(say, scope):
    say("User weighs 80 kg", 3)
    moved = say("User weighs 81 kg", 2)
    say("User weighs 82 kg", 1)
    withdraw(scope, [moved.pk])
    assert known(scope) == ["User weighs 82 kg"]


def test_a_forgotten_fact_is_not_restored(say, scope, ann):
    say("User weighs 80 kg", 3)
    retract(Memory.objects.get(), by=ann)
    moved = say("User weighs 81 kg", 2)
    withdraw(scope, [moved.pk])
    assert known(scope) == []


def test_facts_of_other_users_stay(say, scope, others, bob):
    moved = say("User weighs 81 kg", 2)
    Memory.objects.update(user=bob)  # the source message is still Ann's
    MemoryLink.objects.update(user=bob)
    withdraw(scope, [moved.pk])
    assert known(others[0]) == ["User weighs 81 kg"]


def test_withdrawn_fact_is_deleted_after_a_month_and_a_replaced_one_is_not(say, scope):
    say("User weighs 80 kg", 3)
    say("User weighs 81 kg", 2)
    wrong = say("User has a cat", 1)
    withdraw(scope, [wrong.pk])
    clean_up()
    assert Memory.objects.count() == 3
    retired = Memory.objects.filter(active=False)
    retired.update(retired_at=NOW - timedelta(days=31))
    clean_up()
    assert set(Memory.objects.values_list("content", flat=True)) == {
        "User weighs 80 kg",
        "User weighs 81 kg",
    }
