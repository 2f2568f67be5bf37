"""One message in the chat tells of answers that used what has changed since."""

import json
from contextlib import suppress
from datetime import timedelta
from itertools import count

import pytest
from django.db import connection
from django.utils import timezone

from conversations.models import Message
from conversations.telegram.links import mark_blocked
from conversations.telegram.models import TelegramNotice
from memory import service
from memory.models import Memory
from people.scope import scope_for
from tests.conversations.outdated.checking import (
    OLD,
    Killed,
    Killer,
    correct,
    end_leases,
    learn,
    run_checks,
)
from tests.conversations.telegram.conftest import bot, chat, link, member
from tests.openai_answers import says
from tests.telegram_answers import blocks, fails, floods, hangs_up, vanishes
from tests.telegram_updates import ANNA

__all__ = ["bot", "chat", "link", "member"]
pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "Amoxicillin is fine: you are not allergic to penicillin."


@pytest.fixture
def scope(member):
    return scope_for(member.user, member.space_id, channel="telegram")


@pytest.fixture
def fact(scope, chat, openai_server):
    """A fact that an answer in the chat has used."""
    answering(openai_server)
    fact = learn(scope)
    openai_server.chat.queue(says(ANSWER))
    assert chat.say("May I take amoxicillin?") == [ANSWER]
    return fact


def answering(openai_server):
    """A model that says of every answer that it used what was known."""
    openai_server.titles.default = lambda _body: says(json.dumps({"answers": [1, 2]}))


def notices(chat):
    return [
        text for text in chat.answers() if "earlier answer" in text or "used" in text
    ]


def test_notice_quotes_the_answer_and_says_what_was_corrected(
    chat, fact, scope, telegram
):
    correct(scope, fact)
    run_checks()
    (told,) = notices(chat)
    assert told.startswith(
        "<i>This answer used: “Is not allergic to penicillin”. You corrected that on"
    )
    first, last = telegram.calls("sendMessage", ANNA)
    quoted = json.loads(last.params["reply_parameters"])
    assert quoted["message_id"] == first.result["message_id"]


def test_several_answers_are_told_of_in_one_message_and_once(
    chat, fact, scope, openai_server
):
    openai_server.chat.queue(says("No penicillin allergy, so yes."))
    chat.say("And ampicillin?")
    decision = correct(scope, fact)
    run_checks()
    (told,) = notices(chat)
    assert told.startswith("<i>2 earlier answers used: “Is not allergic")
    service.forget(scope, [decision.memory_id], undo=True)
    run_checks()
    correct(scope, Memory.objects.get(content=OLD))
    run_checks()
    assert notices(chat) == [told]


def test_correction_that_is_undone_before_is_not_told(chat, fact, scope):
    decision = correct(scope, fact)
    service.forget(scope, [decision.memory_id], undo=True)
    run_checks()
    assert notices(chat) == []


def test_user_who_turned_it_off_is_told_nothing(chat, fact, scope, member):
    correct(scope, fact)
    member.user.answer_notices = False
    member.user.save()
    run_checks()
    assert notices(chat) == []


def test_user_who_has_blocked_the_bot_is_sent_nothing(chat, fact, scope, link):
    correct(scope, fact)
    mark_blocked(link.pk)
    before = len(chat.telegram.sent)
    run_checks()
    assert len(chat.telegram.sent) == before
    assert TelegramNotice.objects.get().state == "done"


def test_notice_waits_as_long_as_telegram_says(chat, fact, scope, telegram):
    correct(scope, fact)
    telegram.queue("sendMessage", floods(100))
    run_checks()
    wait = TelegramNotice.objects.get().available_at - timezone.now()
    assert timedelta(seconds=90) < wait < timedelta(seconds=101)


def test_forgotten_fact_is_not_repeated(chat, fact, scope):
    service.forget(scope, [fact.pk])
    run_checks()
    (told,) = notices(chat)
    assert told.startswith(
        "<i>This answer used something that you told me. You asked me to forget it on"
    )


def test_worker_that_is_killed_at_any_statement_sends_no_second_message(
    chat, fact, scope
):
    correct(scope, fact)
    for number in count(1):
        killer = Killer(number)
        with suppress(Killed), connection.execute_wrapper(killer):
            run_checks()
        end_leases()
        assert len(notices(chat)) <= 1
        if killer.left > 0:
            break
    run_checks()
    assert len(notices(chat)) == 1
    assert TelegramNotice.objects.get().state == "done"


@pytest.mark.parametrize(
    ("failure", "sent"),
    [
        (floods(60), 1),
        (vanishes(), 1),
        (hangs_up(), 0),
        (fails(400), 0),
        (blocks(), 0),
    ],
)
def test_failing_bot_api_is_asked_again_only_if_it_refused_for_now(
    chat, fact, scope, telegram, failure, sent
):
    correct(scope, fact)
    telegram.queue("sendMessage", failure, chat=ANNA)
    run_checks()
    end_leases()
    run_checks()
    assert len(notices(chat)) == sent


def test_other_users_chats_hear_nothing(chat, fact, scope, member, telegram, bot):
    Message.objects.filter(role="assistant").update(content=ANSWER)
    others = learn(
        scope_for(member.user, member.space_id, channel="web"), "User is old"
    )
    correct(scope, others, "User is young")
    run_checks()
    assert notices(chat) == []
