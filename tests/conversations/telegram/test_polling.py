"""Updates fetched from Telegram where there is no public address for a webhook."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from conversations.models import TelegramUpdate
from conversations.telegram import polling
from meddie.threads import run_db
from people.models import TelegramBot
from tests.factories import MembershipFactory, TelegramBotFactory
from tests.telegram_server import TOKEN, Answer, fails
from tests.waiting import eventually

OTHER_TOKEN = "2002:test-token-of-another"
THIRD_TOKEN = "3003:test-token-of-a-third"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Short pauses."""
    monkeypatch.setattr(polling, "WAIT", 1)
    monkeypatch.setattr(polling, "CHECK_EVERY", 0.05)
    monkeypatch.setattr(polling, "PAUSE", 0.02)


@pytest.fixture
def polled(bot):
    """The space's bot, without a webhook."""
    bot.polled = True
    bot.save()
    return bot


async def poll_until(condition, *arguments):
    """Poll until a condition holds in the database."""
    async with polls():
        await until(condition, *arguments)


@asynccontextmanager
async def polls():
    task = asyncio.create_task(polling.poll())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.wait([task])


async def until(condition, *arguments):
    await eventually(lambda: run_db(condition, *arguments))


def add_bot(telegram, token, polled=True):
    """A bot of another space."""
    telegram.add_bot(token)
    space = MembershipFactory().space
    return TelegramBotFactory(
        space=space, token=token, api_url=telegram.url, polled=polled
    )


def polled_tokens(telegram):
    return {call.token for call in telegram.calls("getUpdates")}


def stored():
    return list(TelegramUpdate.objects.in_order().values_list("update_id", flat=True))


def next_is(number):
    return TelegramBot.objects.get().next_update_id == number


def offsets(telegram):
    return [int(call.params["offset"]) for call in telegram.calls("getUpdates")]


async def test_updates_are_stored_with_the_offset(polled, telegram):
    telegram.feed(telegram.message("One"), telegram.message("Two", sender=5))
    await poll_until(next_is, 3)
    assert await run_db(stored) == [1, 2]


async def test_restart_asks_for_later_updates_only(polled, telegram):
    telegram.feed(telegram.message("One"))
    await poll_until(next_is, 2)
    before = len(telegram.calls("getUpdates"))
    telegram.feed(telegram.message("Two"))
    await poll_until(next_is, 3)
    assert set(offsets(telegram)[before:]) <= {2, 3}
    assert await run_db(stored) == [1, 2]


async def test_repeated_update_is_stored_once(polled, telegram):
    """As when the process ends before the offset is stored."""
    update = telegram.message("One")
    telegram.feed(update)
    await poll_until(next_is, 2)
    await run_db(TelegramBot.objects.update, next_update_id=0)
    telegram.feed(update, telegram.message("Two"))
    await poll_until(next_is, 3)
    assert await run_db(stored) == [1, 2]


@pytest.mark.parametrize(
    "odd",
    [
        {"update_id": 1, "message": {"text": 5}},
        {"update_id": 1},
        {"update_id": "one"},
        {"update_id": 10**40},
        {},
    ],
)
async def test_unreadable_update_is_skipped(polled, telegram, odd):
    garbled = Answer(then="garble", raw=_answer([odd]))
    telegram.queue("getUpdates", garbled)
    telegram.feed(telegram.message("One") | {"update_id": 2})
    await poll_until(next_is, 3)
    assert await run_db(stored) == [2]


def _answer(updates):
    return b'{"ok": true, "result": %s}' % str(updates).replace("'", '"').encode()


async def test_group_messages_are_ignored(polled, telegram):
    telegram.feed(telegram.message("Hello", chat=-5, chat_type="group"))
    await poll_until(next_is, 2)
    assert await run_db(stored) == []


async def test_only_bots_without_a_webhook_are_polled(bot, polled, telegram):
    other = await run_db(add_bot, telegram, OTHER_TOKEN, False)
    telegram.feed(telegram.message("Mine"))
    telegram.feed(telegram.message("Theirs"), token=OTHER_TOKEN)
    await poll_until(lambda: stored() == [1])
    assert {call.token for call in telegram.sent} == {TOKEN}
    await run_db(TelegramBot.objects.filter(pk=other.pk).update, polled=True)
    await poll_until(lambda: stored() == [1, 2])


async def test_bots_are_connected_and_disconnected_while_polling(bot, telegram):
    connected = TelegramBot.objects.filter(pk=bot.pk)
    await run_db(add_bot, telegram, OTHER_TOKEN)
    async with polls():
        await until(lambda: polled_tokens(telegram) == {OTHER_TOKEN})
        await run_db(connected.update, polled=True)
        telegram.feed(telegram.message("One"))
        await until(lambda: stored() == [1])
        await run_db(connected.update, polled=False)
        await run_db(add_bot, telegram, THIRD_TOKEN)
        await until(lambda: THIRD_TOKEN in polled_tokens(telegram))
        telegram.feed(telegram.message("Two"))
        telegram.feed(telegram.message("Three"), token=THIRD_TOKEN)
        await until(lambda: 3 in stored())
        assert await run_db(stored) == [1, 3]


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        (401, "wrong_token"),
        (404, "wrong_token"),
        (409, "elsewhere"),
        (502, "unreachable"),
        (400, "refused"),
    ],
)
async def test_problem_is_shown_until_polling_succeeds(polled, telegram, status, shown):
    def shows(problem):
        return TelegramBot.objects.get().error == problem

    telegram.queue("getUpdates", *[fails(status)] * 4)
    await poll_until(shows, shown)
    telegram.feed(telegram.message("One"))
    await poll_until(shows, "")
    await poll_until(next_is, 2)
