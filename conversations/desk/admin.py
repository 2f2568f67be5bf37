"""Conversations and files for staff. Only the transcript shows texts."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from conversations.channels import channel_of
from conversations.desk import (
    admin_answers,
    charts,
    inspector,
    judging,
    probes,
    queues,
    well,
)
from conversations.forgetting.deletion import delete_conversation
from conversations.models import (
    Attachment,
    AttachmentText,
    Conversation,
    EpisodeReason,
    Message,
    Receipt,
)
from conversations.reply import change_lines
from meddie.admin import (
    EMPTY,
    DeskPage,
    ReadOnly,
    RecordedPage,
    Site,
    link_to_message,
    link_to_page,
)
from memory.models import EpisodicMemory, MemoryEvent, facts_for
from memory.values import READ_ALL
from people.admin.owned import OwnedList, UserFilter
from people.models import User

__all__ = ["admin_answers"]
VECTORS = ("embedding", "near")

NOT_INJECTED = _("(not in the prompt)")

Site.desk += [
    DeskPage(well.NAME, _("Is all well?"), well.show_well, well.RIGHTS),
    DeskPage(inspector.NAME, _("Memory inspector"), inspector.show_inspector, READ_ALL),
    DeskPage(
        judging.NAME, _("Judge a sentence"), judging.show_judgement, judging.RIGHTS
    ),
    DeskPage(probes.NAME, _("Probes"), probes.show_probes, probes.RIGHTS),
    DeskPage(queues.NAME, _("Queues"), queues.show_queues, queues.RIGHTS),
    DeskPage(charts.NAME, _("Charts"), charts.show_charts, charts.RIGHTS),
]


@admin.register(Conversation)
class ConversationAdmin(OwnedList):
    """Ingested conversations, which their users have no list of, can be deleted."""

    deletable = True
    looks = MemoryEvent.objects
    recorded_as = "conversations"
    texts = ("title",)
    list_display = (
        "last_message_at", "title", "user", "space", "channel", "messages_count",
    )  # fmt: skip
    list_select_related = ("user", "space", "thread")
    list_filter = ("thread__channel", "remember", "person_removed", UserFilter)
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
        super().record_look(request, rows)
        receipts = Receipt.objects.filter(message__conversation__in=rows)
        _record_facts(request, receipts.keys())

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        conversation: Any = super().get_object(request, object_id, from_field)
        if conversation is not None:
            conversation.viewer = request.user
        return conversation

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        unlisted = obj is None or not channel_of(obj.thread).listed
        return unlisted and super().has_delete_permission(request, obj)

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
        keys = Receipt.objects.filter(message__conversation=conversation).keys()
        rows = retrieved_rows(keys, conversation.viewer)  # type: ignore[attr-defined]
        messages = (
            conversation.messages.in_order()
            .with_changes()
            .select_related("episode", "receipt")
            .defer("episode__summary_vector")
        )
        entries = (_entry(message, rows) for message in messages)
        entry = '<h3 id="message-{}">{}</h3><div dir="auto">{}</div>{}'
        lines = format_html_join("", entry, entries)
        return format_html('<div class="desk-transcript">{}</div>', lines)


def _record_facts(request: HttpRequest, keys: Collection[UUID]) -> None:
    """Record the facts that receipts show to the member of staff."""
    by = cast("User", request.user)
    facts = [fact for fact in facts_for(by, keys).values() if fact.content]
    if facts:
        MemoryEvent.objects.record_look(by, facts, "memories")


def _entry(message: Message, rows: Mapping[UUID, Model]) -> tuple[Any, ...]:
    status = message.get_status_display()
    if message.error:
        status = f"{status}: {message.error}"
    if message.emergency_note:
        status = f"{status}, " + _("emergency note")
    if begins := _begun_episode(message):
        status = f"{status}, {begins}"
    at = date_format(timezone.localtime(message.created_at), "DATETIME_FORMAT")
    head = f"{at}, {message.get_role_display()}, {status}"
    text = change_lines.with_nearest(message)
    lines = map(conditional_escape, text.split("\n"))
    shown = mark_safe("<br>".join(lines))  # noqa: S308 -- escaped
    if message.lookup:
        asked = _("The model searched for “%(query)s”.") % {"query": message.lookup}
        shown = format_html("{}<br>{}", shown, asked)
    return message.pk, head, shown, _receipt(message, rows)


def _begun_episode(message: Message) -> str:
    """Why an episode begins with the message, and its topic; mostly empty."""
    if message.episode_reason in {"", EpisodeReason.STAY, EpisodeReason.OFF_TOPIC}:
        return ""
    label = message.episode.topic_label
    return f"{message.get_episode_reason_display()}: {label}".removesuffix(": ")


def _receipt(message: Message, rows: Mapping[UUID, Model]) -> SafeString:
    receipt: Receipt | None = getattr(message, "receipt", None)
    retrieved = receipt.rows() if receipt else ()
    lines = format_html_join(
        "",
        "<li>{}. {}, {}: {} {} {}</li>",
        (
            (
                item.rank,
                item.kind.label,
                item.section.label,
                link_to_page(rows.get(item.key)),
                f"{item.score:.2f}",
                "" if item.injected else NOT_INJECTED,
            )
            for item in sorted(retrieved, key=lambda item: item.rank)
        ),
    )
    return format_html('<ul class="desk-receipts">{}</ul>', lines) if lines else lines


@admin.register(Message)
class MessageAdmin(RecordedPage):
    """Without its text, but with the facts that were retrieved for it."""

    list_display = (
        "created_at", "role", "status", "error", "model", "tokens", "transcript",
    )  # fmt: skip
    list_select_related = ("conversation",)
    list_filter = ("role", "status", "error", "model")
    search_fields = ("=id", "=conversation__id")
    search_help_text = _("The key of the message or of its conversation.")
    ordering = ("-created_at",)
    fields = (
        "transcript", "role", "status", "error", "model", "tokens", "seq",
        "heartbeat_at", "created_at", "retrieved",
    )  # fmt: skip
    readonly_fields = fields

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        _record_facts(request, Receipt.objects.filter(message__in=rows).keys())

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        message: Any = super().get_object(request, object_id, from_field)
        if message is not None:
            message.viewer = request.user
        return message

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        rows: QuerySet[Message] = super().get_queryset(request)
        return rows.defer("content")

    @admin.display(description=_("tokens in, out"))
    def tokens(self, message: Message) -> str:
        return f"{message.tokens_in or 0}, {message.tokens_out or 0}"

    @admin.display(description=_("transcript"))
    def transcript(self, message: Message) -> SafeString | str:
        return link_to_message(message)

    @admin.display(description=_("receipt"))
    def retrieved(self, message: Any) -> SafeString | str:
        keys = Receipt.objects.filter(message=message).keys()
        return _receipt(message, retrieved_rows(keys, message.viewer)) or EMPTY


def retrieved_rows(keys: Collection[UUID], viewer: User) -> dict[UUID, Model]:
    """By key. Only facts have texts as their names."""
    others: list[Model] = [
        *Message.objects.filter(pk__in=keys).defer("content"),
        *EpisodicMemory.objects.filter(pk__in=keys).defer("content", *VECTORS),
        *AttachmentText.objects.filter(pk__in=keys).defer("content", *VECTORS),
    ]
    return {row.pk: row for row in others} | facts_for(viewer, keys)


@admin.register(Attachment)
class AttachmentAdmin(ReadOnly):
    """Its progress, without bytes and names, which are private."""

    list_display = (
        "created_at", "kind", "content_type", "size", "state", "error", "transcript",
    )  # fmt: skip
    list_select_related = ("message__conversation",)
    list_filter = ("kind", "state", "error")
    search_fields = ("=id", "=message__conversation__id")
    search_help_text = _("The key of the file or of its conversation.")
    ordering = ("-created_at", "-pk")
    fields = (
        "transcript", "kind", "content_type", "size", "state", "error", "created_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attachment]:
        rows: QuerySet[Attachment] = super().get_queryset(request)
        return rows.defer("name", "description", "message__content")

    @admin.display(description=_("transcript"))
    def transcript(self, file: Attachment) -> SafeString | str:
        return link_to_message(file.message)
