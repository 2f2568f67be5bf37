"""The admin site, and base classes of its pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import DataError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from meddie.version import VERSION

EMPTY = "—"


class RestrictedPage(admin.ModelAdmin):  # type: ignore[type-arg]
    """Refuses lookups that no filter of the page offers.

    Else `?notes__startswith=a` reads texts letter by letter. Without the right to view,
    the history of a row looks like that of no row.
    """

    def __init__(self, model: type[Model], admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        for field in self.opts.fields:  # called as what it leads to, in each language
            if target := field.related_model:
                options: Any = target._meta  # noqa: SLF001 -- Django documents it
                if field.name == options.model_name:
                    field.verbose_name = options.verbose_name

    def lookup_allowed(
        self, lookup: str, value: Any, request: HttpRequest | None = None
    ) -> bool:
        if request is None:
            return False
        names = [_parameter(name) for name in self.get_list_filter(request)]
        if self.date_hierarchy:
            names.append(self.date_hierarchy)
        offered = any(
            lookup == name or lookup.startswith(f"{name}__") for name in names
        )
        return offered and super().lookup_allowed(lookup, value, request)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().changelist_view(request, extra_context)
        except (DataError, OverflowError):  # a NUL or a year that no column holds
            return redirect(f"{request.path}?{ERROR_FLAG}=1")

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)


def _parameter(list_filter: Any) -> str:
    if isinstance(list_filter, type):
        return str(list_filter.parameter_name)  # type: ignore[attr-defined]
    return list_filter if isinstance(list_filter, str) else str(list_filter[0])


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page of the admin that belongs to no model; `rights` are all needed."""

    name: str
    title: Any
    view: Callable[[HttpRequest], HttpResponse]
    rights: tuple[str, ...]

    def guarded(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perms(self.rights):
            raise PermissionDenied
        return self.view(request)


class Site(admin.AdminSite):
    """Applies RestrictedPage to every page, also those of libraries."""

    site_title = "Meddie"
    site_header = f"Meddie {VERSION}"
    index_title = _("Pages for staff")
    desk: ClassVar[list[DeskPage]] = []

    def get_urls(self) -> list[Any]:
        # It fails for a key that is no UUID, and no row here has a page elsewhere.
        urls = super().get_urls()
        own = [
            path(f"desk/{page.name}/", self.admin_view(page.guarded), name=page.name)
            for page in self.desk
        ]
        return own + [url for url in urls if getattr(url, "name", "") != "view_on_site"]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        apps = super().get_app_list(request, app_label)
        pages = [page for page in self.desk if request.user.has_perms(page.rights)]
        if app_label is not None or not pages:
            return apps
        return [_desk_entry(pages), *apps]

    def register(
        self, model_or_iterable: Any, admin_class: Any = None, **options: Any
    ) -> None:
        admin_class = admin_class or admin.ModelAdmin
        restricted = type(admin_class.__name__, (RestrictedPage, admin_class), {})
        super().register(model_or_iterable, restricted, **options)


def _desk_entry(pages: Iterable[DeskPage]) -> dict[str, Any]:
    listed = [
        {
            "name": page.title,
            "object_name": page.name,
            "admin_url": reverse(f"admin:{page.name}"),
            "view_only": True,
        }
        for page in pages
    ]
    return {
        "name": _("Desk"),
        "app_label": "desk",
        "app_url": listed[0]["admin_url"],
        "has_module_perms": True,
        "models": listed,
    }


class ReadOnlyMixin(admin.options.BaseModelAdmin):  # type: ignore[type-arg]
    """Refuses changes, and deletion unless `deletable`."""

    deletable = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.deletable and super().has_delete_permission(request, obj)


class FirstRows(Paginator):  # type: ignore[type-arg]
    """Counts and shows the first rows of a long list."""

    MOST = 5_000

    @cached_property
    def count(self) -> int:
        return int(self.object_list[: self.MOST].count())  # type: ignore[attr-defined]


class ReadOnly(ReadOnlyMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """A page without the number of all rows, which costs a scan."""

    show_full_result_count = False
    paginator = FirstRows
    list_per_page = 50


class RecordedPage(ReadOnly):
    """Records each view of a row, whose page shows texts."""

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        raise NotImplementedError

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is not None and self.has_view_permission(request, row):
            self.record_look(request, [row])
        return super().change_view(request, object_id, form_url, extra_context)

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is not None and self.has_view_permission(request, row):
            self.record_look(request, [row])
        return super().history_view(request, object_id, extra_context)


class ReadOnlyInline(ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]
    extra = 0


def link_to_page(row: Model | None, anchor: str = "") -> SafeString | str:
    if row is None:
        return EMPTY
    if not admin.site.is_registered(type(row)):
        return str(row)
    meta = row._meta  # noqa: SLF001 -- Django documents it
    name = f"admin:{meta.app_label}_{meta.model_name}_change"
    path = reverse(name, args=[row.pk])
    return format_html('<a href="{}{}" dir="auto">{}</a>', path, anchor, row)


def link_to_message(message: Any) -> SafeString | str:
    """To its place in the transcript of the conversation."""
    if message is None:
        return EMPTY
    return link_to_page(message.conversation, f"#message-{message.pk}")
