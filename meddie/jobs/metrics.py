"""Depth of the queues, for staff and for Prometheus."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from prometheus_client.core import Metric

from meddie.jobs.job import Job
from meddie.jobs.registry import QUEUES, Queue
from meddie.metrics_format import Gauge

State = Job.State
METRIC_LABELS = ("queue", "kind")
UNFINISHED_JOBS = Gauge("meddie_jobs", "unfinished jobs", METRIC_LABELS)
OLDEST_JOB = Gauge(
    "meddie_oldest_job_age_seconds", "age of the oldest unfinished job", METRIC_LABELS
)
DEAD = Gauge("meddie_dead_jobs", "dead letters", METRIC_LABELS)


class Depth(NamedTuple):
    """Unfinished and dead jobs of one kind; `oldest` of the unfinished."""

    queue: Queue
    kind: str
    waiting: int = 0
    running: int = 0
    dead: int = 0
    attempts: int = 0
    oldest: datetime | None = None


def depths_of(queues: Iterable[Queue]) -> Iterator[Depth]:
    """One statement for each queue, over the index of unfinished jobs."""
    for queue in queues:
        rows = (
            queue.jobs.exclude(state=State.DONE)
            .order_by("kind")
            .values_list("kind")
            .annotate(
                waiting=Count("pk", filter=Q(state=State.WAITING)),
                running=Count("pk", filter=Q(state=State.RUNNING)),
                dead=Count("pk", filter=Q(state=State.DEAD)),
                most=Max("attempts"),
                oldest=Min("created_at", filter=~Q(state=State.DEAD)),
            )
        )
        yield from [Depth(queue, *row) for row in rows] or [Depth(queue, "")]


def queue_families() -> Iterator[Metric]:
    found = [depth for depth in depths_of(QUEUES.values()) if depth.kind]
    now = timezone.now()
    for gauge, values in (
        (UNFINISHED_JOBS, [depth.waiting + depth.running for depth in found]),
        (
            OLDEST_JOB,
            [(now - (depth.oldest or now)).total_seconds() for depth in found],
        ),
        (DEAD, [depth.dead for depth in found]),
    ):
        yield gauge.family(
            (depth.queue.model.QUEUE, depth.kind, value)
            for depth, value in zip(found, values, strict=True)
        )
