"""The job kernel, seen through capture jobs."""

import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from meddie.ai.errors import (
    GaveWay,
    ProviderDown,
    Refused,
    TimedOut,
    Unsupported,
    WrongKey,
)
from meddie.jobs import registry
from meddie.jobs.job import (
    CRASHES_ALLOWED,
    JOB_LEASE,
    SUSPICIOUS_CRASHES,
    LeaseLost,
    Outage,
)
from memory.models import CaptureJob
from tests.memory.jobs import make_job, run_due
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db

MOST = CaptureJob.MOST_ATTEMPTS


@pytest.fixture
def job(scope):
    return make_job(scope)


def raising(error):
    def handler(job):
        raise error

    return {"remember": handler}


def nothing(job):
    """A handler without work."""


def lose_database(outage, job):
    outage.begin(0)
    outage.timer.join()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def due():
    CaptureJob.objects.update(available_at=timezone.now())


def stop_workers():
    """What the database looks like when their leases have ended."""
    CaptureJob.objects.update(leased_until=timezone.now() - timedelta(seconds=1))


def test_finished_job_keeps_no_text(job):
    assert run_due(handlers={"remember": nothing}) == 1
    job.refresh_from_db()
    assert (job.state, job.payload, job.leased_until) == ("done", {}, None)
    assert run_due(handlers={"remember": nothing}) == 0


def test_job_is_claimed_by_key(scope, job):
    other = make_job(scope, at=timezone.now() + timedelta(hours=1))
    assert CaptureJob.objects.claim(job.pk) == job
    assert CaptureJob.objects.claim(job.pk) is None
    assert CaptureJob.objects.claim(other.pk) is None  # an earlier one runs


def test_job_that_is_not_due_is_not_claimed(job):
    CaptureJob.objects.update(available_at=timezone.now() + timedelta(seconds=60))
    assert CaptureJob.objects.claim() is None
    assert CaptureJob.objects.claim(job.pk) is None


@pytest.mark.parametrize("is_running", [False, True])
def test_job_is_due_again_when_the_clock_was_put_back_a_year(
    job, time_machine, is_running
):
    now = timezone.now()
    time_machine.move_to(now + timedelta(days=365), tick=False)
    job = CaptureJob.objects.claim()
    if not is_running:
        job.fail("refused")
    time_machine.move_to(now, tick=False)
    registry.sweep()
    if is_running:  # its worker may live, and renew the lease
        assert CaptureJob.objects.claim() is None
        time_machine.shift(JOB_LEASE)
    assert CaptureJob.objects.claim() == job


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refused("400"), "refused"),
        (TimedOut(), "timed_out"),
        (Unsupported("no rules"), "unsupported"),
        (ValueError("bug"), "unknown"),
    ],
)
def test_failure_is_retried_after_a_growing_pause(job, error, code):
    for attempt in range(1, 8):
        due()
        assert run_due(handlers=raising(error)) == 0
        job.refresh_from_db()
        assert (job.state, job.attempts, job.error) == ("waiting", attempt, code)
        pause = job.available_at - timezone.now()
        expected = min(timedelta(seconds=15) * 2 ** (attempt - 1), timedelta(minutes=5))
        assert abs(pause - expected) < timedelta(seconds=5)


@pytest.mark.parametrize("error", [Refused("400"), TimedOut()])
def test_job_that_fails_too_often_is_dead_and_keeps_its_payload(job, error):
    CaptureJob.objects.update(attempts=MOST - 1)
    assert run_due(handlers=raising(error)) == 0
    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == ("dead", error.code, MOST)
    assert job.payload["text"] == "I am vegan"
    due()
    assert CaptureJob.objects.claim() is None


@pytest.mark.parametrize(
    "error", [Outage("down"), ProviderDown("down"), WrongKey("401")]
)
def test_outage_never_counts_as_an_attempt(job, error):
    CaptureJob.objects.update(attempts=MOST - 1)
    for _ in range(3):
        due()
        assert run_due(handlers=raising(error)) == 0
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == ("waiting", MOST - 1, error.code)
    assert job.available_at > timezone.now()


