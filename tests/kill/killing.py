"""`make test-kill`: two hundred messages while workers are killed.

The worker gets SIGKILL at twenty points: once in each stage of an update, once between
two parts of an answer, and else at random. Redis is emptied once.
"""

import time
from collections import Counter

import pytest
import redis
from django.conf import settings

from conversations.models import Message, TelegramPart, TelegramUpdate, Thread
from memory.models import Memory
from tests.factories import MembershipFactory, TelegramBotFactory, TelegramLinkFactory
from tests.kill.storm import (
    CHATS,
    FIRST_CHAT,
    NUMBER,
    UPDATES,
    Storm,
    all_ended,
    chat_of,
    deliveries,
    repeated,
    reply_to,
)
from tests.openai_server import says
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = 20
PATIENCE = 10
"""Seconds until `make run` kills a worker that it asked to end."""
RECORDING = 1.0
"""Seconds at most between Telegram's taking a message and our record of it."""


@pytest.fixture
def bot(transactional_db, telegram):
    """With a member of its own for each chat, so that memories could get mixed up."""
    bot = TelegramBotFactory(token=TOKEN, api_url=telegram.url)
    for chat in [ANNA, *range(FIRST_CHAT, FIRST_CHAT + CHATS)]:
        user = MembershipFactory(space=bot.space).user
        TelegramLinkFactory(space=bot.space, user=user, telegram_id=chat)
    return bot


def empty_redis():
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.flushall()


def stored_in(chat):
    """The numbers of a chat's messages, as they are stored."""
    messages = Message.objects.filter(
        role="user", thread__channel="telegram", thread__external_id=str(chat)
    )
    found = messages.in_order().values_list("content", flat=True)
    return [int(NUMBER.findall(text)[-1]) for text in found]


def kill_workers(storm):
    """Ten messages and a kill, twenty times; then wait for the end."""
    plans = [
        lambda: storm.kill_in("received"),
        lambda: storm.kill_in("turn"),
        lambda: storm.kill_in("reply"),
        storm.kill_between_parts,
        *[storm.kill_at_random] * (KILLS - 4),
    ]
    storm.random.shuffle(plans)
    for number, kill in enumerate(plans):
        storm.bring(UPDATES // KILLS)
        if number == KILLS // 2:
            empty_redis()
        kill()
    storm.wait_for(all_ended, "the end of all updates", 900)


@pytest.mark.req("S3-13", "S3-15", "S3-17")
def test_two_hundred_messages_survive_twenty_kills_and_an_empty_redis(
    bot, telegram, openai_server, tmp_path, capsys
):
    openai_server.chat.default = reply_to
    log = tmp_path / "worker.log"
    with (
        WebProcess() as web,
        Program("chat", log) as chat,
        Program("worker", log),
        Program("beat", log),
    ):
        storm = Storm(bot, telegram, web, chat, seed=20)
        kill_workers(storm)
        took = time.time() - storm.began

    states = Counter(TelegramUpdate.objects.values_list("state", flat=True))
    assert states == {"done": UPDATES}, log.read_text()[-5000:]
    assert not TelegramPart.objects.filter(telegram_message_id=None).exists()
    taken = deliveries(telegram)
    for chat in range(FIRST_CHAT, FIRST_CHAT + CHATS):
        expected = [n for n in range(UPDATES) if chat_of(n) == chat]
        assert stored_in(chat) == expected
        answers = [c.params["text"] for c in taken[chat]]
        answered = [int(n) for text in answers for n in NUMBER.findall(text)]
        assert list(dict.fromkeys(answered)) == expected
    assert not Message.objects.exclude(status="done").exists()
    facts = Counter(Memory.objects.values_list("content", flat=True))
    assert len(facts) == UPDATES // 4
    assert set(facts.values()) == {1}

    twice = [pair for calls in taken.values() for pair in repeated(calls)]
    for first, _second in twice:
        assert any(0 <= killed - first.time < RECORDING for killed in storm.kills)
    sent = Counter(
        (c.chat, c.params["text"]) for calls in taken.values() for c in calls
    )
    assert max(sent.values()) <= 2
    with capsys.disabled():
        print(  # noqa: T201 -- the figures of the run
            f"\n{UPDATES} updates, {CHATS} chats, {len(storm.kills)} kills, Redis emptied"
            f" once: all done in {took:.0f} s; {len(twice)} parts were sent twice, each of"
            f" them taken by Telegram less than {RECORDING:.0f} s before a kill"
        )


@pytest.mark.req("S3-13")
def test_sweep_finds_a_chat_whose_task_was_lost(bot, telegram, openai_server):
    openai_server.chat.default = lambda _body: says("Here.")
    with WebProcess() as web:
        storm = Storm(bot, telegram, web, Program("chat"), seed=1)
        storm.bring(1)
    empty_redis()
    assert TelegramUpdate.objects.get().state == "waiting"
    with Program("chat"), Program("worker"), Program("beat"):
        telegram.wait_until(lambda: telegram.texts(FIRST_CHAT) == ["Here."])
    assert Message.objects.filter(role="user").count() == 1


@pytest.mark.req("S3-13")
def test_worker_that_is_asked_to_end_leaves_nothing_half_done(
    bot, telegram, openai_server
):
    """It finishes what it has begun, or gives it and the leases back."""
    openai_server.chat.default = reply_to
    with WebProcess() as web, Program("worker"), Program("beat"):
        with Program("chat") as chat:
            storm = Storm(bot, telegram, web, chat, seed=2)
            storm.bring(2 * CHATS)
            telegram.wait_until(lambda: telegram.calls("sendMessage") != [])
            chat.process.terminate()
            assert chat.process.wait(PATIENCE) == 0
        assert not all_ended()
        assert not Thread.objects.exclude(lease_holder=None).exists()
        with Program("chat"):
            storm.wait_for(all_ended, "the end of all updates", 300)
    assert not any(list(repeated(calls)) for calls in deliveries(telegram).values())
    assert Message.objects.filter(role="user").count() == 2 * CHATS
