"""Figures of memory for Prometheus, read from the database at a scrape."""

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client.core import Metric

from meddie.metrics_format import gauge
from meddie.queue_metrics import queue_families
from memory.models import CaptureJob, Memory


def memory_families() -> Iterator[Metric]:
    """Without users as labels: the admin has the number of each user."""
    active = Memory.objects.active().aggregate(
        rows=Count("pk"), users=Count("user", distinct=True)
    )
    yield gauge("memory_total_count", "Active memories", (), [(active["rows"],)])
    yield gauge("memory_users", "Users with active memories", (), [(active["users"],)])
    yield from queue_families(CaptureJob.objects.all(), "capture")
