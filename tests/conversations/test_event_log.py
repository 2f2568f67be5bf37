"""The log of a running reply: read by anybody, from any point, until it ends."""

from uuid import uuid4

import pytest
import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from conversations import event_log
from conversations.event_log import Appended, Ended, Quiet


async def read_all(reply_id, after="0"):
    batches = [batch async for batch in event_log.read_events(reply_id, after)]
    return [entry for batch in batches for entry in batch]


async def test_a_reader_gets_everything_in_order():
    reply_id = uuid4()
    await event_log.append(reply_id, Appended("Hel"))
    await event_log.append(reply_id, Appended("lo"))
    await event_log.append(reply_id, Ended("done"))
    events = [event for _, event in await read_all(reply_id)]
    assert events == [Appended("Hel"), Appended("lo"), Ended("done")]


async def test_a_reader_resumes_without_gap_or_duplicate():
    reply_id = uuid4()
    for n in range(10):
        await event_log.append(reply_id, Appended(str(n)))
    await event_log.append(reply_id, Ended("failed", "timed_out"))
    events = await read_all(reply_id)
    for position, (key, _) in enumerate(events[:-1]):
        assert await read_all(reply_id, after=key) == events[position + 1 :]


async def test_a_reader_that_is_early_waits(monkeypatch):
    monkeypatch.setattr(event_log, "QUIET_AFTER", 0.02)
    reply_id = uuid4()
    events = event_log.read_events(reply_id)
    assert await anext(events) == [("0", Quiet())]
    await event_log.append(reply_id, Appended("late"))
    await event_log.append(reply_id, Ended("done"))
    found = [event async for batch in events for _, event in batch]
    assert found == [Appended("late"), Ended("done")]


async def test_quiet_event_has_the_last_id(monkeypatch):
    monkeypatch.setattr(event_log, "QUIET_AFTER", 0.02)
    reply_id = uuid4()
    await event_log.append(reply_id, Appended("a"))
    events = event_log.read_events(reply_id)
    [(last_id, _)] = await anext(events)
    assert await anext(events) == [(last_id, Quiet())]
    await events.aclose()


async def test_log_of_another_reply_is_not_read():
    mine, other = uuid4(), uuid4()
    await event_log.append(other, Appended("secret"))
    await event_log.append(mine, Ended("done"))
    assert [event for _, event in await read_all(mine)] == [Ended("done")]


async def test_stop_request_reaches_only_its_reply():
    reply_id = uuid4()
    await event_log.ask_to_stop(reply_id)
    assert await event_log.asked_to_stop([uuid4(), reply_id]) == [reply_id]


async def test_keys_of_other_programs_are_no_replies():
    reply_id = uuid4()
    await event_log.ask_to_stop(reply_id)
    async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as shared:
        await shared.mset({"reply:x": 1, "stop:press": 1})
        assert await event_log.logged_replies() >= {reply_id}
        await shared.delete("reply:x", "stop:press")


async def test_reply_is_written_without_redis(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    await event_log.append(uuid4(), Appended("lost"))
    assert not await event_log.asked_to_stop([uuid4()])
    events = event_log.read_events(uuid4(), after="7")
    assert await anext(events) == [("7", Quiet())]
    await events.aclose()
    with pytest.raises(RedisError):
        await event_log.ask_to_stop(uuid4())
