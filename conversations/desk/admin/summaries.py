"""Summaries and their jobs for staff. Without texts."""

from collections.abc import Iterable

from django.contrib import admin

from conversations.models import Summary, SummaryJob
from meddie import dispatch
from meddie.admin import ReadOnly
from meddie.jobs_admin import JobAdminMixin


@admin.register(Summary)
class SummaryAdmin(ReadOnly):
    list_display = (
        "kind", "conversation", "episode", "first_seq", "last_seq", "stale",
        "created_at",
    )  # fmt: skip
    list_filter = ("kind", "stale")
    search_fields = ("=conversation__id", "=episode__id")
    ordering = ("-created_at", "-pk")
    fields = list_display
    readonly_fields = fields


@admin.register(SummaryJob)
class SummaryJobAdmin(JobAdminMixin, ReadOnly):
    list_display = (
        "age", "kind", "state", "episode", "attempts", "available_at", "error",
    )  # fmt: skip
    list_filter = ("state", "kind", "error")
    ordering = ("-created_at", "-pk")
    exclude = ("payload",)

    def announce(self, jobs: Iterable[SummaryJob]) -> None:
        for job in jobs:
            dispatch.enqueue("conversations.run_summary_job", str(job.pk))
