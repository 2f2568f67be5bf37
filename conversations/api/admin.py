"""Ingested messages for staff: their progress, never their texts."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from conversations.api.models import IngestedMessage
from meddie.jobs.admin import JobAdmin


@admin.register(IngestedMessage)
class IngestedMessageAdmin(JobAdmin):
    list_display = (
        "age", "space", "author", "channel", "kind", "state", "attempts", "error",
        "stated_at", "updated_at",
    )  # fmt: skip
    list_select_related = ("thread__space", "thread__user")
    list_filter = ("state", "kind", "error")
    search_fields = ("=id", "=external_id", "thread__space__name")
    search_help_text = _("The key, the outside ID or the name of the space.")
    ordering = ("-created_at", "-pk")
    fields = (
        "space", "author", "channel", "external_id", "kind", "trace", "state",
        "attempts", "crashes", "error", "stated_at", "received_at", "available_at",
        "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[IngestedMessage]:
        rows: QuerySet[IngestedMessage] = super().get_queryset(request)
        return rows.defer("payload")

    @admin.display(description=_("space"), ordering="thread__space__name")
    def space(self, message: IngestedMessage) -> str:
        return str(message.thread.space)

    @admin.display(description=_("author"), ordering="thread__user__name")
    def author(self, message: IngestedMessage) -> str:
        return str(message.thread.user)
