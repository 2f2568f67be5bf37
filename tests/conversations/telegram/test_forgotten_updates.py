"""Telegram updates that wait or failed go when what they say is forgotten."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.models import Message
from conversations.reply.confirmations import forget_scope
from conversations.telegram.models import TelegramPart, TelegramUpdate
from memory import service
from memory.values import Provenance
from people.scope import scope_for
from tests.conversations.telegram.chat import post
from tests.conversations.turns import noting
from tests.factories import TelegramLinkFactory
from tests.openai_answers import says
from tests.telegram_updates import ANNA

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "I am pregnant"
BOB = 4711


@pytest.fixture
def scope(member):
    return scope_for(member.user, member.space_id, channel="web")


@pytest.fixture
def send(chat, telegram):
    def send(*texts, state, sender=ANNA):
        for text in texts:
            post(chat.bot, telegram.message(text, sender=sender))
        TelegramUpdate.objects.filter(state="waiting").update(state=state)

    return send


def forget(scope, at=None):
    wish = Provenance("inline", at or timezone.now() + timedelta(seconds=1))
    service.forget_stated(scope, service.prepare_forgetting(["User is pregnant"]), wish)


def kept():
    updates = TelegramUpdate.objects.exclude(payload={})
    return [update.text for update in updates.in_order()]


@pytest.mark.parametrize("state", ["dead", "waiting"])
def test_a_forgotten_update_is_not_stored(chat, send, scope, state):
    TelegramLinkFactory(space=chat.bot.space, telegram_id=BOB)
    send(TEXT, "Tea is ready", state=state)
    send(TEXT, sender=BOB, state=state)
    update = TelegramUpdate.objects.in_order().first()
    TelegramPart.objects.create(update=update, number=1, html=TEXT)
    forget(scope)
    assert kept() == ["Tea is ready", TEXT]
    assert not TelegramPart.objects.filter(html=TEXT).exists()
    TelegramUpdate.objects.filter(state="dead").retry()
    chat.work()
    told = Message.objects.filter(content=TEXT)
    assert not told.filter(conversation__user=scope.user_id).exists()


def test_an_update_that_is_later_than_the_wish_stays(send, scope):
    send(TEXT, state="dead")
    forget(scope, at=timezone.now() - timedelta(hours=1))
    assert kept() == [TEXT]


@pytest.mark.parametrize("state", ["dead", "waiting"])
def test_no_text_waits_after_everything_is_forgotten(send, scope, state):
    send(TEXT, "Tea is ready", state=state)
    forget_scope(scope)
    assert kept() == []


def test_the_update_with_the_wish_is_answered(chat, openai_server):
    wish = noting("Forgotten.", memory_forgets=["User is pregnant"])
    openai_server.chat.queue(says("Congratulations."), wish)
    chat.say(TEXT)
    answers = chat.say("Forget that I am pregnant")
    assert answers[0] == "Forgotten."
    assert chat.states() == ["done", "done"]
