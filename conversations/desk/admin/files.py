"""Files for staff: their progress, never their texts."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.models import Attachment
from meddie.admin import ReadOnly, link_to_message


@admin.register(Attachment)
class AttachmentAdmin(ReadOnly):
    """Without bytes and names, which are private."""

    list_display = (
        "created_at", "kind", "content_type", "size", "state", "error", "transcript",
    )  # fmt: skip
    list_select_related = ("message__conversation",)
    list_filter = ("kind", "state", "error")
    search_fields = ("=id", "=message__conversation__id")
    search_help_text = _("The key of the file or of its conversation.")
    ordering = ("-created_at", "-pk")
    fields = (
        "transcript", "kind", "content_type", "size", "state", "error", "created_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attachment]:
        rows: QuerySet[Attachment] = super().get_queryset(request)
        return rows.defer("name", "description", "message__content")

    @admin.display(description=_("transcript"))
    def transcript(self, file: Attachment) -> SafeString | str:
        return link_to_message(file.message)
