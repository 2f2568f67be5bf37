"""Base classes of admin pages."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

EMPTY = "—"


class ReadOnlyMixin(admin.options.BaseModelAdmin):  # type: ignore[type-arg]
    """Refuses changes, and deletion unless `deletable`."""

    deletable = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.deletable and super().has_delete_permission(request, obj)


class ReadOnly(ReadOnlyMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """A page without the number of rows, which costs a scan."""

    show_full_result_count = False
    list_per_page = 50


class ReadOnlyInline(ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]
    extra = 0


def link_to_page(row: Model | None) -> SafeString | str:
    if row is None:
        return EMPTY
    if not admin.site.is_registered(type(row)):
        return str(row)
    meta = row._meta  # noqa: SLF001 -- Django documents it
    name = f"admin:{meta.app_label}_{meta.model_name}_change"
    return format_html('<a href="{}">{}</a>', reverse(name, args=[row.pk]), row)
