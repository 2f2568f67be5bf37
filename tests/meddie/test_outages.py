"""What counts as an outage, and work that is repeated while one lasts."""

import pytest
import redis
from django.db import InterfaceError, OperationalError, connection

from meddie import outages
from meddie.outages import is_outage
from meddie.threads import run_db, run_repeatable

pytestmark = pytest.mark.django_db(transaction=True)


def query(sql="SELECT 1"):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.rowcount


def error_of(sql):
    with pytest.raises(OperationalError) as caught:
        query(sql)
    return caught.value


def test_ended_connection_is_an_outage():
    ended = error_of("SELECT pg_terminate_backend(pg_backend_pid())")
    assert is_outage(ended)
    assert is_outage(error_of("SELECT 1"))  # on the same connection
    connection.close()


def test_refused_connection_is_an_outage(outage):
    outage.begin()
    connection.close()
    assert is_outage(error_of("SELECT 1"))


@pytest.mark.parametrize("sqlstate", ["57P01", "57P03", "53300", "53100", "08006"])
def test_server_that_ends_starts_or_lacks_resources_is_an_outage(sqlstate):
    raised = error_of(f"DO $$ BEGIN RAISE SQLSTATE '{sqlstate}'; END $$")
    assert is_outage(raised)


@pytest.mark.parametrize("sqlstate", ["40P01", "57014", "55P03", "53200", "53400"])
def test_trouble_of_one_statement_is_no_outage(sqlstate):
    raised = error_of(f"DO $$ BEGIN RAISE SQLSTATE '{sqlstate}'; END $$")
    assert not is_outage(raised)


def test_statement_that_takes_too_long_is_no_outage():
    assert not is_outage(error_of("SET statement_timeout = 50; SELECT pg_sleep(9)"))
    connection.close()


@pytest.mark.parametrize("error", [redis.ConnectionError(), redis.TimeoutError()])
def test_lost_redis_is_an_outage(error):
    assert is_outage(error)


@pytest.mark.parametrize("error", [None, ValueError(), redis.ResponseError()])
def test_other_errors_are_no_outage(error):
    assert not is_outage(error)


def test_closed_connection_is_an_outage():
    assert is_outage(InterfaceError("connection already closed"))


@pytest.mark.slow
async def test_repeatable_work_waits_for_the_end_of_an_outage(outage):
    outage.begin(1)
    assert await run_repeatable(query) == 1


async def test_outage_that_lasts_is_raised(outage, monkeypatch):
    monkeypatch.setattr(outages, "LIMIT", 0.0)
    outage.begin()
    with pytest.raises(OperationalError) as caught:
        await run_repeatable(query)
    assert is_outage(caught.value)


async def test_error_of_the_work_itself_is_not_repeated():
    calls = []

    def fail():
        calls.append(query("SET statement_timeout = 50; SELECT pg_sleep(9)"))

    with pytest.raises(OperationalError):
        await run_repeatable(fail)
    assert calls == []


async def test_restart_fails_one_request_of_a_process_and_not_each_connection(outage):
    outage.open_connections(4)
    outage.begin(0)
    outage.timer.join()
    with pytest.raises(OperationalError):
        await run_db(query)
    assert [await run_db(query) for _ in range(4)] == [1] * 4


async def test_repeatable_work_is_repeated_after_a_deadlock():
    tries = []

    def deadlocked_once():
        tries.append(1)
        if len(tries) == 1:
            query("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$")
        return "stored"

    assert await run_repeatable(deadlocked_once) == "stored"
    assert len(tries) == 2
