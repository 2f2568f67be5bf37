"""Who says a message differently takes back what was learnt from it, and no more."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.capture.forgetting import retract
from memory.capture.message_edits import withdraw
from memory.models import Memory, MemoryLink, MemoryUpdate
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


def test_what_it_had_replaced_stands_again(say, scope):
    say("User lives in Gdynia", 3)
    moved = say("User now lives in Sopot", 2)
    assert known(scope) == ["User now lives in Sopot"]
    withdraw(scope, [moved.pk])
    assert known(scope) == ["User lives in Gdynia"]
    assert MemoryUpdate.objects.filter(reason="restored").count() == 1


def test_of_a_chain_that_is_taken_back_only_what_was_before_it_returns(say, scope):
    say("User lives in Gdynia", 3)
    later = [say("User now lives in Sopot", 2), say("User now lives in Hel", 1)]
    withdraw(scope, [message.pk for message in later])
    assert known(scope) == ["User lives in Gdynia"]


def test_what_something_newer_has_replaced_too_stays_away(say, scope):
    say("User lives in Gdynia", 3)
    moved = say("User now lives in Sopot", 2)
    say("User now lives in Hel", 1)
    withdraw(scope, [moved.pk])
    assert known(scope) == ["User now lives in Hel"]


def test_what_was_forgotten_stays_forgotten(say, scope, ann):
    say("User lives in Gdynia", 3)
    retract(Memory.objects.get(), by=ann)
    moved = say("User now lives in Sopot", 2)
    withdraw(scope, [moved.pk])
    assert known(scope) == []


def test_others_keep_what_they_said(say, scope, others, bob):
    moved = say("User now lives in Sopot", 2)
    Memory.objects.update(user=bob)  # whatever its message is
    MemoryLink.objects.update(user=bob)
    withdraw(scope, [moved.pk])
    assert known(others[0]) == ["User now lives in Sopot"]
