"""Conversations for staff. Only the transcript shows texts."""

from collections.abc import Iterable, Mapping
from typing import Any, cast
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from conversations import admin_episodes, admin_summaries, admin_telegram, notes_lines
from conversations.deletion import delete_conversation
from conversations.desk import charts, inspector, queues
from conversations.episodes.boundaries import Reason
from conversations.models import (
    Conversation,
    DailyUse,
    Feedback,
    Message,
    Receipt,
    Thread,
)
from conversations.templatetags.desk_format import object_page
from meddie.admin import DeskPage, ReadOnly, ReadOnlyInline, RecordedPage, Site
from memory.models import Memory, MemoryEvent, ProfileFact
from memory.values import READ_ALL
from people.models import User

__all__ = [
    "ConversationAdmin",
    "DailyUseAdmin",
    "FeedbackAdmin",
    "MessageAdmin",
    "admin_episodes",
    "admin_summaries",
    "admin_telegram",
]

Site.desk += [
    DeskPage(
        inspector.NAME,
        _("Memory inspector"),
        inspector.show_inspector,
        READ_ALL,
    ),
    DeskPage(queues.NAME, _("Queues"), queues.show_queues, queues.RIGHTS),
    DeskPage(charts.NAME, _("Charts"), charts.show_charts, charts.RIGHTS),
]


