"""The page of all job queues: depth, age, dead letters and Retry."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conversations.api.models import IngestedMessage
from conversations.models import DerivationJob, SummaryJob
from conversations.telegram.models import TelegramUpdate
from meddie.jobs import Job
from meddie.jobs_admin import JobAdminMixin, retried_text
from memory.models import CaptureJob

NAME = "queues"
RIGHTS = ("memory.view_capturejob",)
LISTED = 20  # stopped jobs of each queue
State = Job.State
QUEUES: dict[str, tuple[Any, type[Job]]] = {
    "capture": (_("Capture"), CaptureJob),
    "summaries": (_("Summaries"), SummaryJob),
    "files": (_("Files"), DerivationJob),
    "telegram": (_("Telegram updates"), TelegramUpdate),
    "ingestion": (_("Ingested messages"), IngestedMessage),
}


@dataclass(frozen=True, slots=True)
class Queue:
    """Unfinished and dead jobs of one kind; `oldest` of the unfinished."""

    name: str
    label: Any
    kind: str
    waiting: int
    running: int
    dead: int
    attempts: int
    oldest: datetime | None
    address: str


@dataclass(frozen=True, slots=True)
class StoppedJob:
    """A dead letter, or a job that waits after a failure."""

    name: str
    label: Any
    job: Job
    address: str
    may_retry: bool


class RetryForm(forms.Form):
    """Without a `job` all dead letters of the queue."""

    queue = forms.ChoiceField(choices=[(name, name) for name in QUEUES])
    job = forms.UUIDField(required=False)


def read_queues(names: list[str]) -> list[Queue]:
    """One statement for each queue, over the index of unfinished jobs."""
    return [queue for name in names for queue in _read_queue(name)]


def _read_queue(name: str) -> Iterator[Queue]:
    label, model = QUEUES[name]
    unfinished = Q(state__in=(State.WAITING, State.RUNNING))
    rows = (
        _jobs(model)
        .exclude(state=State.DONE)
        .values("kind")
        .annotate(
            waiting=Count("pk", filter=Q(state=State.WAITING)),
            running=Count("pk", filter=Q(state=State.RUNNING)),
            dead=Count("pk", filter=Q(state=State.DEAD)),
            most=Max("attempts"),
            oldest=Min("created_at", filter=unfinished),
        )
        .order_by("kind")
    )
    none = {"kind": "", "waiting": 0, "running": 0, "dead": 0, "most": 0}
    for row in list(rows) or [none | {"oldest": None}]:
        counts = (row["waiting"], row["running"], row["dead"], row["most"])
        yield Queue(name, label, row["kind"], *counts, row["oldest"], _list(model))


def show_queues(request: HttpRequest) -> HttpResponse:
    names = [name for name in QUEUES if _may(request, name, "view")]
    if request.method == "POST":
        return _retry(request, names)
    context = admin.site.each_context(request) | {
        "title": _("Queues"),
        "queues": read_queues(names),
        "stopped": [job for name in names for job in _stopped(request, name)],
        "retriable": [name for name in names if _may(request, name, "change")],
    }
    return TemplateResponse(request, "admin/desk/queues.html", context)


def _retry(request: HttpRequest, names: list[str]) -> HttpResponse:
    form = RetryForm(request.POST)
    if not form.is_valid() or form.cleaned_data["queue"] not in names:
        raise Http404
    name, key = form.cleaned_data["queue"], form.cleaned_data["job"]
    if not _may(request, name, "change"):
        raise PermissionDenied
    _label, model = QUEUES[name]
    page = cast("JobAdminMixin", admin.site.get_model_admin(model))
    chosen = Q(pk=key) if key else Q(state=State.DEAD)
    count = page.retry_jobs(_jobs(model).filter(chosen))
    messages.success(request, retried_text(count))
    return redirect("admin:queues")


def _stopped(request: HttpRequest, name: str) -> Iterator[StoppedJob]:
    label, model = QUEUES[name]
    failed = Q(state=State.DEAD) | Q(state=State.WAITING, attempts__gt=0)
    jobs = _jobs(model).filter(failed).defer("payload").order_by("created_at")
    may = _may(request, name, "change")
    for job in jobs[:LISTED]:
        yield StoppedJob(name, label, job, f"{_list(model)}{job.pk}/change/", may)


def _jobs(model: type[Job]) -> Any:
    return model._default_manager.all()  # noqa: SLF001 -- Django's name for it


def _may(request: HttpRequest, name: str, right: str) -> bool:
    meta = QUEUES[name][1]._meta  # noqa: SLF001 -- Django documents it
    return request.user.has_perm(f"{meta.app_label}.{right}_{meta.model_name}")


def _list(model: type[Job]) -> str:
    meta = model._meta  # noqa: SLF001 -- Django documents it
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
