"""A periodic task survives failures and ends when it is no longer wanted."""

import asyncio

from conversations.reply.active_replies import PeriodicTask
from tests.waiting import eventually


def others():
    """The tasks of this loop besides the test's own."""
    return asyncio.all_tasks() - {asyncio.current_task()}


async def test_work_is_done_while_it_is_wanted():
    done = []

    async def work():
        done.append(len(done))

    task = PeriodicTask(work, wanted=lambda: len(done) < 3, seconds=lambda: 0)
    task.start()
    task.start()
    await eventually(lambda: not others())
    assert done == [0, 1, 2]


async def test_failure_is_logged_and_does_not_end_the_task(caplog):
    tries = []

    async def work():
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("not today")

    task = PeriodicTask(work, wanted=lambda: len(tries) < 2, seconds=lambda: 0)
    task.start()
    await eventually(lambda: not others())
    assert len(tries) == 2
    assert "not today" in caplog.text


async def test_only_an_unwanted_task_is_stopped_and_it_can_start_again():
    begun, wanted = [], [True]

    async def work():
        begun.append(1)
        await asyncio.sleep(60)

    task = PeriodicTask(work, wanted=lambda: wanted, seconds=lambda: 0)
    task.start()
    await eventually(lambda: len(begun) == 1)
    await task.stop_unwanted()
    assert len(others()) == 1  # still wanted
    wanted.clear()
    stopping = asyncio.create_task(task.stop_unwanted())
    await asyncio.sleep(0)
    wanted.append(True)
    task.start()
    await stopping
    await eventually(lambda: len(begun) == 2)
    wanted.clear()
    await task.stop_unwanted()
    assert not others()


async def test_ended_task_can_start_again():
    done, wanted = [], []

    async def work():
        done.append(1)
        wanted.clear()

    task = PeriodicTask(work, wanted=lambda: wanted, seconds=lambda: 0)
    for count in (1, 2):
        wanted.append(True)
        task.start()
        await eventually(lambda: not others())
        assert len(done) == count
