"""Charts of memories, decisions, rates and queues, as tables with bars."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.metrics import HIT_RATE, hit_rate, read_retrieved
from meddie.jobs.metrics import depths_of
from meddie.jobs.registry import QUEUES
from memory.metrics import DEDUP_RATE, REPLACEMENT_RATE, read_decided
from memory.models import Memory

NAME = "charts"
CHARTED = timedelta(days=7)  # of decisions and rates
PER_CENT = "\N{NO-BREAK SPACE}%"
RIGHTS = ("memory.view_memory", "memory.view_capturejob")
RATES = {
    REPLACEMENT_RATE: gettext_lazy("Replacements for each addition"),
    DEDUP_RATE: gettext_lazy("Duplicates among proposed facts"),
    HIT_RATE: gettext_lazy("Retrieved facts that were in the prompt"),
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
    charts = [*_memory_charts(), _queue_chart(), *_decision_charts()]
    context = admin.site.each_context(request) | {
        "title": _("Charts"),
        "charts": charts,
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
    weeks = [monday - timedelta(weeks=ago) for ago in range(12)]
    yield _counted(
        _("Active memories by the week they were stored in"),
        ((date_format(week), stored[week]) for week in weeks),
    )


def _queue_chart() -> Chart:
    depths: Counter[str] = Counter()
    for depth in depths_of(QUEUES.values()):
        depths[depth.queue.label] += depth.waiting + depth.running
    return _counted(_("Unfinished jobs"), depths.items())


def _decision_charts() -> Iterator[Chart]:
    found = read_decided(CHARTED)
    decisions: Counter[str] = Counter()
    for (_origin, action, reason), number in found.decisions.items():
        decisions[f"{action}: {reason}"] += number
    yield _counted(_("Decisions on proposed facts"), decisions.most_common())
    rates = found.rates | {HIT_RATE: hit_rate(read_retrieved(CHARTED))}
    bars = [
        Bar(
            RATES[gauge],
            f"{number_format(100 * rate, 1)}{PER_CENT}",
            min(round(100 * rate), 100),
        )
        for gauge, rate in rates.items()
    ]
    yield Chart(_("Rates"), bars)


def _counted(caption: str, rows: Iterable[tuple[Any, int]], note: str = "") -> Chart:
    return Chart(caption, counted_bars(rows), note)


def counted_bars(rows: Iterable[tuple[Any, int]]) -> list[Bar]:
    listed = list(rows)
    longest = max((number for _label, number in listed), default=0) or 1
    return [
        Bar(label, number_format(number), round(100 * number / longest))
        for label, number in listed
    ]
