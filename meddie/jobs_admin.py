"""Jobs in the admin: age, error and retry."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from meddie.jobs import Job


class JobAdminMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    actions = ("retry_selected",)

    def announce(self, jobs: Iterable[Any]) -> None:
        raise NotImplementedError

    def has_retry_permission(self, request: HttpRequest) -> bool:
        name = self.opts.model_name
        return request.user.has_perm(f"{self.opts.app_label}.change_{name}")

    @admin.display(description=_("age"), ordering="created_at")
    def age(self, job: Job) -> str:
        return timesince(job.created_at, timezone.now(), depth=1)

    @admin.action(description=_("Retry"), permissions=["retry"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        count = self.retry_jobs(queryset)
        self.message_user(request, retried_text(count), messages.SUCCESS)

    def retry_jobs(self, jobs: QuerySet[Any]) -> int:
        """Make stopped ones due, announce them, and return how many."""
        stopped = list(jobs.exclude(state__in=(Job.State.RUNNING, Job.State.DONE)))
        keys = [job.pk for job in stopped]
        count = int(self.model.objects.filter(pk__in=keys).retry())
        self.announce(stopped)
        return count


def retried_text(count: int) -> str:
    text = ngettext(
        "%(count)d job will be retried.", "%(count)d jobs will be retried.", count
    )
    return text % {"count": count}
