"""Telegram's inbox and files for staff: how far each got, and never what was said."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from conversations.models import Attachment, TelegramPart, TelegramUpdate
from conversations.telegram import inbox
from meddie import dispatch
from meddie.admin import ReadOnly, ReadOnlyInline


class PartInline(ReadOnlyInline):
    """What was sent, by Telegram's receipts."""

    model = TelegramPart
    fields = readonly_fields = ("number", "telegram_message_id", "sent_at")
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TelegramPart]:
        rows: QuerySet[TelegramPart] = super().get_queryset(request)
        return rows.defer("html")


@admin.register(TelegramUpdate)
class TelegramUpdateAdmin(ReadOnly):
    list_display = (
        "received_at", "bot", "space", "chat", "state", "attempts", "error",
        "available_at", "ended_at",
    )  # fmt: skip
    list_filter = ("state", "error")
    search_fields = ("=id", "=thread__external_id", "bot__space__name")
    search_help_text = _("The key, the Telegram ID or the name of the space.")
    ordering = ("-received_at", "-pk")
    fields = (
        "bot", "space", "chat", "update_id", "state", "attempts", "error",
        "received_at", "available_at", "ended_at",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (PartInline,)
    actions = ("try_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TelegramUpdate]:
        """Without the words, and without the bots' tokens, which might not open."""
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

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Who may have a dead letter worked on again."""
        return request.user.has_perm("conversations.change_telegramupdate")

    @admin.action(description=_("Try again"), permissions=["retry"])
    def try_again(
        self, request: HttpRequest, queryset: QuerySet[TelegramUpdate]
    ) -> None:
        """Dead letters only; a worker goes on where each got to."""
        dead = list(queryset.filter(state=TelegramUpdate.State.DEAD))
        for update in dead:
            inbox.retry(update)
        for thread_id in {update.thread_id for update in dead}:
            dispatch.enqueue("conversations.drain_chat", str(thread_id))
        text = ngettext(
            "%(count)d dead letter is tried again.",
            "%(count)d dead letters are tried again.",
            len(dead),
        )
        self.message_user(request, text % {"count": len(dead)}, messages.SUCCESS)


@admin.register(Attachment)
class AttachmentAdmin(ReadOnly):
    """That there is a file. Neither its bytes nor its name, which says too much."""

    list_display = ("created_at", "kind", "content_type", "size", "transcript")
    list_select_related = ("message",)
    list_filter = ("kind",)
    search_fields = ("=id", "=message__conversation__id")
    search_help_text = _("The key of the file or of its conversation.")
    ordering = ("-created_at", "-pk")
    fields = ("transcript", "kind", "content_type", "size", "created_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attachment]:
        rows: QuerySet[Attachment] = super().get_queryset(request)
        return rows.defer("content", "name", "message__content")

    @admin.display(description=_("transcript"))
    def transcript(self, file: Attachment) -> SafeString:
        key = file.message.conversation_id
        path = reverse("admin:conversations_conversation_change", args=[key])
        return format_html('<a href="{}">{}</a>', path, key)
