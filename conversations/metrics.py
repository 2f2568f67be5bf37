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
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.core import Metric

from conversations.models import Message, MessageIndex, ProbeJob, Receipt
from meddie.jobs.metrics import queue_families
from meddie.metrics_format import Gauge, exposition
from memory.metrics import DAY, memory_families, ratio
from memory.models.embedded import NO_MODEL

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
RETRIEVED = Gauge(
    "meddie_memory_retrieved",
    "facts that a search found for replies of the last day, by whether the prompt had them",
    ("injected",),
)
HIT_RATE = Gauge(
    "meddie_retrieval_hit_rate", "the share of them that was in the prompt"
)
TOKENS = Gauge(
    "meddie_tokens",
    "tokens of replies of the last day, and of what they answer",
    ("model", "direction"),
)
PROBES = Gauge(
    "meddie_probes", "standing tests of prompts, by how the last run ended", ("result",)
)
UNEMBEDDED = Gauge("meddie_unembedded_messages", "messages without a vector")
UNEMBEDDED_AGE = Gauge(
    "meddie_unembedded_message_age_seconds", "age of the oldest of them"
)


@require_safe
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


def read_probes() -> tuple[int, int]:
    """How many probes passed, and how many there were."""
    jobs = ProbeJob.objects.values_list("asked", "failures")
    counts = [(asked, len(failures)) for asked, failures in jobs.iterator()]
    asked, failed = (
        (sum(numbers) for numbers in zip(*counts, strict=True)) if counts else (0, 0)
    )
    return asked - failed, asked


def _conversation_families() -> Iterator[Metric]:
    found = read_retrieved()
    yield RETRIEVED.family([("yes", found[True]), ("no", found[False])])
    yield HIT_RATE.family([(hit_rate(found),)])
    day = Message.objects.filter(created_at__gt=timezone.now() - DAY).exclude(model="")
    used = day.order_by().values("model").annotate(Sum("tokens_in"), Sum("tokens_out"))
    yield TOKENS.family(
        (row["model"], direction, tokens)
        for row in used
        for direction, tokens in (
            ("in", row["tokens_in__sum"]),
            ("out", row["tokens_out__sum"]),
        )
    )
    passed, asked = read_probes()
    yield PROBES.family([("passed", passed), ("failed", asked - passed)])
    unread = MessageIndex.objects.filter(embedding_model=NO_MODEL)
    waiting = unread.aggregate(rows=Count("pk"), oldest=Min("stated_at"))
    oldest = waiting["oldest"] or timezone.now()
    age = (timezone.now() - oldest).total_seconds()
    yield UNEMBEDDED.family([(waiting["rows"],)])
    yield UNEMBEDDED_AGE.family([(age,)])


urlpatterns = [path("metrics", show_metrics)]
