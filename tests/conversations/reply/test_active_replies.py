"""How a process shares itself among the replies that it writes."""

import asyncio
import time

import pytest
from asgiref.sync import async_to_sync

from conversations.reply import active_replies

WORDS = [f"word{number} " for number in range(60)]
PACE = 0.01
REST = 0.1


async def arriving():
    """Words that come one by one, whether somebody asks for them or not."""
    come = asyncio.Queue()

    async def send():
        for word in WORDS:
            await asyncio.sleep(PACE)
            await come.put(word)
        await come.put(None)

    sending = asyncio.create_task(send())
    while word := await come.get():
        yield word
    await sending


def heard():
    """The words, and in how many breaths they were read."""

    async def hear():
        words, breaths, last = [], 0, 0.0
        async for word in active_replies.gathered(arriving()):
            now = time.monotonic()
            breaths += now > last + PACE / 2
            last = now
            words.append(word)
        return words, breaths

    return async_to_sync(hear)()


def test_with_many_replies_each_is_heard_of_less_often(monkeypatch):
    assert active_replies.pause() == active_replies.FLUSH_EVERY
    monkeypatch.setattr(active_replies, "replies", dict.fromkeys(range(100)))
    assert active_replies.pause() == pytest.approx(100 * active_replies.SHARE)


def test_with_many_replies_words_are_read_in_handfuls_and_none_is_lost(monkeypatch):
    words, one_by_one = heard()
    assert words == WORDS
    monkeypatch.setattr(active_replies, "replies", dict.fromkeys(range(100)))
    monkeypatch.setattr(active_replies, "SHARE", 4 * REST / 100)
    words, handfuls = heard()
    assert words == WORDS
    assert handfuls < one_by_one / 2
