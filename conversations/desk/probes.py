"""The page of the standing tests: how many passed, and which rows a prompt lacked."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.metrics import read_probes
from conversations.models import ProbeJob
from conversations.probes.questions import ABOUT_OTHERS, QUESTIONS, shown_question
from meddie.admin import link_to_page
from memory.models import Memory
from memory.models.fact import without_text
from memory.values import READ_ALL
from people.models import Person

NAME, RIGHTS = "probes", READ_ALL
DAY = timedelta(days=1)
MOST_LISTED = 200  # failures that are listed


@dataclass(frozen=True, slots=True)
class ListedProbe:
    """`row` leads to the fact, or to the person whose notes have it."""

    job: ProbeJob
    row: Any
    question: Any
    answered: bool
    searched: bool


def show_probes(request: HttpRequest) -> HttpResponse:
    passed, asked = read_probes()
    last = ProbeJob.objects.aggregate(last=Max("probed_at"))["last"]
    waits = ProbeJob.objects.exclude(state=ProbeJob.State.DONE).exists()
    context = admin.site.each_context(request) | {
        "title": _("Probes"),
        "passed": passed,
        "asked": asked,
        "last": last,
        "next": None if waits else _next_day(last),
        "failed": list(_failed())[:MOST_LISTED],
        "questions": map(shown_question, range(len(QUESTIONS) + len(ABOUT_OTHERS))),
    }
    return TemplateResponse(request, "admin/desk/probes.html", context)


def _next_day(last: datetime | None) -> datetime:
    """About when the daily work runs again."""
    return max((last or timezone.now()) + DAY, timezone.now())


def _failed() -> Iterator[ListedProbe]:
    jobs = ProbeJob.objects.exclude(failures=[]).select_related("user", "space")
    for job in jobs.order_by("-probed_at")[:MOST_LISTED]:
        keys = [UUID(failure["fact"]) for failure in job.failures]
        memories = Memory.objects.filter(pk__in=keys).defer(*Memory.VECTORS)
        rows: dict[UUID, Any] = {row.pk: without_text(row) for row in memories}
        rows |= Person.objects.in_bulk(keys)
        for failure in job.failures:
            row = rows.get(UUID(failure["fact"]))
            yield ListedProbe(
                job,
                link_to_page(row) if row else failure["fact"],
                shown_question(failure["question"]),
                failure["answered"],
                failure.get("searched", False),  # not in rows of before
            )
