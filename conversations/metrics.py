"""The page `/metrics`, for Prometheus alone (docs/metrics.md)."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from ipaddress import ip_address
from secrets import compare_digest

from django.conf import settings
from django.db.models import Count, Min, Sum
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.core import Metric

from conversations.models import Message, MessageIndex, Receipt
from meddie.jobs.metrics import queue_families
from meddie.metrics_format import exposition, gauge
from memory.metrics import DAY, memory_families, ratio
from memory.models.embedded import NO_MODEL

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_GET
def show_metrics(request: HttpRequest) -> HttpResponse:
    if not _may_see(request):
        raise Http404
    families = [*memory_families(), *_conversation_families(), *queue_families()]
    body = exposition(families)
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


def read_retrieved(period: timedelta = DAY) -> dict[bool, int]:
    """How many facts a search found for replies, by whether the prompt had them."""
    receipts = Receipt.objects.filter(message__created_at__gt=timezone.now() - period)
    sums = receipts.aggregate(
        found=Coalesce(Sum("facts_found"), 0), used=Coalesce(Sum("facts_used"), 0)
    )
    return {True: sums["used"], False: sums["found"] - sums["used"]}


def hit_rate(retrieved: Mapping[bool, int]) -> float:
    """S1-49."""
    return ratio(retrieved[True], sum(retrieved.values()))


def _conversation_families() -> Iterator[Metric]:
    found = read_retrieved()
    yield gauge(
        "memory_retrieved",
        "Facts that a search found for replies of the last day",
        ("injected",),
        [("yes", found[True]), ("no", found[False])],
    )
    text = "The share of them that was in the prompt"
    yield gauge("retrieval_hit_rate", text, (), [(hit_rate(found),)])
    day = Message.objects.filter(created_at__gt=timezone.now() - DAY).exclude(model="")
    used = day.order_by().values("model").annotate(Sum("tokens_in"), Sum("tokens_out"))
    yield gauge(
        "tokens",
        "Tokens of replies of the last day, and of what they answer",
        ("model", "direction"),
        [
            (row["model"], direction, tokens)
            for row in used
            for direction, tokens in (
                ("in", row["tokens_in__sum"]),
                ("out", row["tokens_out__sum"]),
            )
        ],
    )
    unread = MessageIndex.objects.filter(embedding_model=NO_MODEL)
    waiting = unread.aggregate(rows=Count("pk"), oldest=Min("stated_at"))
    oldest = waiting["oldest"] or timezone.now()
    age = (timezone.now() - oldest).total_seconds()
    rows = [(waiting["rows"],)]
    yield gauge("unembedded_messages", "Messages to embed", (), rows)
    yield gauge("unembedded_message_age_seconds", "Age of the oldest", (), [(age,)])


urlpatterns = [path("metrics", show_metrics)]
