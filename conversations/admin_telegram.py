"""Received updates and files for staff: their progress, never their texts."""

from collections.abc import Iterable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.models import (
    Attachment,
    DerivationJob,
    IngestedMessage,
    TelegramPart,
    TelegramUpdate,
)
from meddie import dispatch
from meddie.admin import ReadOnly, ReadOnlyInline, link_to_message
from meddie.jobs_admin import JobAdminMixin


class PartInline(ReadOnlyInline):
    model = TelegramPart
    fields = readonly_fields = ("number", "telegram_message_id", "sent_at")
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TelegramPart]:
        rows: QuerySet[TelegramPart] = super().get_queryset(request)
        return rows.defer("html")


@admin.register(TelegramUpdate)
class TelegramUpdateAdmin(JobAdminMixin, ReadOnly):
    list_display = (
        "age", "bot", "space", "chat", "kind", "state", "stage", "attempts", "error",
        "available_at", "updated_at",
    )  # fmt: skip
    list_filter = ("state", "stage", "error")
    search_fields = ("=id", "=thread__external_id", "bot__space__name")
    search_help_text = _("The key, the Telegram ID or the name of the space.")
    ordering = ("-created_at", "-pk")
    fields = (
        "bot", "space", "chat", "update_id", "kind", "state", "stage", "attempts",
        "crashes", "error", "created_at", "available_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (PartInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TelegramUpdate]:
        # Without texts, and without tokens, which may fail to decrypt.
        rows: QuerySet[TelegramUpdate] = super().get_queryset(request)
        return rows.select_related("bot__space", "thread").defer(
            "payload", "bot__token", "bot__secret"
        )

    @admin.display(description=_("space"), ordering="bot__space__name")
    def space(self, update: TelegramUpdate) -> str:
        return str(update.bot.space)

    @admin.display(description=_("Telegram ID"))
    def chat(self, update: TelegramUpdate) -> str:
        return update.thread.external_id

    def announce(self, jobs: Iterable[TelegramUpdate]) -> None:
        for thread_id in {update.thread_id for update in jobs}:
            dispatch.enqueue("conversations.work_on_chat", str(thread_id))


@admin.register(IngestedMessage)
class IngestedMessageAdmin(JobAdminMixin, ReadOnly):
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

    def announce(self, jobs: Iterable[IngestedMessage]) -> None:
        for thread_id in {message.thread_id for message in jobs}:
            dispatch.enqueue("conversations.work_on_ingested", str(thread_id))


@admin.register(DerivationJob)
class DerivationJobAdmin(JobAdminMixin, ReadOnly):
    list_display = (
        "age", "attachment", "state", "attempts", "error", "available_at", "updated_at",
    )  # fmt: skip
    list_filter = ("state", "error")
    search_fields = ("=id", "=attachment__id")
    search_help_text = _("The key of the job or of its file.")
    ordering = ("-created_at", "-pk")
    fields = (
        "attachment", "state", "attempts", "crashes", "error", "created_at",
        "available_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    def announce(self, jobs: Iterable[DerivationJob]) -> None:
        for job in jobs:
            dispatch.enqueue("conversations.derive", str(job.pk))


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
