"""Updates fetched from Telegram, where there is no public address to bring them to."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from conversations.models import TelegramUpdate
from conversations.telegram import polling
from meddie.threads import run_db
from people.models import TelegramBot
from tests.factories import MembershipFactory, TelegramBotFactory
from tests.telegram_server import TOKEN, Answer, fails

OTHER_TOKEN = "2002:test-token-of-another"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Pauses small enough to wait for."""
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
    """Poll for as long as it takes until something holds in the database."""
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
    async with asyncio.timeout(20):
        while not await run_db(condition, *arguments):  # noqa: ASYNC110 -- a row's state
            await asyncio.sleep(0.02)


def stored():
    return list(TelegramUpdate.objects.in_order().values_list("update_id", flat=True))


def next_is(number):
    return TelegramBot.objects.get().next_update_id == number


def offsets(telegram):
    return [int(call.params["offset"]) for call in telegram.calls("getUpdates")]


async def test_what_telegram_has_is_stored_and_the_offset_with_it(polled, telegram):
    telegram.feed(telegram.message("One"), telegram.message("Two", sender=5))
    await poll_until(next_is, 3)
    assert await run_db(stored) == [1, 2]


async def test_a_restart_asks_for_what_comes_behind(polled, telegram):
    telegram.feed(telegram.message("One"))
    await poll_until(next_is, 2)
    before = len(telegram.calls("getUpdates"))
    telegram.feed(telegram.message("Two"))
    await poll_until(next_is, 3)
    assert set(offsets(telegram)[before:]) <= {2, 3}
    assert await run_db(stored) == [1, 2]


async def test_what_comes_twice_is_stored_once(polled, telegram):
    """The offset had not been stored when the process died, say."""
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
async def test_what_cannot_be_read_is_skipped(polled, telegram, odd):
    garbled = Answer(then="garble", raw=_answer([odd]))
    telegram.queue("getUpdates", garbled)
    telegram.feed(telegram.message("One") | {"update_id": 2})
    await poll_until(next_is, 3)
    assert await run_db(stored) == [2]


def _answer(updates):
    return b'{"ok": true, "result": %s}' % str(updates).replace("'", '"').encode()


async def test_groups_are_passed_over(polled, telegram):
    telegram.feed(telegram.message("Hello", chat=-5, chat_type="group"))
    await poll_until(next_is, 2)
    assert await run_db(stored) == []


async def test_only_bots_without_a_webhook_are_polled(bot, polled, telegram):
    def add_other():
        telegram.add_bot(OTHER_TOKEN)
        space = MembershipFactory().space
        return TelegramBotFactory(space=space, token=OTHER_TOKEN, api_url=telegram.url)

    other = await run_db(add_other)
    telegram.feed(telegram.message("Mine"))
    telegram.feed(telegram.message("Theirs"), token=OTHER_TOKEN)
    await poll_until(lambda: stored() == [1])
    assert {call.token for call in telegram.sent} == {TOKEN}
    await run_db(TelegramBot.objects.filter(pk=other.pk).update, polled=True)
    await poll_until(lambda: stored() == [1, 2])


async def test_bots_come_and_go_while_it_runs(bot, telegram):
    polled = TelegramBot.objects.filter(pk=bot.pk)
    async with polls():
        await asyncio.sleep(0.2)
        assert not telegram.sent
        await run_db(polled.update, polled=True)
        telegram.feed(telegram.message("One"))
        await until(lambda: stored() == [1])
        await run_db(polled.update, polled=False)
        await asyncio.sleep(0.2)
        telegram.feed(telegram.message("Two"))
        await asyncio.sleep(0.3)
        assert await run_db(stored) == [1]


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
async def test_what_goes_wrong_is_shown_until_it_goes_well(
    polled, telegram, status, shown
):
    def shows(problem):
        return TelegramBot.objects.get().error == problem

    telegram.queue("getUpdates", *[fails(status)] * 4)
    await poll_until(shows, shown)
    telegram.feed(telegram.message("One"))
    await poll_until(shows, "")
    await poll_until(next_is, 2)
