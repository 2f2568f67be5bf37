"""Admin pages of jobs and policies of memory."""

import json
from collections.abc import Iterable

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from meddie import dispatch
from meddie.admin import ReadOnly, link_to_message
from meddie.jobs_admin import JobAdminMixin
from memory import admin_community, admin_events, admin_facts
from memory.admin_repairs import find_above
from memory.models import CaptureJob, MemoryPolicy

__all__ = [
    "CaptureJobAdmin",
    "MemoryPolicyAdmin",
    "admin_community",
    "admin_events",
    "admin_facts",
]


@admin.register(CaptureJob)
class CaptureJobAdmin(JobAdminMixin, ReadOnly):
    """Waiting captures, without their texts."""

    list_display = (
        "age", "kind", "state", "origin", "user", "space", "attempts", "available_at",
        "error",
    )  # fmt: skip
    list_select_related = ("user", "space")
    list_filter = ("state", "kind", "origin", "error")
    ordering = ("-created_at", "-pk")
    exclude = ("payload", "source_id")
    readonly_fields = ("message", "payload_length")

    @admin.display(description=_("message"))
    def message(self, job: CaptureJob) -> SafeString | str:
        return link_to_message(find_above("Message", job.source_id))

    @admin.display(description=_("characters of the payload"))
    def payload_length(self, job: CaptureJob) -> int:
        return len(json.dumps(job.payload, ensure_ascii=False))

    def announce(self, jobs: Iterable[CaptureJob]) -> None:
        for job in jobs:
            dispatch.enqueue("memory.run_job", str(job.pk))


@admin.register(MemoryPolicy)
class MemoryPolicyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "space", "ranking", "api_ranking", "decay_half_life", "keep_per_user",
        "also_known_tokens", "inline_capture", "background_capture",
    )  # fmt: skip
    list_select_related = ("space",)
    autocomplete_fields = ("space",)
