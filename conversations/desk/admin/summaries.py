"""Summaries for staff. Without texts."""

from django.contrib import admin

from conversations.models import Summary
from meddie.admin import ReadOnly


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
