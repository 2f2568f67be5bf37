"""The page "Is all well?": each part of Meddie in a sentence, with a picture to look at."""

import platform
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import django
from asgiref.sync import async_to_sync
from django.contrib import admin
from django.db import connection
from django.db.models import Count
from django.db.models.functions import TruncHour
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.desk.charts import Bar, counted_bars
from conversations.metrics import read_probes
from conversations.models import Message
from meddie.ai.provider import current_provider
from meddie.embedded.backup import last_backup
from meddie.http import health
from meddie.jobs.metrics import Depth, depths_of
from meddie.jobs.registry import QUEUES
from meddie.version import VERSION

NAME = "well"
RIGHTS = ("memory.view_memory", "memory.view_capturejob")
LONGEST_WAIT = timedelta(minutes=15)  # of a job
BACKUP_AGE = timedelta(days=2)
HOURS = 24  # of the answers that are drawn
TALLEST = 40  # of a column
MOST_FAILED = 0.1  # share of answers
Status = Message.Status


@dataclass(frozen=True, slots=True)
class HourColumn:
    """An hour: heights of its answers, and of those that failed."""

    place: int
    done: int
    failed: int


@dataclass(frozen=True, slots=True)
class WellPart:
    """`page` is the desk page that says more; `columns` or `bars` make the picture."""

    title: str
    is_well: bool
    told: str
    bars: Sequence[Bar] = ()
    columns: Sequence[HourColumn] = ()
    page: str = ""


def show_well(request: HttpRequest) -> HttpResponse:
    parts = [_services(), _provider(), _queues(), _probes(), _disk(), _backup()]
    troubled = [part.title for part in parts if not part.is_well]
    context = admin.site.each_context(request) | {
        "title": _("Is all well?"),
        "parts": parts,
        "troubled": ", ".join(troubled),
        "versions": list(_versions()),
        "tallest": TALLEST,
    }
    return TemplateResponse(request, "admin/desk/well.html", context)


def _services() -> WellPart:
    names = {
        "database": _("database"),
        "broker": _("message broker"),
        "worker": _("workers"),
        "disk": _("disk"),
    }
    answers = async_to_sync(health.readiness)()
    told = [
        f"{names[part]}: {_('works') if answer == 'ok' else answer}"
        for part, answer in answers.items()
    ]
    is_well = set(answers.values()) == {"ok"}
    return WellPart(_("Services"), is_well, ", ".join(told))


def _provider() -> WellPart:
    since = timezone.now() - timedelta(hours=HOURS)
    replies = Message.objects.filter(
        role=Message.Role.ASSISTANT, created_at__gte=since, status__in=COUNTED
    )
    by_hour = replies.annotate(hour=TruncHour("created_at")).order_by()
    rows = by_hour.values_list("hour", "status").annotate(number=Count("pk"))
    counts = {(hour, status): number for hour, status, number in rows}
    failed = sum(n for (_hour, status), n in counts.items() if status in FAILED)
    total = sum(counts.values())
    provider = current_provider()
    name = provider.name
    if not provider.connected:
        told = _("No model provider is set up: a simple offline stand-in answers.")
        name = told.removesuffix(".")
    told = ngettext(
        "%(name)s. %(count)s answer in 24 hours, failed: %(failed)s.",
        "%(name)s. %(count)s answers in 24 hours, failed: %(failed)s.",
        total,
    ) % {
        "name": name,
        "count": number_format(total),
        "failed": number_format(failed),
    }
    is_well = failed <= total * MOST_FAILED
    return WellPart(
        _("Provider"), is_well, told, columns=list(_columns(counts)) if total else ()
    )


FAILED = (Status.FAILED, Status.INTERRUPTED)
COUNTED = (Status.DONE, Status.STOPPED, *FAILED)


def _columns(counts: Mapping[tuple[datetime, str], int]) -> Iterator[HourColumn]:
    done, failed = Counter[datetime](), Counter[datetime]()
    for (hour, status), number in counts.items():
        (failed if status in FAILED else done)[hour] += number
    most = max((done + failed).values(), default=0) or 1
    last = timezone.now().replace(minute=0, second=0, microsecond=0)
    for place in range(HOURS):
        hour = last - timedelta(hours=HOURS - 1 - place)
        heights = (round(TALLEST * n / most) for n in (done[hour], failed[hour]))
        yield HourColumn(place, *heights)


def _queues() -> WellPart:
    depths = list(depths_of(QUEUES.values()))
    waiting = sum(depth.waiting + depth.running for depth in depths)
    dead = sum(depth.dead for depth in depths)
    oldest = min((depth.oldest for depth in depths if depth.oldest), default=None)
    told = _("Unfinished: %(waiting)s, failed for good: %(dead)s.") % {
        "waiting": number_format(waiting),
        "dead": number_format(dead),
    }
    if oldest:
        told += " " + _("The oldest is %(age)s old.") % {"age": timesince(oldest)}
    late = oldest is not None and timezone.now() - oldest > LONGEST_WAIT
    is_well = not (dead or late)
    return WellPart(
        _("Queues"), is_well, told, counted_bars(_by_queue(depths)), page="queues"
    )


def _by_queue(depths: Iterable[Depth]) -> list[tuple[str, int]]:
    numbers: Counter[str] = Counter()
    for depth in depths:
        numbers[str(depth.queue.label)] += depth.waiting + depth.running + depth.dead
    return [(label, number) for label, number in numbers.items() if number]


def _probes() -> WellPart:
    passed, asked = read_probes()
    told = _("%(passed)s of %(asked)s passed.") % {"passed": passed, "asked": asked}
    share = round(100 * passed / asked) if asked else 0
    bars = [Bar(_("passed"), number_format(passed), share)] if asked else []
    return WellPart(_("Probes"), passed == asked, told, bars, page="probes")


def _disk() -> WellPart:
    usage = shutil.disk_usage(health.DATA_FOLDER)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        [size] = cursor.fetchone()
    told = _("%(free)s free, the database has %(size)s.") % {
        "free": filesizeformat(usage.free),
        "size": filesizeformat(size),
    }
    used = usage.total - usage.free
    bars = [Bar(_("used"), filesizeformat(used), round(100 * used / usage.total))]
    return WellPart(_("Disk"), usage.free >= health.LEAST_FREE, told, bars)


def _backup() -> WellPart:
    last = last_backup()
    if last is None:
        told = _("No back-up has been written yet. “make backup” writes one.")
        return WellPart(_("Back-up"), is_well=False, told=told)
    told = _("The last one was written %(age)s ago.") % {"age": timesince(last)}
    return WellPart(_("Back-up"), timezone.now() - last <= BACKUP_AGE, told)


def _versions() -> Iterator[tuple[str, str]]:
    yield "Meddie", VERSION
    yield "Django", django.get_version()
    yield "Python", platform.python_version()
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        yield "PostgreSQL", cursor.fetchone()[0].partition(" ")[0]
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        yield "pgvector", cursor.fetchone()[0]
