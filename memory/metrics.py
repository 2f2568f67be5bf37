"""Figures of memory for Prometheus, read from the database at a scrape."""

from collections.abc import Iterator

from django.db.models import Count, Sum
from prometheus_client.core import Metric

from meddie.metrics_format import gauge
from memory.models import Memory


def memory_families() -> Iterator[Metric]:
    """Without users as labels: the admin has the number of each user."""
    own = Memory.objects.active().filter(user__isnull=False)
    of_users = own.values("user").annotate(number=Count("*")).order_by()
    found = of_users.aggregate(rows=Sum("number"), users=Count("user"))
    yield gauge("memory_total_count", "Active memories", (), [(found["rows"],)])
    yield gauge("memory_users", "Users with active memories", (), [(found["users"],)])