def test_job_that_gives_way_to_a_reply_waits_shortly_and_has_not_failed(job):
    CaptureJob.objects.update(attempts=MOST - 1)
    assert run_due(handlers=raising(GaveWay())) == 0
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == ("waiting", MOST - 1, "")
    assert job.available_at - timezone.now() < timedelta(seconds=15)


@pytest.mark.parametrize("sqlstate", ["53200", "53400"])
def test_statement_that_exhausts_the_database_is_an_attempt(job, sqlstate):
    """Out of memory, or beyond a limit such as that of temporary files."""

    def handler(job):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DO $$ BEGIN RAISE SQLSTATE '{sqlstate}'; END $$")

    assert run_due(handlers={"remember": handler}) == 0
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("waiting", 1)
    CaptureJob.objects.update(attempts=MOST - 1)
    due()
    assert run_due(handlers={"remember": handler}) == 0
    job.refresh_from_db()
    assert (job.state, job.error) == ("dead", "unknown")


def test_lost_database_is_no_attempt(job, outage):
    assert run_due(handlers={"remember": partial(lose_database, outage)}) == 0
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("running", 0)
    assert run_due(handlers={"remember": nothing}) == 0
    stop_workers()
    assert run_due(handlers={"remember": nothing}) == 1


def test_job_that_always_takes_the_database_away_is_dead_in_the_end(job, outage):
    CaptureJob.objects.update(crashes=CRASHES_ALLOWED - 1)
    run_due(handlers={"remember": partial(lose_database, outage)})
    stop_workers()
    assert CaptureJob.objects.claim() is None
    job.refresh_from_db()
    assert (job.state, job.error, job.attempts) == ("dead", "crashed", 0)


def test_outage_costs_one_call_per_job_and_minute(scope, others):
    for owner in (scope, *others[:2]):
        make_job(owner)
    calls = []

    def down(job):
        calls.append(job.pk)
        raise ProviderDown("down")

    run_due(handlers={"remember": down})
    run_due(handlers={"remember": down})
    assert len(calls) == len(set(calls)) == 3
    soon = timezone.now() + timedelta(seconds=55)
    assert not CaptureJob.objects.filter(available_at__lt=soon).exists()


@pytest.mark.parametrize("error", [Refused("400"), TimedOut(), WrongKey("401")])
def test_failing_job_delays_no_other(scope, others, error):
    now = timezone.now()
    make_job(scope, at=now - timedelta(days=1), payload={"text": "bad"})
    for owner in (scope, scope, others[0]):
        make_job(owner, at=now)

    def handler(job):
        if job.payload["text"] == "bad":
            raise error

    assert run_due(handlers={"remember": handler}) == 3


def test_jobs_of_one_scope_run_in_the_order_of_their_statements(scope):
    now = timezone.now()
    for hours in (1, 3, 2):
        make_job(scope, at=now - timedelta(hours=hours), payload={"text": str(hours)})
    ran = []
    run_due(handlers={"remember": lambda job: ran.append(job.payload["text"])})
    assert ran == ["3", "2", "1"]


def test_wish_to_forget_does_not_wait_for_resolutions(scope):
    now = timezone.now()
    for hours, kind in [(3, "resolve"), (2, "forget"), (1, "remember")]:
        make_job(scope, at=now - timedelta(hours=hours), kind=kind)
    ran = []
    kinds = ("resolve", "forget", "remember")
    run_due(handlers=dict.fromkeys(kinds, lambda job: ran.append(job.kind)))
    assert ran == ["forget", "remember", "resolve"]


def test_wish_to_forget_runs_beside_a_running_resolution(scope):
    make_job(scope, at=timezone.now() - timedelta(hours=1), kind="resolve")
    assert CaptureJob.objects.claim().kind == "resolve"
    make_job(scope, kind="forget")
    assert CaptureJob.objects.claim().kind == "forget"


