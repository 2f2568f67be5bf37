"""The queues of jobs, which apps register when they start.

`announce` rings, `run` works, `sweep` rings again for what was lost, and `clean_up`
deletes what ended long ago. Celery carries the rings.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import DatabaseError, connections, transaction
from django.utils import timezone
from django.utils.text import capfirst

from meddie import dispatch
from meddie.ai.background import paid_by
from meddie.ai.errors import (
    AIError,
    CutOff,
    Garbled,
    GaveWay,
    NoCallsLeft,
    Refused,
    TimedOut,
    Unparseable,
    Unsupported,
)
from meddie.file_storage import FilesAway
from meddie.jobs.job import Job, LeaseLost, Outage
from meddie.outages import is_outage, replace_connections
from meddie.tracing import span

logger = logging.getLogger(__name__)

BATCH = 500
SHIFT = 60.0  # seconds until a worker leaves the rest to a new task
RENEW_EVERY = 30.0
ENDED_JOBS_STAY = timedelta(
    days=30
)  # rows of ended jobs; Telegram resends none older than a day
# Counted: a long request times out each time, and each time is paid for.
ABOUT_THE_JOB = (Refused, Garbled, CutOff, TimedOut, Unsupported)
AFTER_A_REPLY = timedelta(seconds=10)

# They may call `succeed` or `fail`, and raise Outage and AIError.
Handlers = Mapping[str, Callable[[Any], None]]


@dataclass(frozen=True)
class Queue:
    """A table of jobs, and the handlers of their kinds."""

    model: type[Job]
    handlers: Handlers = field(default_factory=dict)

    @property
    def label(self) -> str:
        return str(capfirst(self.model._meta.verbose_name_plural))  # noqa: SLF001 -- Django documents it

    @property
    def jobs(self) -> Any:
        return self.model._default_manager.all()  # noqa: SLF001 -- Django's name for it

    def key_of(self, job: Any) -> UUID:
        """What a ring names: the job, or all jobs that one worker runs in order."""
        key: UUID = job.pk
        return key

    def due_keys(self) -> list[UUID]:
        return list(self.jobs.due().in_order().values_list("pk", flat=True)[:BATCH])

    def ring(self, keys: Iterable[UUID]) -> None:
        model = self.model
        for key in keys:
            dispatch.enqueue("jobs.run", model.QUEUE, str(key), queue=model.WORKERS)

    def sweep(self) -> None:
        self.jobs.adjust_to_clock()
        self.ring(self.due_keys())

    def run(self, key: UUID) -> None:
        """Run a job if it is due, then those that waited for it."""
        until = time.monotonic() + SHIFT
        job = self.jobs.claim(key)
        while job is not None:
            attempt(job, self.handlers)
            after = self.jobs.after(job)
            if time.monotonic() > until:
                self.ring(after.due().in_order().values_list("pk", flat=True)[:1])
                return
            job = after.claim()

    def retry(self, jobs: Any) -> int:
        """Make stopped jobs due and announce them; return how many."""
        stopped = list(jobs.filter(state__in=(Job.State.WAITING, Job.State.DEAD)))
        self.jobs.filter(pk__in=[job.pk for job in stopped]).retry()
        announce(*stopped)
        return len(stopped)

    def clean_up(self) -> None:
        ended = self.jobs.ended().filter(
            updated_at__lt=timezone.now() - ENDED_JOBS_STAY
        )
        while keys := list(ended.values_list("pk", flat=True)[:BATCH]):
            self.jobs.filter(pk__in=keys).delete()


QUEUES: dict[str, Queue] = {}
DAILY: list[Callable[[], object]] = []  # work of the apps that is done once a day


def register(queue: Queue) -> None:
    QUEUES[queue.model.QUEUE] = queue


def announce(*jobs: Job) -> None:
    """Ring for jobs of one queue, after the commit."""
    if jobs:
        queue = QUEUES[jobs[0].QUEUE]
        keys = {queue.key_of(job): None for job in jobs}
        transaction.on_commit(partial(queue.ring, list(keys)))


def run(name: str, key: UUID) -> None:
    QUEUES[name].run(key)


def sweep() -> None:
    """Ring for all due jobs: a ring may be lost, and a worker killed."""
    do_each([queue.sweep for queue in QUEUES.values()])


def clean_up() -> None:
    do_each([queue.clean_up for queue in QUEUES.values()])


def do_each(work: Iterable[Callable[[], object]]) -> None:
    """Log failures and go on with the next."""
    for job in work:
        try:
            job()
        except Exception:  # the outermost edge of each
            logger.exception("%r failed", job)


def attempt(job: Any, handlers: Handlers) -> None:
    """Run a claimed job. Errors are not raised."""
    try:
        try:
            with (
                span(f"job {job.kind}", meddie__job__queue=job.QUEUE),
                _renewed(job),
                paid_by(job.find_payer()),
            ):
                handlers[job.kind](job)
            if job.state == Job.State.RUNNING:
                job.succeed()
        except LeaseLost:
            raise
        except (AIError, Outage, FilesAway) as error:
            _stop_at(error, job)
        except Exception as error:  # the outermost edge of a job
            logger.exception("job %s", job.pk)
            if is_outage(error):
                # The lease stays, and the next claim counts a crash: the job may be
                # the cause.
                replace_connections()
            else:
                job.fail("unknown")
    except LeaseLost:
        logger.info("job %s was taken over", job.pk)


def _stop_at(error: AIError | Outage | FilesAway, job: Job) -> None:
    if isinstance(error, GaveWay):
        job.postpone("", AFTER_A_REPLY)
    elif isinstance(error, Unparseable):
        job.give_up(error.code, error.raw)
    elif isinstance(error, ABOUT_THE_JOB):
        job.fail(error.code)
    elif isinstance(error, NoCallsLeft):
        job.postpone(error.code, _until_tomorrow())
    else:
        job.postpone(error.code, timedelta(seconds=60))


def _until_tomorrow() -> timedelta:
    now = timezone.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1) - now


@contextmanager
def _renewed(job: Job) -> Iterator[None]:
    ended = threading.Event()
    thread = threading.Thread(target=_keep_lease, args=[job, ended], daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _keep_lease(job: Job, ended: threading.Event) -> None:
    try:
        while not ended.wait(RENEW_EVERY):
            try:
                job.renew()
            except DatabaseError:
                logger.warning("the lease of job %s could not be renewed", job.pk)
    finally:
        connections.close_all()
