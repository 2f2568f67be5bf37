"""What is done time and again goes on when it fails, and ends when nobody wants it."""

import asyncio

from meddie.periodic import Pulse


async def test_it_is_done_until_it_is_no_longer_wanted():
    done = []

    async def work():
        done.append(len(done))

    pulse = Pulse(work, wanted=lambda: len(done) < 3, seconds=lambda: 0)
    pulse.keep()
    pulse.keep()
    await asyncio.sleep(0.05)
    assert done == [0, 1, 2]


async def test_a_failure_is_told_and_does_not_end_it(caplog):
    tries = []

    async def work():
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not today")

    pulse = Pulse(work, wanted=lambda: len(tries) < 2, seconds=lambda: 0)
    pulse.keep()
    await asyncio.sleep(0.05)
    assert len(tries) == 2
    assert "not today" in caplog.text


async def test_at_rest_nothing_is_under_way_and_it_can_begin_again():
    begun, wanted = [], [True]

    async def work():
        begun.append(1)
        await asyncio.sleep(60)

    pulse = Pulse(work, wanted=lambda: wanted, seconds=lambda: 0)
    pulse.keep()
    await asyncio.sleep(0.02)
    await pulse.rest()
    assert len(asyncio.all_tasks()) == 2  # it is wanted still
    wanted.clear()
    resting = asyncio.create_task(pulse.rest())
    await asyncio.sleep(0)
    wanted.append(True)
    pulse.keep()
    await resting
    await asyncio.sleep(0.02)
    assert begun == [1, 1]
    wanted.clear()
    await pulse.rest()
    assert len(asyncio.all_tasks()) == 1


async def test_what_has_ended_begins_again_when_it_is_wanted_again():
    done, wanted = [], [True]

    async def work():
        done.append(1)
        wanted.clear()

    pulse = Pulse(work, wanted=lambda: wanted, seconds=lambda: 0)
    for _ in range(2):
        wanted.append(True)
        pulse.keep()
        await asyncio.sleep(0.05)
    assert len(done) == 2