def test_job_of_another_scope_does_not_wait(scope, others):
    make_job(scope, at=timezone.now() - timedelta(hours=1))
    other = make_job(others[0])
    assert CaptureJob.objects.claim() is not None
    assert CaptureJob.objects.claim() == other


def test_job_of_a_lost_worker_is_claimed_when_its_lease_ends(job):
    lost = CaptureJob.objects.claim()
    assert CaptureJob.objects.claim() is None
    stop_workers()
    again = CaptureJob.objects.claim()
    assert (again, again.crashes) == (job, 1)
    with pytest.raises(LeaseLost):
        lost.succeed()
    with pytest.raises(LeaseLost):
        lost.fail("refused")
    assert not lost.renew()
    again.succeed()


def test_worker_that_lost_its_lease_ends_nothing(job):
    def handler(job):
        stop_workers()
        CaptureJob.objects.claim()

    slow = CaptureJob.objects.claim()
    registry.attempt(slow, {"remember": handler})
    assert slow.state == "running"
    assert CaptureJob.objects.get().state == "running"


def test_job_that_kills_its_workers_is_dead_in_the_end(job):
    for _ in range(CRASHES_ALLOWED):
        assert CaptureJob.objects.claim() is not None
        stop_workers()
    assert CaptureJob.objects.claim() is None
    job.refresh_from_db()
    assert (job.state, job.error) == ("dead", "crashed")


def test_suspicious_job_waits_longer_after_each_crash(job):
    CaptureJob.objects.update(crashes=SUSPICIOUS_CRASHES + 2)
    claimed = CaptureJob.objects.claim()
    assert claimed.leased_until > timezone.now() + 2 * JOB_LEASE


def test_failure_clears_the_crashes(job):
    CaptureJob.objects.update(crashes=3)
    run_due(handlers=raising(Refused("400")))
    assert CaptureJob.objects.get().crashes == 0


@pytest.mark.django_db(transaction=True)
def test_lease_is_renewed_while_the_handler_runs(job, monkeypatch):
    monkeypatch.setattr(registry, "RENEW_EVERY", 0.01)
    renewed = threading.Event()
    renew = CaptureJob.renew

    def observed(job):
        result = renew(job)
        renewed.set()
        return result

    monkeypatch.setattr(CaptureJob, "renew", observed)

    def handler(job):
        before = CaptureJob.objects.get().leased_until
        assert renewed.wait(PATIENCE)
        assert CaptureJob.objects.get().leased_until > before

    assert run_due(handlers={"remember": handler}) == 1


@pytest.mark.parametrize("state", ["waiting", "dead"])
def test_retry_gives_all_attempts_again(job, state):
    later = timezone.now() + timedelta(hours=1)
    CaptureJob.objects.update(
        state=state, attempts=9, crashes=9, error="refused", available_at=later
    )
    assert CaptureJob.objects.all().retry() == 1
    job.refresh_from_db()
    assert (job.state, job.attempts, job.crashes, job.error) == ("waiting", 0, 0, "")
    assert CaptureJob.objects.claim() == job


@pytest.mark.parametrize("state", ["running", "done"])
def test_running_and_finished_jobs_are_not_retried(job, state):
    CaptureJob.objects.update(state=state)
    assert CaptureJob.objects.all().retry() == 0


@pytest.mark.django_db(transaction=True)
def test_lease_that_cannot_be_renewed_does_not_stop_the_handler(
    job, monkeypatch, caplog
):
    monkeypatch.setattr(registry, "RENEW_EVERY", 0.01)
    tried = threading.Event()

    def renew(job):
        tried.set()
        raise OperationalError("the database restarts")

    monkeypatch.setattr(CaptureJob, "renew", renew)
    assert run_due(handlers={"remember": lambda job: tried.wait(PATIENCE)}) == 1
    assert "could not be renewed" in caplog.text
