"""The admin of Telegram bots and links, without tokens."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from meddie.admin import ReadOnly
from people.models import TelegramBot, TelegramLink, TelegramLinkCode


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
    exclude = ("code_hash",)
