"""Episodes for staff, and why each began. Without texts."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.models import Episode, EpisodeDecision
from meddie.admin import EMPTY, ReadOnly, link_to_page


@admin.register(Episode)
class EpisodeAdmin(ReadOnly):
    list_display = (
        "started_at", "channel", "status", "last_user_message_at", "ended_at",
        "conversation_page",
    )  # fmt: skip
    list_select_related = ("thread", "conversation")
    list_filter = ("status", "thread__channel")
    search_fields = ("=id", "=conversation__id")
    search_help_text = _("The key of the episode or of its conversation.")
    ordering = ("-started_at",)
    fields = (
        "conversation_page", "channel", "status", "started_at", "last_user_message_at",
        "ended_at", "decisions",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Episode]:
        rows: QuerySet[Episode] = super().get_queryset(request)
        return rows.defer("summary_vector")

    @admin.display(description=_("channel"), ordering="thread__channel")
    def channel(self, episode: Episode) -> str:
        return episode.thread.get_channel_display()

    @admin.display(description=_("conversation"))
    def conversation_page(self, episode: Episode) -> SafeString | str:
        return link_to_page(episode.conversation)

    @admin.display(description=_("episode decisions"))
    def decisions(self, episode: Episode) -> SafeString:
        path = reverse("admin:conversations_episodedecision_changelist")
        count = episode.decisions.count()
        return format_html('<a href="{}?q={}">{}</a>', path, episode.pk, count)


@admin.register(EpisodeDecision)
class EpisodeDecisionAdmin(ReadOnly):
    list_display = ("said_at", "number", "reason", "nearness", "episode_page")
    list_select_related = ("message", "episode")
    list_filter = ("reason",)
    search_fields = ("=message__id", "=episode__id", "=episode__conversation__id")
    search_help_text = _("The key of the message, of its episode or conversation.")
    ordering = ("-message__created_at", "-message__seq")
    fields = (
        "message_page", "episode_page", "number", "said_at", "reason", "nearness",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[EpisodeDecision]:
        rows: QuerySet[EpisodeDecision] = super().get_queryset(request)
        return rows.defer("message__content", "episode__summary_vector")

    @admin.display(description=_("number"), ordering="message__seq")
    def number(self, decision: EpisodeDecision) -> int:
        return decision.message.seq

    @admin.display(description=_("created"), ordering="message__created_at")
    def said_at(self, decision: EpisodeDecision) -> Any:
        return decision.message.created_at

    @admin.display(description=_("similarity"), ordering="similarity")
    def nearness(self, decision: EpisodeDecision) -> str:
        return EMPTY if decision.similarity is None else f"{decision.similarity:.3f}"

    @admin.display(description=_("message"))
    def message_page(self, decision: EpisodeDecision) -> SafeString | str:
        return link_to_page(decision.message)

    @admin.display(description=_("episode"))
    def episode_page(self, decision: EpisodeDecision) -> SafeString | str:
        return link_to_page(decision.episode)
