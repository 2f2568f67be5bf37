"""Updates fetched from Telegram where there is no public address for a webhook."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from conversations.telegram import polling
from conversations.telegram.models import TelegramBot, TelegramUpdate
from meddie.threads import run_db
from tests.factories import MembershipFactory, TelegramBotFactory
from tests.telegram_answers import Answer, fails
from tests.telegram_server import TOKEN
from tests.waiting import PATIENCE, eventually

OTHER_TOKEN = "2002:test-token-of-another"
THIRD_TOKEN = "3003:test-token-of-a-third"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Short pauses."""
    monkeypatch.setattr(polling, "WAIT", 1)
    monkeypatch.setattr(polling, "CHECK_EVERY", 0.05)
    monkeypatch.setattr(polling, "PAUSE_AFTER_ERROR", 0.02)


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


def confirmed(telegram):
    """Telegram has no update left."""
    return not telegram.bots[TOKEN].waiting


def has_stored(*update_ids):
    return stored() == list(update_ids)


async def test_updates_are_stored_and_confirmed(polled, telegram):
    telegram.feed(telegram.message("One"), telegram.message("Two", sender=5))
    await poll_until(confirmed, telegram)
    assert await run_db(stored) == [1, 2]


async def test_restart_stores_no_update_twice(polled, telegram):
    """As when the process ends before it confirms what it stored."""
    update = telegram.message("One")
    telegram.feed(update)
    await poll_until(confirmed, telegram)
    telegram.feed(update, telegram.message("Two"))
    await poll_until(confirmed, telegram)
    assert await run_db(stored) == [1, 2]


@pytest.mark.slow
async def test_lower_ids_after_a_quiet_time_are_received(polled, telegram):
    """After a week without messages Telegram picks a new number, which may be lower."""

    def asks_for_any():
        offsets = [call.params["offset"] for call in telegram.calls("getUpdates")]
        return "901" in offsets and offsets[-1] == "0"

    telegram.feed(telegram.message("One") | {"update_id": 900})
    async with polls():
        await until(asks_for_any)
        telegram.feed(telegram.message("Two") | {"update_id": 5})
        await until(has_stored, 5, 900)
        telegram.feed(telegram.message("Three") | {"update_id": 6})
        await until(has_stored, 5, 6, 900)


async def test_lower_id_of_a_time_without_polling_is_received(polled, telegram):
    telegram.feed(telegram.message("One") | {"update_id": 900})
    await poll_until(confirmed, telegram)
    telegram.feed(telegram.message("Two") | {"update_id": 5})
    await poll_until(has_stored, 5, 900)


async def test_failed_confirmation_loses_no_lower_id(polled, telegram):
    first, lower = (
        telegram.message("One") | {"update_id": 900},
        telegram.message("Two") | {"update_id": 5},
    )
    telegram.feed(first)
    telegram.queue(
        "getUpdates",
        Answer(),
        Answer(502, "Bad Gateway", meanwhile=lambda: telegram.feed(lower)),
    )
    await poll_until(has_stored, 5, 900)


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
    await poll_until(confirmed, telegram)
    assert await run_db(stored) == [2]


def _answer(updates):
    return b'{"ok": true, "result": %s}' % str(updates).replace("'", '"').encode()


async def test_group_messages_are_ignored(polled, telegram):
    telegram.feed(telegram.message("Hello", chat=-5, chat_type="group"))
    await poll_until(confirmed, telegram)
    assert await run_db(stored) == []


async def test_edits_are_asked_for(polled, telegram):
    telegram.feed(telegram.edited_message("Hello again"))
    await poll_until(has_stored, 2)


async def test_only_bots_without_a_webhook_are_polled(bot, polled, telegram):
    other = await run_db(add_bot, telegram, OTHER_TOKEN, False)
    telegram.feed(telegram.message("Mine"))
    telegram.feed(telegram.message("Theirs"), token=OTHER_TOKEN)
    await poll_until(lambda: stored() == [1])
    assert {call.token for call in telegram.sent} == {TOKEN}
    await run_db(TelegramBot.objects.filter(pk=other.pk).update, polled=True)
    await poll_until(lambda: stored() == [1, 2])


@pytest.mark.slow
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
async def test_problem_is_shown_until_polling_succeeds(
    polled, telegram, status, shown, monkeypatch
):
    monkeypatch.setattr(polling, "WAIT", PATIENCE)

    def shows(problem):
        return TelegramBot.objects.get().error == problem

    telegram.queue("getUpdates", fails(status))
    await poll_until(shows, shown)
    telegram.feed(telegram.message("One"))
    await poll_until(shows, "")
    await poll_until(confirmed, telegram)
