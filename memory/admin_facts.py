"""Admin pages of memories, profile facts and community memories: lists and repairs."""

from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.contrib.postgres.search import SearchQuery
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from meddie.admin import EMPTY, link_to_message
from meddie.text import one_line
from memory import visibility
from memory.admin_repairs import AddPage, RepairPages
from memory.household import told_subject
from memory.models import (
    CommunityMemory,
    Fact,
    Memory,
    MemoryEvent,
    ProfileFact,
    without_text,
)
from memory.models.embedded import NO_MODEL, NO_VECTOR
from memory.operators.repairs import RETIRE, RepairRefused, repair_fact
from memory.subjects import UNSURE_TEXT
from memory.visibility import COMMUNITY_AUDIENCE
from memory.wording.same_fact import content_hash
from memory.wording.words import plain, tokens
from people.admin.owned import OwnedList, SpaceFilter, UserFilter
from people.models import User

CHOOSE_ALL = mark_safe('<input type="checkbox" id="action-toggle">')
LONGEST_IN_LIST = 100


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


class AboutFilter(admin.SimpleListFilter):
    title = _("about")
    parameter_name = "about"
    CHOICES: ClassVar[dict[str, Any]] = {
        "user": Q(subject=""),
        "others": ~Q(subject__in=["", UNSURE_TEXT]) & Q(subject__isnull=False),
        "unsure": Q(subject=UNSURE_TEXT),
        "unread": Q(subject=None),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("user", _("the user")),
            ("others", _("someone else")),
            ("unsure", _("not sure")),
            ("unread", _("not read yet")),
        ]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        chosen = self.CHOICES.get(self.value() or "")
        return queryset if chosen is None else queryset.filter(chosen)


def with_words(memories: QuerySet[Memory], text: str) -> QuerySet[Memory]:
    """Those with a word for each beginning, by an index; all without any."""
    words = [f"'{word}':*" for word in tokens(plain(text))]
    if not words:
        return memories
    query = SearchQuery(" & ".join(words), config="simple", search_type="raw")
    return memories.filter(content_tsv=query)


class FactsPage(OwnedList):
    actions = ("retract_selected",)
    looks = MemoryEvent.objects
    same = ("user", "updated_at")
    searches_texts = True

    @admin.display(description=CHOOSE_ALL)
    def action_checkbox(self, obj: Fact) -> Any:
        """Labelled without the text."""
        return super().action_checkbox(without_text(obj))

    def has_retract_permission(self, request: HttpRequest) -> bool:
        name = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{name}")

    @admin.display(description=_("state"))
    def state(self, fact: Fact) -> str:
        if fact.active:
            return gettext("active")
        return fact.get_retired_reason_display()

    @admin.action(
        description=_("Retract: take out of every answer"), permissions=["retract"]
    )
    def retract_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        by = cast("User", request.user)
        count = 0
        for fact in queryset:
            with suppress(RepairRefused):
                repair_fact(fact, RETIRE, by)
                count += 1
        text = ngettext(
            "%(count)d fact was retracted.", "%(count)d facts were retracted.", count
        )
        self.message_user(request, text % {"count": count}, messages.SUCCESS)


@admin.register(Memory)
class MemoryAdmin(AddPage, RepairPages, FactsPage):
    recorded_as = "memories"
    texts = ("text", "about")
    list_display = (
        "text", "about", "stated_at", "user", "space", "kind", "state", "updated_at",
    )  # fmt: skip
    list_select_related = ("user", "space", "person")
    list_filter = (
        StateFilter, AboutFilter, "kind", "origin", SpaceFilter, UserFilter,
    )  # fmt: skip
    search_fields = ("content",)
    search_help_text = _("Words of the text, in any order; beginnings are enough.")
    ordering = ("-updated_at", "-pk")
    fields = (
        "content", "about", "user", "space", "audience", "told_by", "kind", "state", "retired_at",
        "confidence", "evidence", "stated_at", "source", "origin", "channel", "room",
        "source_link", "links_held", "embedding_model", "content_hash",
        "inserted_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        rows: QuerySet[Memory] = super().get_queryset(request)
        return rows.defer("embedding", "near", "content_tsv", "evidence_tsv")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Memory], search_term: str
    ) -> tuple[QuerySet[Memory], bool]:
        return with_words(queryset, search_term), False

    @admin.display(description=_("text"), ordering="content")
    def text(self, memory: Memory) -> str:
        return Truncator(memory.content).chars(LONGEST_IN_LIST) or EMPTY

    @admin.display(description=_("about"))
    def about(self, memory: Memory) -> str:
        """Nothing for the user, and where it is not read yet."""
        return told_subject(memory) or EMPTY

    @admin.display(description=_("message"))
    def source_link(self, memory: Memory) -> SafeString | str:
        return link_to_message(memory.source_message)

    @admin.display(description=_("recalled for"))
    def links_held(self, memory: Memory) -> SafeString | str:
        links = memory.links.select_related("user", "space")
        held = [(f"{link.user} / {link.space}",) for link in links]
        return format_html_join(", ", "{}", held) or EMPTY


@admin.register(ProfileFact)
class ProfileFactAdmin(RepairPages, FactsPage):
    recorded_as = "profile_facts"
    texts = ("key", "value")
    list_display = (
        "key", "value", "stated_at", "user", "space", "category", "importance", "state",
    )  # fmt: skip
    list_select_related = ("user", "space")
    list_filter = (StateFilter, "category", "origin", SpaceFilter, UserFilter)
    search_fields = ("=key",)
    search_help_text = _("The whole key.")
    ordering = ("-updated_at", "-pk")
    fields = (
        "user", "space", "category", "key", "value", "state", "retired_at",
        "confidence", "importance", "origin", "channel", "stated_at",
        "inserted_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields


class CommunityMemoryForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_content(self) -> str:
        text = one_line(self.cleaned_data["content"])
        if not text:
            raise forms.ValidationError(_("Write a sentence."))
        if exists(self.instance, text):
            raise forms.ValidationError(_("This memory exists already."))
        return text


@admin.register(CommunityMemory)
class CommunityMemoryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = CommunityMemoryForm
    list_display = ("content", "kind", "updated_at")
    ordering = ("-updated_at", "-pk")
    fields = ("content", "kind")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CommunityMemory]:
        rows: QuerySet[CommunityMemory] = super().get_queryset(request)
        columns = ("embedding", "near", "content_tsv", "evidence_tsv")
        return rows.filter(visibility.COMMUNITY).defer(*columns)

    def save_model(
        self, request: HttpRequest, obj: CommunityMemory, form: Any, change: Any
    ) -> None:
        publish(obj)


def exists(memory: CommunityMemory, text: str) -> bool:
    """Whether another community memory has this text."""
    rows = Memory.objects.community().exclude(pk=memory.pk)
    return rows.filter(content_hash=content_hash(text)).exists()


def publish(memory: CommunityMemory) -> None:
    """Store the text without a vector, which a task adds after the commit."""
    memory.audience, memory.origin = COMMUNITY_AUDIENCE, Memory.Origin.OPERATOR
    memory.source = Memory.Source.MANUAL
    memory.content, memory.stated_at = one_line(memory.content), timezone.now()
    memory.content_hash = content_hash(memory.content)
    memory.vector, memory.embedding_model = NO_VECTOR, NO_MODEL
    memory.save()
    transaction.on_commit(partial(Memory.embed_later, [memory.pk]))
