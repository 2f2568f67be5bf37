"""The page `/metrics`, for Prometheus alone (docs/metrics.md)."""

from collections.abc import Iterator
from ipaddress import ip_address
from secrets import compare_digest

from django.conf import settings
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.core import Metric
from redis import RedisError

from conversations.models import MessageIndex
from meddie.jobs.metrics import queue_families
from meddie.measurements import read_measurements
from meddie.metrics_format import exposition, gauge, measured
from memory.metrics import memory_families
from memory.models.embedded import NO_MODEL

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_GET
def show_metrics(request: HttpRequest) -> HttpResponse:
    if not _may_see(request):
        raise Http404
    try:
        sums = list(measured(read_measurements()))
    except (RedisError, OSError):
        sums = []  # zeros would look like a restart
    body = exposition([*sums, *memory_families(), *_queues()])
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


def _may_see(request: HttpRequest) -> bool:
    """With the token; without one from this machine, unless a proxy passes it on."""
    given = request.headers.get("Authorization")
    if given is not None:
        wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
        return bool(settings.METRICS_TOKEN) and compare_digest(given.encode(), wanted)
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _queues() -> Iterator[Metric]:
    yield from queue_families()
    unread = MessageIndex.objects.filter(embedding_model=NO_MODEL)
    found = unread.aggregate(rows=Count("pk"), oldest=Min("stated_at"))
    age = (timezone.now() - found["oldest"]).total_seconds() if found["oldest"] else 0
    yield gauge("unembedded_messages", "Messages to embed", (), [(found["rows"],)])
    yield gauge("unembedded_message_age_seconds", "Age of the oldest", (), [(age,)])


urlpatterns = [path("metrics", show_metrics)]
