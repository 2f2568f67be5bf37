"""Admin pages of memory."""

from django.contrib import admin

from memory import admin_events, admin_facts
from memory.models import MemoryPolicy

__all__ = [
    "MemoryPolicyAdmin",
    "admin_events",
    "admin_facts",
]


@admin.register(MemoryPolicy)
class MemoryPolicyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "space", "ranking", "api_ranking", "decay_half_life", "keep_per_user",
        "facts_tokens", "inline_capture", "background_capture",
    )  # fmt: skip
    list_select_related = ("space",)
    autocomplete_fields = ("space",)
