"""Depth of job queues for Prometheus, read at a scrape."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone
from prometheus_client.core import Metric

from meddie.jobs import Job
from meddie.metrics_format import gauge


def queue_families(jobs: QuerySet[Any], queue: str) -> Iterator[Metric]:
    """Depth, age of the oldest and dead letters by kind, in one statement."""
    waiting = Q(state__in=(Job.State.WAITING, Job.State.RUNNING))
    rows = (
        jobs.exclude(state=Job.State.DONE)
        .values("kind")
        .annotate(
            depth=Count("pk", filter=waiting),
            oldest=Min("created_at", filter=waiting),
            dead=Count("pk", filter=Q(state=Job.State.DEAD)),
        )
        .order_by("kind")
    )
    found, now = list(rows), timezone.now()
    ages = [(now - (row["oldest"] or now)).total_seconds() for row in found]
    for name, text, values in (
        ("jobs", "Unfinished jobs", [row["depth"] for row in found]),
        ("oldest_job_age_seconds", "Age of the oldest unfinished job", ages),
        ("dead_jobs", "Dead letters", [row["dead"] for row in found]),
    ):
        labelled = [
            (queue, row["kind"], value)
            for row, value in zip(found, values, strict=True)
        ]
        yield gauge(name, text, ("queue", "kind"), labelled)
