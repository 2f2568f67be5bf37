"""Memory for staff: read, searched, filtered, retracted; never written by hand."""

import json
import uuid
from collections.abc import Iterable
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.postgres.search import SearchQuery
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from meddie import dispatch
from meddie.jobs_admin import JobAdminMixin
from memory.capture.forgetting import retract
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy, MemoryUpdate
from memory.words import tokens
from people.models import Space, User

SHOWN = 100
"""Characters of a memory in the list."""
CHOICES = 200
"""Users or spaces to choose from in a filter."""
EMPTY = "—"
NEW_LINE = mark_safe("<br>")


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that the machine writes."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class StateFilter(admin.SimpleListFilter):
    """Active, or why not any more."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("active", _("active")), *Memory.RetiredReason.choices]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() is None:
            return queryset
        if self.value() == "active":
            return queryset.filter(active=True)
        return queryset.filter(retired_reason=self.value())


class OwnerFilter(admin.SimpleListFilter):
    """Of which user or space. A long list is cut; the address takes any key."""

    model: type[User] | type[Space]
    order: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        owners = self.model.objects.filter(memories__isnull=False)
        first = owners.distinct().order_by(self.order)[:CHOICES]
        return [(str(owner.pk), str(owner)) for owner in first]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        try:
            key = uuid.UUID(self.value())
        except ValueError:
            return queryset.none()
        return queryset.filter(**{str(self.parameter_name): key})


class UserFilter(OwnerFilter):
    title = _("user")
    parameter_name = "user"
    model = User
    order = "email"


class SpaceFilter(OwnerFilter):
    title = _("space")
    parameter_name = "space"
    model = Space
    order = "name"


def page_of(row: Model | None) -> SafeString | str:
    """A link to a row's own page, where staff can open one."""
    if row is None:
        return EMPTY
    if not admin.site.is_registered(type(row)):
        return str(row)
    meta = row._meta  # noqa: SLF001 - the public way in, in spite of its name
    name = f"admin:{meta.app_label}_{meta.model_name}_change"
    return format_html('<a href="{}">{}</a>', reverse(name, args=[row.pk]), row)


@admin.register(Memory)
class MemoryAdmin(ReadOnly):
    """Text, whose it is, what became of it and where it comes from; never the vector."""

    list_display = ("text", "user", "space", "kind", "state", "stated_at", "updated_at")
    list_select_related = ("user", "space")
    list_filter = (StateFilter, "kind", "origin", SpaceFilter, UserFilter)
    search_fields = ("content",)
    search_help_text = _("Words of the text, in any order; beginnings are enough.")
    ordering = ("-updated_at", "-pk")
    actions = ("retract_selected",)
    fields = (
        "content", "user", "space", "audience", "kind", "state", "retired_at",
        "confidence", "evidence", "stated_at", "source", "origin", "channel",
        "source_link", "run_id", "links_held", "history", "embedding_model",
        "content_hash", "inserted_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        rows: QuerySet[Memory] = super().get_queryset(request)
        return rows.defer("embedding", "near", "content_tsv")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Memory], search_term: str
    ) -> tuple[QuerySet[Memory], bool]:
        """Through the tsvector and its index."""
        words = tokens(search_term)
        if not words:
            return queryset, False
        query = SearchQuery(
            " & ".join(f"'{word}':*" for word in words),
            config="simple",
            search_type="raw",
        )
        return queryset.filter(content_tsv=query), False

    def has_retract_permission(self, request: HttpRequest) -> bool:
        """Who may retract."""
        return request.user.has_perm("memory.change_memory")

    @admin.display(description=_("text"), ordering="content")
    def text(self, memory: Memory) -> str:
        return Truncator(memory.content).chars(SHOWN) or EMPTY

    @admin.display(description=_("state"))
    def state(self, memory: Memory) -> str:
        if memory.active:
            return gettext("active")
        return memory.get_retired_reason_display()

    @admin.display(description=_("message"))
    def source_link(self, memory: Memory) -> SafeString | str:
        return page_of(memory.source_message)

    @admin.display(description=_("recalled for"))
    def links_held(self, memory: Memory) -> SafeString | str:
        links = memory.links.select_related("user", "space")
        held = [(f"{link.user} / {link.space}",) for link in links]
        return format_html_join(", ", "{}", held) or EMPTY

    @admin.display(description=_("took the place of, gave way to"))
    def history(self, memory: Memory) -> SafeString | str:
        updates = MemoryUpdate.objects.filter(Q(old=memory) | Q(new=memory))
        lines = [
            (update.created_at, page_of(update.old), page_of(update.new), update.reason)
            for update in updates.select_related("old", "new").order_by("created_at")
        ]
        return format_html_join(NEW_LINE, "{}: {} → {} ({})", lines) or EMPTY

    @admin.action(
        description=_("Retract: take out of every answer"), permissions=["retract"]
    )
    def retract_selected(
        self, request: HttpRequest, queryset: QuerySet[Memory]
    ) -> None:
        by = cast("User", request.user)
        count = sum(retract(memory, by) for memory in queryset)
        text = ngettext(
            "%(count)d memory was retracted.",
            "%(count)d memories were retracted.",
            count,
        )
        self.message_user(request, text % {"count": count}, messages.SUCCESS)


@admin.register(CaptureJob)
class CaptureJobAdmin(JobAdminMixin, ReadOnly):
    """What waits to be captured, and why; its size and never its text."""

    list_display = (
        "age", "kind", "state", "origin", "user", "space", "attempts", "available_at",
        "error",
    )  # fmt: skip
    list_select_related = ("user", "space")
    list_filter = ("state", "kind", "origin", "error")
    ordering = ("-created_at", "-pk")
    exclude = ("payload",)
    readonly_fields = ("payload_length",)

    @admin.display(description=_("characters of the payload"))
    def payload_length(self, job: CaptureJob) -> int:
        return len(json.dumps(job.payload, ensure_ascii=False))

    def announce(self, jobs: Iterable[CaptureJob]) -> None:
        for job in jobs:
            dispatch.enqueue("memory.run_job", str(job.pk))


@admin.register(MemoryEvent)
class MemoryEventAdmin(ReadOnly):
    """What memory did, with the facts."""

    list_display = ("created_at", "kind", "user", "space")
    list_select_related = ("user", "space")
    list_filter = ("kind",)
    ordering = ("-created_at", "-pk")
    fields = ("created_at", "kind", "user", "space", "details")
    readonly_fields = fields

    @admin.display(description=_("details"))
    def details(self, event: MemoryEvent) -> SafeString:
        text = json.dumps(event.data, indent=2, ensure_ascii=False)
        return format_html("<pre>{}</pre>", text)


@admin.register(MemoryPolicy)
class MemoryPolicyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("space", "recall_profile", "inline_capture")
    list_select_related = ("space",)
    autocomplete_fields = ("space",)
