"""The page of all job queues: depth, age, dead letters and Retry."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conversations.models import ChatModel
from meddie.ai.errors import NoCallsLeft
from meddie.ai.priority import background_calls
from meddie.jobs.admin import tell_retried
from meddie.jobs.job import Job
from meddie.jobs.metrics import depths_of
from meddie.jobs.registry import QUEUES, Queue

NAME = "queues"
RIGHTS = ("memory.view_capturejob",)
State = Job.State


REASON_TEXTS = {
    NoCallsLeft.code: _(
        "The user’s background calls of this day are used up (DAILY_BACKGROUND_CALLS)."
    )
}


@dataclass(frozen=True, slots=True)
class StoppedJob:
    """A dead letter, or a job that waits after a failure or for the next day."""

    queue: Queue
    job: Job
    address: str
    may_retry: bool

    @property
    def reason(self) -> Promise | str:
        return REASON_TEXTS.get(self.job.error, self.job.error)


class RetryForm(forms.Form):
    """Without a `job` all dead letters of the queue."""

    queue = forms.CharField()
    job = forms.UUIDField(required=False)


def show_queues(request: HttpRequest) -> HttpResponse:
    queues = [queue for queue in QUEUES.values() if _may(request, queue, "view")]
    if request.method == "POST":
        return _retry(request, queues)
    context = admin.site.each_context(request) | {
        "title": _("Queues"),
        "depths": [
            (depth, _list(depth.queue), _may(request, depth.queue, "change"))
            for depth in depths_of(queues)
        ],
        "calls": background_calls(),
        "silent": ChatModel.objects.silent(),
        "stopped": [job for queue in queues for job in _stopped(request, queue)],
    }
    return TemplateResponse(request, "admin/desk/queues.html", context)


def _retry(request: HttpRequest, queues: list[Queue]) -> HttpResponse:
    form = RetryForm(request.POST)
    if not form.is_valid():
        raise Http404
    name, key = form.cleaned_data["queue"], form.cleaned_data["job"]
    queue = QUEUES.get(name)
    if queue not in queues:
        raise Http404
    if not _may(request, queue, "change"):
        raise PermissionDenied
    chosen = Q(pk=key) if key else Q(state=State.DEAD)
    tell_retried(request, queue.retry(queue.jobs.filter(chosen)))
    return redirect("admin:queues")


def _stopped(request: HttpRequest, queue: Queue) -> Iterator[StoppedJob]:
    failed = Q(state=State.DEAD) | Q(state=State.WAITING) & ~Q(error="")
    jobs = queue.jobs.filter(failed).defer("payload").order_by("state", "created_at")
    may, address = _may(request, queue, "change"), _list(queue)
    for job in jobs[:20]:
        yield StoppedJob(queue, job, address and f"{address}{job.pk}/change/", may)


def _may(request: HttpRequest, queue: Queue, right: str) -> bool:
    meta = queue.model._meta  # noqa: SLF001 -- Django documents it
    return request.user.has_perm(f"{meta.app_label}.{right}_{meta.model_name}")


def _list(queue: Queue) -> str:
    """The address of its page, if it has one."""
    if not admin.site.is_registered(queue.model):
        return ""
    meta = queue.model._meta  # noqa: SLF001 -- Django documents it
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
