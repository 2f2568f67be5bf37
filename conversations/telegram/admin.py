"""Bots, links and received updates for staff, without tokens and texts."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from conversations.telegram.models import (
    TelegramBot,
    TelegramLink,
    TelegramLinkCode,
    TelegramUpdate,
)
from meddie.admin import ReadOnly
from meddie.jobs.admin import JobAdmin


@admin.register(TelegramBot)
class TelegramBotAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Superusers may change `api_url`, which is sent the token.

    Admins of spaces connect bots and, after a change of the URL, register them again.
    """

    list_display = ("username", "space", "polled", "error", "created_at")
    list_select_related = ("space",)
    list_filter = ("polled", "error")
    search_fields = ("username", "=bot_id", "space__name")
    fields = (
        "space", "bot_id", "username", "api_url", "polled", "error", "created_at",
    )  # fmt: skip
    readonly_fields = (
        "space", "bot_id", "username", "polled", "error", "created_at",
    )  # fmt: skip

    def get_readonly_fields(
        self, request: HttpRequest, obj: TelegramBot | None = None
    ) -> tuple[str, ...]:
        return self.readonly_fields if request.user.is_superuser else self.fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[TelegramBot]:
        """Defer encrypted columns, whose key may be lost."""
        bots: QuerySet[TelegramBot] = super().get_queryset(request)
        return bots.defer("token", "secret")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(TelegramLink)
class TelegramLinkAdmin(ReadOnly):
    """Staff may delete a link, but only its user confirms it."""

    deletable = True
    list_display = (
        "telegram_id", "space", "user", "person", "asked_by", "confirmed_at",
        "blocked_at", "created_at",
    )  # fmt: skip
    list_select_related = ("space", "user", "person", "asked_by")
    list_filter = (
        ("user", admin.EmptyFieldListFilter),
        ("confirmed_at", admin.EmptyFieldListFilter),
        ("blocked_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("=telegram_id", "space__name", "user__email", "person__name")


@admin.register(TelegramLinkCode)
class TelegramLinkCodeAdmin(ReadOnly):
    deletable = True
    list_display = ("user", "space", "created_at", "expires_at", "used_at")
    list_select_related = ("user", "space")
    list_filter = (("used_at", admin.EmptyFieldListFilter),)
    search_fields = ("user__email", "space__name")
    exclude = ("token_hash",)


@admin.register(TelegramUpdate)
class TelegramUpdateAdmin(JobAdmin):
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
