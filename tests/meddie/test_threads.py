"""Work beside the event loop gives its connection back and keeps its context."""

import asyncio
import threading

import pytest
from django.db import connection
from django.utils import translation

from meddie.threads import run_coroutine, run_db, run_work
from tests.waiting import PATIENCE


def pool_in_use():
    stats = connection.pool.get_stats()
    return stats["pool_size"] - stats["pool_available"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("run", [run_db, run_work])
async def test_the_connection_is_given_back(run):
    def query():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return pool_in_use()

    before = pool_in_use()
    assert await run(query) == before + 1
    assert pool_in_use() == before


@pytest.mark.django_db(transaction=True)
async def test_the_connection_is_given_back_after_an_error():
    def fail():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        raise LookupError

    before = pool_in_use()
    with pytest.raises(LookupError):
        await run_db(fail)
    assert pool_in_use() == before


async def test_the_language_goes_along():
    with translation.override("pl"):
        assert await run_db(translation.get_language) == "pl"


async def test_database_work_is_bounded_and_other_work_does_not_hold_it_up():
    hold = threading.Event()
    waiting = [asyncio.create_task(run_work(hold.wait, PATIENCE)) for _ in range(32)]
    await asyncio.sleep(0)
    try:
        assert await asyncio.wait_for(run_db(lambda: "here"), PATIENCE / 2) == "here"
    finally:
        hold.set()
    await asyncio.gather(*waiting)


def test_coroutines_of_a_worker_share_one_loop():
    async def loop():
        return asyncio.get_running_loop()

    assert run_coroutine(loop(), PATIENCE) is run_coroutine(loop(), PATIENCE)


def test_a_coroutine_that_takes_too_long_is_cancelled():
    with pytest.raises(TimeoutError):
        run_coroutine(asyncio.sleep(30), 0.05)
