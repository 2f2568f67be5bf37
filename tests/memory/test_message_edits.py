"""Editing a message withdraws the facts learnt from it, and no others."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from meddie.jobs.tasks import daily
from memory.facts.message_edits import withdraw
from memory.facts.retraction import forget, owner_scope
from memory.facts.store import NoOwner
from memory.models import Memory, MemoryLink, MemoryUpdate
from tests.conversations import transcripts
from tests.memory.conftest import known
from tests.memory.jobs import run_due

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("resolver")]
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
    fact = Memory.objects.get()
    forget(owner_scope(fact, ann), [fact.pk], by=ann)
    moved = say("User weighs 81 kg", 2)
    withdraw(scope, [moved.pk])
    assert known(scope) == []


@pytest.mark.parametrize("first_told", [3, 1])
def test_a_fact_that_two_messages_state_is_retired_with_the_second_edit(
    say, scope, first_told
):
    first = say("User has a cat", first_told)
    second = say("User has a cat", 2)
    withdraw(scope, [first.pk])
    assert known(scope) == ["User has a cat"]
    assert Memory.objects.get().stated_at == NOW - timedelta(hours=2)
    withdraw(scope, [second.pk])
    assert known(scope) == []


def test_both_messages_of_a_fact_may_be_edited_at_once(say, scope):
    first, second = say("User has a cat", 2), say("User has a cat", 1)
    withdraw(scope, [first.pk, second.pk])
    assert known(scope) == []


def test_an_imported_fact_survives_the_edit_of_a_message(say, tell, scope):
    message = say("User has a cat", 2)
    tell("User has a cat", at=NOW - timedelta(hours=1))
    withdraw(scope, [message.pk])
    assert known(scope) == ["User has a cat"]


def test_earlier_statements_do_not_keep_a_revived_fact(say, scope):
    say("User weighs 80 kg", 5)
    say("User weighs 80 kg", 4)
    say("User weighs 81 kg", 3)
    again = say("User weighs 80 kg", 2)
    assert known(scope) == ["User weighs 80 kg"]
    withdraw(scope, [again.pk])
    assert known(scope) == ["User weighs 81 kg"]


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
    daily()
    assert Memory.objects.count() == 3
    retired = Memory.objects.filter(active=False)
    retired.update(retired_at=NOW - timedelta(days=31))
    daily()
    assert set(Memory.objects.values_list("content", flat=True)) == {
        "User weighs 80 kg",
        "User weighs 81 kg",
    }


def test_withdrawn_fact_is_told_again_with_its_message(say, scope):
    say("User weighs 80 kg", 3)
    moved = say("User weighs 81 kg", 2)
    withdraw(scope, [moved.pk])
    withdraw(scope, [], [moved.pk])
    run_due()
    assert known(scope) == ["User weighs 81 kg"]


@pytest.mark.parametrize("edited", ["first", "second"])
def test_fact_of_two_messages_needs_two_edits_also_after_going_back(say, scope, edited):
    hours = [3, 2] if edited == "first" else [2, 3]
    said = {h: say("User has a cat", h) for h in sorted(hours, reverse=True)}
    one, other = (said[h] for h in hours)
    withdraw(scope, [one.pk])
    withdraw(scope, [], [one.pk])
    withdraw(scope, [other.pk])
    assert known(scope) == ["User has a cat"]
    assert Memory.objects.get().stated_at == NOW - timedelta(hours=hours[0])
    withdraw(scope, [one.pk])
    assert known(scope) == []
    withdraw(scope, [], [other.pk])
    assert known(scope) == ["User has a cat"]


def test_fact_that_both_versions_state_is_there_with_either(say, scope):
    old = say("User has a cat", 3)
    withdraw(scope, [old.pk])
    new = say("User has a cat", 2)
    assert known(scope) == ["User has a cat"]
    for gone, back in ((new, old), (old, new), (new, old)):
        withdraw(scope, [gone.pk])
        assert known(scope) == []
        withdraw(scope, [], [back.pk])
        assert known(scope) == ["User has a cat"]


@pytest.mark.req("S0-07")
def test_withdrawn_fact_is_told_again_by_no_other_scope(say, scope, others):
    moved = say("User weighs 81 kg", 2)
    withdraw(scope, [moved.pk])
    for other in others[:3]:
        withdraw(other, [], [moved.pk])
    with pytest.raises(NoOwner):
        withdraw(others[3], [], [moved.pk])
    assert known(scope) == []


def test_fact_stated_since_is_not_replaced_when_an_old_one_is_told_again(say, scope):
    old = say("User weighs 80 kg", 3)
    withdraw(scope, [old.pk])
    say("User weighs 82 kg", 1)
    withdraw(scope, [], [old.pk])
    run_due()
    assert known(scope) == ["User weighs 82 kg"]


def test_replaced_fact_is_not_told_again_without_its_successor(say, scope):
    first = say("User weighs 80 kg", 3)
    say("User weighs 81 kg", 2)
    withdraw(scope, [], [first.pk])
    assert known(scope) == ["User weighs 81 kg"]


@pytest.mark.parametrize("words", ["User weighs 80 kg", "The user weighs 80 kg"])
def test_fact_forgotten_since_is_not_told_again(say, scope, ann, words):
    old = say("User weighs 80 kg", 3)
    withdraw(scope, [old.pk])
    say(words, 1)
    fact = Memory.objects.active().get()
    forget(owner_scope(fact, ann), [fact.pk], by=ann)
    withdraw(scope, [], [old.pk])
    assert known(scope) == []


def test_fact_is_told_again_while_memory_is_off(say, scope):
    old = say("User weighs 80 kg", 3)
    withdraw(scope, [old.pk])
    withdraw(replace(scope, writes=False), [], [old.pk])
    assert known(scope) == ["User weighs 80 kg"]