@admin.register(Conversation)
class ConversationAdmin(RecordedPage):
    """Looks are recorded in the user's memory events.

    Ingested conversations, which their users have no list of, can be deleted.
    """

    deletable = True
    list_display = (
        "id",
        "user",
        "space",
        "channel",
        "messages_count",
        "last_message_at",
    )
    list_select_related = ("user", "space", "thread")
    list_filter = ("thread__channel", "remember", "person_removed")
    search_fields = ("=id", "user__email", "space__name")
    search_help_text = _("The key, the user's address or the name of the space.")
    ordering = ("-last_message_at",)
    fields = (
        "user", "space", "person", "channel", "title", "remember", "created_at",
        "last_message_at", "transcript",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        # Counted in the list's query, not once per row.
        rows: QuerySet[Conversation] = super().get_queryset(request)
        return rows.annotate(message_count=Count("messages"))

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        by, conversations = cast("User", request.user), list(rows)
        MemoryEvent.objects.record_look(by, conversations, "conversations")
        facts = [f for row in conversations for f in _facts_shown(row, by)]
        if facts:
            MemoryEvent.objects.record_look(by, facts, "memories")

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        conversation: Any = super().get_object(request, object_id, from_field)
        if conversation is not None:
            conversation.viewer = request.user
        return conversation

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        ingested = obj is None or obj.thread.channel == Thread.Channel.INGEST
        return ingested and super().has_delete_permission(request, obj)

    def get_deleted_objects(
        self, objs: Iterable[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What the page of confirmation lists. Others than ingested ones are refused."""
        rows = list(objs)
        own = [row for row in rows if not self.has_delete_permission(request, row)]
        refused = {str(self.opts.verbose_name)} if own else set()
        counts = {str(self.opts.verbose_name_plural): len(rows)}
        return [str(row) for row in rows], counts, refused, []

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        delete_conversation(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for conversation in queryset:
            delete_conversation(conversation)

    @admin.display(description=_("channel"), ordering="thread__channel")
    def channel(self, conversation: Conversation) -> str:
        return conversation.thread.get_channel_display()

    @admin.display(description=_("messages"), ordering="message_count")
    def messages_count(self, conversation: Any) -> int:
        return int(conversation.message_count)

    @admin.display(description=_("transcript"))
    def transcript(self, conversation: Conversation) -> SafeString:
        """Also superseded messages, with receipts."""
        facts = _facts_shown(conversation, conversation.viewer)  # type: ignore[attr-defined]
        texts = {fact.pk: str(fact) for fact in facts}
        messages = (
            conversation.messages.in_order()
            .with_changes()
            .select_related("episode_decision", "episode")
            .defer("episode__summary_vector")
            .prefetch_related(Prefetch("receipts", Receipt.objects.order_by("rank")))
        )
        entries = (_entry(message, texts) for message in messages)
        return format_html_join("", "<h3>{}</h3><div>{}</div>{}", entries)


def _facts_shown(
    conversation: Conversation, viewer: User
) -> list[Memory | ProfileFact]:
    """What its receipts name, for those who may see it."""
    receipts = Receipt.objects.filter(message__conversation=conversation)
    keys = list(receipts.values_list("object_id", flat=True))
    found: list[Memory | ProfileFact] = []
    if viewer.has_perm("memory.view_memory"):
        found += Memory.objects.filter(pk__in=keys).defer("embedding", "near")
    if viewer.has_perm("memory.view_profilefact"):
        found += ProfileFact.objects.filter(pk__in=keys)
    return found


def _entry(message: Message, texts: Mapping[UUID, str]) -> tuple[str, str, SafeString]:
    status = message.get_status_display()
    if message.error:
        status = f"{status}: {message.error}"
    if message.emergency_note:
        status = f"{status}, {_('emergency note')}"
    if begins := _begun_episode(message):
        status = f"{status}, {begins}"
    at = date_format(timezone.localtime(message.created_at), "DATETIME_FORMAT")
    head = f"{at}, {message.get_role_display()}, {status}"
    text = notes_lines.with_nearest(message)
    lines = map(conditional_escape, text.split("\n"))
    return head, mark_safe("<br>".join(lines)), _receipts(message, texts)  # noqa: S308 -- escaped


def _begun_episode(message: Message) -> str:
    """Why an episode begins with the message, and its topic; mostly empty."""
    decision = getattr(message, "episode_decision", None)
    if decision is None or decision.reason in {Reason.STAY, Reason.OFF_TOPIC}:
        return ""
    label = message.episode.topic_label
    return f"{decision.get_reason_display()}: {label}".removesuffix(": ")


def _receipts(message: Message, texts: Mapping[UUID, str]) -> SafeString:
    return format_html_join(
        "",
        '<p class="help">{}. {}, {}: {} {}</p>',
        (
            (
                one.rank,
                one.get_kind_display(),
                one.get_section_display(),
                object_page(one.kind, one.object_id, texts.get(one.object_id, "")),
                f"{one.score:.2f}",
            )
            for one in message.receipts.all()
        ),
    )


def transcript_link(message: Message) -> SafeString:
    path = reverse(
        "admin:conversations_conversation_change", args=[message.conversation_id]
    )
    return format_html('<a href="{}">{}</a>', path, message.conversation_id)


class ReceiptInline(ReadOnlyInline):
    model = Receipt
    fields = readonly_fields = (
        "rank", "kind", "section", "object_page", "score", "injected",
    )  # fmt: skip
    ordering = ("rank",)

    @admin.display(description=_("object"))
    def object_page(self, receipt: Receipt) -> str:
        return object_page(receipt.kind, receipt.object_id)


@admin.register(Message)
class MessageAdmin(ReadOnly):
    """Without texts."""

    list_display = ("id", "role", "status", "error", "model", "tokens", "created_at")
    list_filter = ("role", "status", "error", "model")
    search_fields = ("=id", "=conversation__id")
    search_help_text = _("The key of the message or of its conversation.")
    ordering = ("-created_at",)
    fields = (
        "transcript", "role", "status", "error", "model", "tokens", "seq",
        "heartbeat_at", "created_at",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (ReceiptInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        rows: QuerySet[Message] = super().get_queryset(request)
        return rows.defer("content")

    @admin.display(description=_("tokens in, out"))
    def tokens(self, message: Message) -> str:
        return f"{message.tokens_in or 0}, {message.tokens_out or 0}"

    @admin.display(description=_("transcript"))
    def transcript(self, message: Message) -> SafeString:
        return transcript_link(message)


@admin.register(Feedback)
class FeedbackAdmin(RecordedPage):
    """The list shows no reasons."""

    list_display = ("updated_at", "rating", "user", "space", "conversation")
    list_select_related = ("user", "space", "message")
    list_filter = ("rating", "updated_at", "space")
    search_fields = ("user__email", "=message__id")
    search_help_text = _("The user's address or the key of the reply.")
    date_hierarchy = "updated_at"
    ordering = ("-updated_at",)
    fields = ("rating", "reason", "user", "space", "updated_at", "conversation")
    readonly_fields = fields

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        MemoryEvent.objects.record_look(cast("User", request.user), rows, "feedback")

    @admin.display(description=_("conversation"))
    def conversation(self, feedback: Feedback) -> SafeString:
        return transcript_link(feedback.message)


@admin.register(DailyUse)
class DailyUseAdmin(ReadOnly):
    list_display = ("user", "day", "messages")
    list_select_related = ("user",)
    search_fields = ("user__email",)
    date_hierarchy = "day"
    ordering = ("-day", "-messages")
