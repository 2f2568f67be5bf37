"""Admin pages of jobs, events and policies of memory."""

import json
import uuid
from collections.abc import Iterable
from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from meddie import dispatch
from meddie.admin import ReadOnly, RecordedPage
from meddie.jobs_admin import JobAdminMixin
from memory import admin_community, admin_facts
from memory.models import (
    CaptureJob,
    Memory,
    MemoryEvent,
    MemoryPolicy,
    ProfileFact,
)
from memory.operators.event_summary import summary_of
from people.models import User

__all__ = [
    "CaptureJobAdmin",
    "MemoryEventAdmin",
    "MemoryPolicyAdmin",
    "admin_community",
    "admin_facts",
]

NEW_LINE = mark_safe("<br>")


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
    exclude = ("payload",)
    readonly_fields = ("payload_length",)

    @admin.display(description=_("characters of the payload"))
    def payload_length(self, job: CaptureJob) -> int:
        return len(json.dumps(job.payload, ensure_ascii=False))

    def announce(self, jobs: Iterable[CaptureJob]) -> None:
        for job in jobs:
            dispatch.enqueue("memory.run_job", str(job.pk))


@admin.register(MemoryEvent)
class MemoryEventAdmin(RecordedPage):
    list_display = ("created_at", "kind", "summary", "user", "space")
    list_select_related = ("user", "space")
    list_filter = ("kind", "created_at", admin_facts.UserFilter)
    search_fields = ("user__email", "space__name")
    search_help_text = _("The user's address, the space's name, or a memory's key.")
    ordering = ("-created_at", "-pk")
    fields = ("created_at", "kind", "summary", "user", "space", "details")
    readonly_fields = fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[MemoryEvent], search_term: str
    ) -> tuple[QuerySet[MemoryEvent], bool]:
        try:
            memory = Memory(pk=uuid.UUID(search_term.strip()))
        except ValueError:
            return super().get_search_results(request, queryset, search_term)
        named = MemoryEvent.objects.about(memory)
        return queryset.filter(pk__in=named.values("pk")), False

    @admin.display(description=_("summary"))
    def summary(self, event: MemoryEvent) -> str:
        return summary_of(event)

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        by = cast("User", request.user)
        MemoryEvent.objects.record_look(by, rows, "events")

    @admin.display(description=_("details"))
    def details(self, event: MemoryEvent) -> SafeString:
        """The data, and the texts that the named memories have now."""
        data = json.dumps(event.data, indent=2, ensure_ascii=False)
        decisions = event.data.get("decisions", [])
        named = {d[key] for d in decisions for key in ("memory", "target") if d[key]}
        texts = [*Memory.objects.filter(pk__in=named).values_list("pk", "content")]
        facts = ProfileFact.objects.filter(pk__in=named)
        texts += [(fact.pk, fact.content) for fact in facts]
        lines = format_html_join(NEW_LINE, "{}: {}", texts)
        return format_html("<pre>{}</pre>{}", data, lines)


@admin.register(MemoryPolicy)
class MemoryPolicyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "space", "ranking", "api_ranking", "decay_half_life", "keep_per_user",
        "also_known_tokens", "inline_capture", "background_capture",
    )  # fmt: skip
    list_select_related = ("space",)
    autocomplete_fields = ("space",)
