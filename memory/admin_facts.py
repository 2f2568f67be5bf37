"""Admin pages of memories and profile facts: lists, timelines and repairs."""

import uuid
from collections.abc import Iterable
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.views.main import SEARCH_VAR
from django.contrib.auth import get_permission_codename
from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from meddie.admin import EMPTY, RecordedPage, link_to_page
from memory.admin_repairs import RepairPages
from memory.capture.profile_forgetting import retract_profile_fact
from memory.capture.retraction import retract
from memory.models import Memory, MemoryEvent, ProfileFact
from memory.operators.lore_repairs import repairs_of_memory
from memory.operators.profile_repairs import ProfileRepairs
from memory.words import tokens
from people.models import Space, User

CHOOSE_ALL = mark_safe('<input type="checkbox" id="action-toggle">')
SAME = ("user", "updated_at")  # columns that take the room of a user's texts
SHOWN = 100
CHOICES = 200
"""Users or spaces listed in a filter."""


class StateFilter(admin.SimpleListFilter):
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
    """A filter whose list is cut at CHOICES; the query string takes any key."""

    model: type[User] | type[Space]
    order: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        keys = model_admin.model.objects.values(self.parameter_name)
        first = self.model.objects.filter(pk__in=keys).order_by(self.order)[:CHOICES]
        return [(str(owner.pk), str(owner)) for owner in first]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        key = _as_key(self.value())
        if key is None:
            return queryset.none()
        return queryset.filter(**{str(self.parameter_name): key})


def _as_key(value: str | None) -> uuid.UUID | None:
    try:
        return uuid.UUID(value)
    except (TypeError, ValueError):
        return None


class UserFilter(OwnerFilter):
    title = _("user")
    parameter_name = "user"
    model = User
    order = "email"


def _chosen_user(request: HttpRequest) -> uuid.UUID | None:
    return _as_key(request.GET.get(UserFilter.parameter_name))


class SpaceFilter(OwnerFilter):
    title = _("space")
    parameter_name = "space"
    model = Space
    order = "name"


class FactsPage(RecordedPage):
    """The list shows texts once a user is chosen, which is recorded, as is each search."""

    recorded_as: str
    texts: tuple[str, ...]

    def get_list_display(self, request: HttpRequest) -> Any:
        if _chosen_user(request):
            return [name for name in self.list_display if name not in SAME]
        others = [name for name in self.list_display if name not in self.texts]
        return ["row_key", *others]

    @admin.display(description=CHOOSE_ALL)
    def action_checkbox(self, obj: Memory | ProfileFact) -> Any:
        """Labelled with the key."""
        return super().action_checkbox(type(obj)(pk=obj.pk))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        if isinstance(response, TemplateResponse) and response.context_data:
            self._record_list(request, response.context_data["cl"].result_list)
        return response

    def _record_list(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        """Record each search, and once a day that a user was chosen."""
        user = _chosen_user(request)
        by = cast("User", request.user)
        search = request.GET.get(SEARCH_VAR)
        looks = MemoryEvent.objects
        if user and rows and not search and looks.has_look(by, user, self.recorded_as):
            return
        if user or search:
            self.record_look(request, rows)

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        by = cast("User", request.user)
        MemoryEvent.objects.record_look(by, rows, self.recorded_as)

    def has_retract_permission(self, request: HttpRequest) -> bool:
        name = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{name}")

    @admin.display(description=_("key"))
    def row_key(self, fact: Memory | ProfileFact) -> str:
        return str(fact.pk)

    @admin.display(description=_("state"))
    def state(self, fact: Memory | ProfileFact) -> str:
        if fact.active:
            return gettext("active")
        return fact.get_retired_reason_display()


@admin.register(Memory)
class MemoryAdmin(RepairPages, FactsPage):
    recorded_as = "memories"
    texts = ("text",)
    repairs_of = staticmethod(repairs_of_memory)
    list_display = ("text", "user", "space", "kind", "state", "stated_at", "updated_at")
    list_select_related = ("user", "space")
    list_filter = (StateFilter, "kind", "origin", SpaceFilter, UserFilter)
    search_fields = ("content",)
    search_help_text = _("Words of the text, in any order; beginnings are enough.")
    ordering = ("-updated_at", "-pk")
    actions = ("retract_selected",)
    fields = (
        "content", "user", "space", "audience", "told_by", "kind", "state", "retired_at",
        "confidence", "evidence", "stated_at", "source", "origin", "channel",
        "source_link", "run_id", "links_held", "timeline", "shown", "embedding_model",
        "content_hash", "inserted_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        rows: QuerySet[Memory] = super().get_queryset(request)
        return rows.defer("embedding", "near", "content_tsv", "evidence_tsv")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Memory], search_term: str
    ) -> tuple[QuerySet[Memory], bool]:
        """Search the tsvector, which has an index, for the beginnings of words."""
        words = tokens(search_term)
        if not words:
            return queryset, False
        query = SearchQuery(
            " & ".join(f"'{word}':*" for word in words),
            config="simple",
            search_type="raw",
        )
        return queryset.filter(content_tsv=query), False

    @admin.display(description=_("text"), ordering="content")
    def text(self, memory: Memory) -> str:
        return Truncator(memory.content).chars(SHOWN) or EMPTY

    @admin.display(description=_("message"))
    def source_link(self, memory: Memory) -> SafeString | str:
        return link_to_page(memory.source_message)

    @admin.display(description=_("recalled for"))
    def links_held(self, memory: Memory) -> SafeString | str:
        links = memory.links.select_related("user", "space")
        held = [(f"{link.user} / {link.space}",) for link in links]
        return format_html_join(", ", "{}", held) or EMPTY

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


@admin.register(ProfileFact)
class ProfileFactAdmin(RepairPages, FactsPage):
    recorded_as = "profile_facts"
    texts = ("key", "value")
    repairs_of = staticmethod(ProfileRepairs)
    list_display = (
        "key", "value", "user", "space", "category", "importance", "state", "stated_at",
    )  # fmt: skip
    list_select_related = ("user", "space")
    list_filter = (StateFilter, "category", "origin", SpaceFilter, UserFilter)
    search_fields = ("=key",)
    search_help_text = _("The whole key.")
    ordering = ("-updated_at", "-pk")
    actions = ("retract_selected",)
    fields = (
        "user", "space", "category", "key", "value", "state", "retired_at",
        "confidence", "importance", "origin", "channel", "stated_at", "timeline",
        "shown", "inserted_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    @admin.action(
        description=_("Retract: take out of every answer"), permissions=["retract"]
    )
    def retract_selected(
        self, request: HttpRequest, queryset: QuerySet[ProfileFact]
    ) -> None:
        by = cast("User", request.user)
        count = sum(retract_profile_fact(fact, by) for fact in queryset)
        text = ngettext(
            "%(count)d profile fact was retracted.",
            "%(count)d profile facts were retracted.",
            count,
        )
        self.message_user(request, text % {"count": count}, messages.SUCCESS)
