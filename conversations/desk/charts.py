"""Charts of memories, decisions, latencies and queues, as tables with bars."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from redis import RedisError

from meddie.jobs.metrics import depths_of
from meddie.jobs.registry import QUEUES
from meddie.measurements import BUCKETS, read_measurements
from meddie.metrics_format import HISTOGRAMS, Sums, rates_of
from memory.models import Memory

NAME = "charts"
WEEKS = 12
PER_CENT = "\N{NO-BREAK SPACE}%"
RIGHTS = ("memory.view_memory", "memory.view_capturejob")
RATES = {
    "memory_replacement_rate": gettext_lazy("Replacements for each addition"),
    "memory_dedup_rate": gettext_lazy("Duplicates among proposed facts"),
    "retrieval_hit_rate": gettext_lazy("Retrieved facts that were in the prompt"),
}
TIMES = {
    "recall": gettext_lazy("Recall"),
    "first_token": gettext_lazy("First token"),
    "extraction": gettext_lazy("Extraction"),
    "resolution": gettext_lazy("Resolution"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """`share` of the longest one, in per cent."""

    label: Any
    value: str
    share: int


@dataclass(frozen=True, slots=True)
class Chart:
    caption: Any
    bars: Sequence[Bar]
    note: str = ""


def show_charts(request: HttpRequest) -> HttpResponse:
    try:
        sums: Sums | None = read_measurements()
    except (RedisError, OSError):
        sums = None
    charts = [*_memory_charts(), _queue_chart(), *(_measured(sums) if sums else ())]
    context = admin.site.each_context(request) | {
        "title": _("Charts"),
        "charts": charts,
        "away": sums is None,
    }
    return TemplateResponse(request, "admin/desk/charts.html", context)


def _memory_charts() -> Iterator[Chart]:
    origins: Counter[str] = Counter()
    stored: Counter[date] = Counter()
    for week, origin, number in Memory.objects.stored_by_week():
        origins[str(dict(Memory.Origin.choices)[origin])] += number
        stored[timezone.localtime(week).date()] += number
    total = origins.total()
    note = ngettext("%(count)s active memory", "%(count)s active memories", total)
    note %= {"count": number_format(total)}
    yield _counted(_("Memories by origin"), origins.most_common(), note)
    today = timezone.localdate()
    monday = today - timedelta(days=today.weekday())
    weeks = [monday - timedelta(weeks=ago) for ago in range(WEEKS)]
    yield _counted(
        _("Active memories by the week they were stored in"),
        ((date_format(week), stored[week]) for week in weeks),
    )


def _queue_chart() -> Chart:
    depths: Counter[str] = Counter()
    for depth in depths_of(QUEUES.values()):
        depths[depth.queue.label] += depth.waiting + depth.running
    return _counted(_("Unfinished jobs"), depths.items())


def _measured(sums: Sums) -> Iterator[Chart]:
    """Of the counters, since they began."""
    decisions: Counter[str] = Counter()
    for (name, *labels), amount in sums.items():
        if name == "memory_decisions":
            decisions[f"{labels[1]}: {labels[2]}"] += int(amount)
    yield _counted(_("Decisions on proposed facts"), decisions.most_common())
    rates = [
        Bar(
            RATES[name],
            f"{number_format(100 * rate, 1)}{PER_CENT}",
            min(round(100 * rate), 100),
        )
        for name, rate in rates_of(sums).items()
    ]
    yield Chart(_("Rates"), rates)
    yield _latencies(sums)


def _latencies(sums: Sums) -> Chart:
    found = {name: _quantiles(name, sums) for name in HISTOGRAMS}
    longest = max((late for _half, late, _count in found.values()), default=0) or 1
    bars = []
    for name, (half, late, count) in found.items():
        text = _("half within %(half)s s, 95 %% within %(late)s s, %(count)s measured")
        numbers = {"half": half, "late": late, "count": number_format(count)}
        value = text % numbers if count else _("none measured")
        bars.append(Bar(TIMES.get(name, name), value, round(100 * late / longest)))
    return Chart(_("Times"), bars)


def _quantiles(name: str, sums: Sums) -> tuple[float, float, int]:
    """The limits within which half and 95 of 100 are, in seconds, and the number."""
    counts = [sums.get((name, limit), 0) for limit in (*map(str, BUCKETS), "+Inf")]
    limits = [*BUCKETS, BUCKETS[-1]]
    up_to = list(accumulate(counts))
    half, late = (
        next((limit for limit, n in zip(limits, up_to, strict=True) if n >= share), 0.0)
        for share in (0.5 * up_to[-1], 0.95 * up_to[-1])
    )
    return (half, late, int(up_to[-1])) if up_to[-1] else (0.0, 0.0, 0)


def _counted(caption: str, rows: Iterable[tuple[Any, int]], note: str = "") -> Chart:
    listed = list(rows)
    longest = max((number for _label, number in listed), default=0) or 1
    bars = [
        Bar(label, number_format(number), round(100 * number / longest))
        for label, number in listed
    ]
    return Chart(caption, bars, note)
