"""Jobs in the admin: their age, and Retry."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from meddie.admin import ReadOnly
from meddie.jobs.job import Job
from meddie.jobs.registry import QUEUES


class JobAdmin(ReadOnly):
    actions = ("retry_selected",)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        name = self.opts.model_name
        return request.user.has_perm(f"{self.opts.app_label}.change_{name}")

    @admin.display(description=_("age"), ordering="created_at")
    def age(self, job: Job) -> str:
        return timesince(job.created_at, timezone.now(), depth=1)

    @admin.action(description=_("Retry"), permissions=["retry"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        tell_retried(request, QUEUES[self.model.QUEUE].retry(queryset))


def tell_retried(request: HttpRequest, count: int) -> None:
    text = ngettext(
        "%(count)d job will be retried.", "%(count)d jobs will be retried.", count
    )
    messages.success(request, text % {"count": count})
