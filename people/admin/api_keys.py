"""The admin of API keys and external users, without hashes."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from oauth2_provider.models import IDToken

from meddie.admin import ReadOnly
from people.admin.people import CascadingDelete
from people.members import delete_accounts
from people.models import (
    AccessToken,
    ApiKey,
    ExternalUser,
    Program,
    ProgramCode,
    RefreshToken,
)

# What programs use has no pages of its own: staff revoke the key.
admin.site.unregister([Program, ProgramCode, AccessToken, RefreshToken, IDToken])


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Only the limit of calls can change."""

    list_display = (
        "__str__", "name", "space", "user", "trusted_proxy", "calls_per_minute",
        "created_at", "last_used_at", "revoked_at",
    )  # fmt: skip
    list_select_related = ("space", "user")
    list_filter = ("trusted_proxy", ("revoked_at", admin.EmptyFieldListFilter))
    search_fields = ("prefix", "name", "space__name", "user__email")
    exclude = ("hash",)
    readonly_fields = (
        "space", "user", "name", "prefix", "trusted_proxy",
        "created_at", "last_used_at", "revoked_at",
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ExternalUser)
class ExternalUserAdmin(CascadingDelete, ReadOnly):
    """Deletion deletes the user with all that is remembered."""

    deletable = True
    list_display = ("external_id", "space", "user", "created_at")
    list_select_related = ("space", "user")
    search_fields = ("=external_id", "space__name", "user__name")

    def delete_model(self, request: HttpRequest, obj: ExternalUser) -> None:
        delete_accounts([obj.user])

    def delete_queryset(
        self, request: HttpRequest, queryset: QuerySet[ExternalUser]
    ) -> None:
        delete_accounts([external.user for external in queryset])
