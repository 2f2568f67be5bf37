"""`make test-kill`: three storms of two hundred messages and twenty-five kills each.

The first kills PostgreSQL and Redis, the second our programs, the third all of them, at
random; the second also the chat worker once in each stage of an update, and once between
two parts of an answer. It has no webhook, and polls.
"""

from collections import Counter
from contextlib import ExitStack

import pytest
import redis
from django.conf import settings

from conversations.models import Message, Thread
from conversations.telegram.models import TelegramPart, TelegramUpdate
from memory.models import Memory
from tests import servers
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory, TelegramBotFactory, TelegramLinkFactory
from tests.kill.figures import figures
from tests.kill.finished_streams import Finished, play_round
from tests.kill.messages import (
    ALL_CHATS,
    CHATS,
    FIRST_CHAT,
    MESSAGES,
    Messages,
    deliveries,
    numbers_of,
    repeated,
    reply_to,
    stored_in,
)
from tests.kill.storm import CHAT, Plan, Storm
from tests.meddie.embedded.stack import free_port
from tests.openai_answers import says
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.telegram_server import TOKEN
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = 25
ENDS = 200
PATIENCE = 10
"""Seconds until `make run` kills a worker that it asked to end."""
PROGRAMS = ("web", CHAT, "worker")


@pytest.fixture
def bot(transactional_db, telegram):
    """With a member of its own for each chat, so that memories could get mixed up."""
    bot = TelegramBotFactory(token=TOKEN, api_url=telegram.url)
    for chat in ALL_CHATS:
        user = MembershipFactory(space=bot.space).user
        TelegramLinkFactory(space=bot.space, user=user, telegram_id=chat)
    return bot


@pytest.fixture
def log(tmp_path):
    """What the programs print."""
    return tmp_path / "log"


@pytest.fixture
def storm(plan, bot, telegram, openai_server, log):
    """Running programs and servers, and messages that have not been brought yet."""
    bot.polled = plan.polled
    bot.save()
    openai_server.chat.default = reply_to
    port = free_port()
    programs = {name: Program(name, log, port) for name in PROGRAMS}
    killed = {server.name: server for server in servers.running}
    with ExitStack() as running:
        for program in programs.values():
            running.enter_context(program)
        url = f"http://127.0.0.1:{port}"
        messages = running.enter_context(Messages(bot, telegram, url))
        yield Storm(messages, killed | programs)


def empty_redis():
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.flushall()


@pytest.mark.req("S3-13", "S3-15", "S3-17")
@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(Plan(1, {"postgres": 15, "redis": 10}), id="servers"),
        pytest.param(
            Plan(
                2,
                {CHAT: 14, "worker": 7},
                in_stages=True,
                polled=True,
            ),
            id="programs",
        ),
        pytest.param(
            Plan(
                3,
                {"postgres": 6, "redis": 5, CHAT: 6, "web": 4, "worker": 4},
            ),
            id="everything",
        ),
    ],
)
def test_storm_loses_no_message_and_doubles_and_reorders_none(
    plan, storm, telegram, log, capsys
):
    storm.rage(plan)
    found = figures(storm, telegram)
    with capsys.disabled():
        print(f"\n{found}")  # noqa: T201 -- the figures of the storm
    assert found.kills == KILLS
    assert found.answered == MESSAGES, log.read_text()[-5000:]
    assert (found.apologies, found.out_of_order) == (0, 0)
    assert found.twice == found.explained
    states = Counter(TelegramUpdate.objects.values_list("state", flat=True))
    assert states == {"done": MESSAGES}
    assert not TelegramPart.objects.filter(telegram_message_id=None).exists()
    for chat in ALL_CHATS:
        assert stored_in(chat) == numbers_of(chat)
    assert not Message.objects.exclude(status="done").exists()
    facts = Counter(Memory.objects.values_list("content", flat=True))
    assert len(facts) == MESSAGES // 4
    assert set(facts.values()) == {1}


@pytest.mark.req("S3-13")
def test_sweep_finds_a_chat_whose_task_was_lost(bot, telegram, openai_server):
    openai_server.chat.default = lambda _body: says("Here.")
    with WebProcess() as web, Messages(bot, telegram, web.url) as messages:
        messages.bring(1)
        wait_until(messages.all_brought)
    empty_redis()
    assert TelegramUpdate.objects.get().state == "waiting"
    with Program("chat"), Program("worker"):
        telegram.wait_until(lambda: telegram.texts(FIRST_CHAT) == ["Here."])
    assert Message.objects.filter(role="user").count() == 1


@pytest.mark.req("S3-13")
def test_worker_that_is_asked_to_end_leaves_nothing_half_done(
    bot, telegram, openai_server
):
    """It finishes what it has begun, or gives it and the leases back."""
    openai_server.chat.default = reply_to
    unfinished = TelegramUpdate.objects.unfinished()
    with (
        WebProcess() as web,
        Program("worker"),
        Messages(bot, telegram, web.url) as messages,
    ):
        with Program("chat") as chat:
            messages.bring(2 * CHATS)
            wait_until(messages.all_brought)
            telegram.wait_until(lambda: telegram.calls("sendMessage") != [])
            chat.process.terminate()
            assert chat.process.wait(PATIENCE) == 0
        assert unfinished.exists()
        assert not Thread.objects.exclude(lease_holder=None).exists()
        with Program("chat"):
            wait_until(lambda: not unfinished.all().exists())
    assert not any(list(repeated(calls)) for calls in deliveries(telegram).values())
    assert Message.objects.filter(role="user").count() == 2 * CHATS


@pytest.mark.parametrize("streams", [True, False])
def test_whole_answers_of_the_api_are_stored_whole(openai_server, streams):
    """Two hundred that clients got to their ends, under as many kills as that takes."""
    api, finished, rounds = api_for(MembershipFactory()), Finished(0, []), 0
    while finished.told < ENDS:
        rounds += 1
        finished += play_round(openai_server, api, f"kill {rounds}", streams=streams)
    print(f"\n{finished.told} answers, {rounds} kills, lost: {finished.lost}")  # noqa: T201 -- with -s
    assert not finished.lost
