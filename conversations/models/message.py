"""A message of the user or of Meddie, or a line under a reply."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Case, OuterRef, Prefetch, Q, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Conversation, Thread
from conversations.models.episode import Episode, EpisodeReason
from meddie.row_names import dated_name
from meddie.text import without_spans
from memory.models import Memory, MemoryUpdate, ProfileFact
from memory.models.profile_fact import former_value
from memory.wording.own_words import after_quote, marked_words, own_words
from people.models import Person, ProfileUpdate


@dataclass(frozen=True, slots=True)
class Versions:
    """The place of a message among its versions; `first` names them all."""

    number: int
    total: int
    first: uuid.UUID
    previous: uuid.UUID | None
    next: uuid.UUID | None


class MessageQuerySet(models.QuerySet["Message"]):
    def current(self) -> Self:
        """Without superseded messages."""
        return self.exclude(status=Message.Status.SUPERSEDED)

    def with_versions(self) -> Self:
        """With `version_ids`, in order."""
        rows = Message.objects.order_by("seq")
        replies = rows.filter(answers=OuterRef("answers"), role=Message.Role.ASSISTANT)
        replies = replies.exclude(content="", status=Message.Status.SUPERSEDED)
        first = Coalesce(OuterRef("first_version"), OuterRef("pk"))
        messages = rows.filter(Q(pk=first) | Q(first_version=first))
        return self.annotate(
            version_ids=Case(
                When(
                    role=Message.Role.ASSISTANT,
                    then=ArraySubquery(replies.values("pk")),
                ),
                When(role=Message.Role.USER, then=ArraySubquery(messages.values("pk"))),
            )
        )

    def in_order(self) -> Self:
        return self.order_by("seq")

    def with_changes(self) -> Self:
        """With the changes that lines tell of, `memory.replaced`, if any, and `former`."""
        superseded = Memory.RetiredReason.SUPERSEDED
        replaced = MemoryUpdate.objects.filter(old__retired_reason=superseded)
        vectors = (*Memory.VECTORS, "content_tsv")
        replaced = replaced.select_related("old").defer(*(f"old__{v}" for v in vectors))
        changes = Prefetch("updates_here", replaced, to_attr="replaced")
        memories = Memory.objects.select_related("may_replace", "person").defer(
            *vectors
        )
        memories = memories.defer(*(f"may_replace__{v}" for v in vectors))
        memories = memories.prefetch_related(changes)
        references = MemoryReference.objects.order_by("position")
        references = references.annotate(former=former_value("profile_fact"))
        references = references.select_related("profile_fact")
        references = references.prefetch_related(Prefetch("memory", memories))
        notes = [f"profile_update__person__{name}" for name in Person.NOTES]
        lines = self.select_related("profile_update__person").defer(*notes)
        return lines.prefetch_related(Prefetch("references", references))


def blank_line(collector: Any, field: Any, lines: Any, using: str) -> None:
    """An `on_delete`: keep lines of erased notes, without their text."""
    fields = lines.model._meta  # noqa: SLF001 -- Django documents it
    collector.add_field_update(field=fields.get_field("content"), value="", objs=lines)
    models.SET_NULL(collector, field, lines, using)


class Message(models.Model):
    class Role(models.TextChoices):
        USER = "user", _("user")
        ASSISTANT = "assistant", _("assistant")
        SYSTEM = "system", _("system")

    class Status(models.TextChoices):
        STREAMING = "streaming", _("streaming")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")
        INTERRUPTED = "interrupted", _("interrupted")
        SUPERSEDED = "superseded", _("superseded")

    class LineKind(models.TextChoices):
        REMEMBERED = "remembered", _("remembered")
        FORGOTTEN = "forgotten", _("forgotten")
        NOT_REMEMBERED = "not_remembered", _("not remembered")
        FORGET_ALL = "forget_all", _("question whether to forget everything")
        ALL_FORGOTTEN = "all_forgotten", _("everything forgotten")
        DEFERRED = "deferred", _("deferred")
        NOT_REMOVED = "not_removed", _("not removed from the notes")
        ASKS_FORGET = "asks_forget", _("question whether to forget")
        NOT_KEPT = "not_kept", _("not kept")
        ASKS_NOTES = "asks_notes", _("question whether to change the notes")
        ASKS_KEEP = "asks_keep", _("question whether to keep what a picture says")
        ASKS_ABOUT = "asks_about", _("question whom facts are about")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="messages")
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="messages"
    )
    episode = models.ForeignKey(Episode, models.CASCADE, related_name="messages")
    episode_reason = models.CharField(
        max_length=12,
        choices=EpisodeReason,
        blank=True,
        help_text=_("Why a message of the user continues its episode or begins it."),
    )
    topic_similarity = models.FloatField(
        null=True, blank=True, help_text=_("Its cosine with the running summary.")
    )
    seq = models.PositiveIntegerField()
    role = models.CharField(_("role"), max_length=9, choices=Role)
    content = models.TextField(_("content"), blank=True)
    status = models.CharField(
        _("status"), max_length=11, choices=Status, default=Status.DONE
    )
    error = models.CharField(_("error"), max_length=32, blank=True)
    emergency = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("Where a message speaks of an emergency, and its kind."),
    )
    # Shown above a reply; not part of what the model said.
    emergency_note = models.TextField(_("emergency note"), blank=True)
    answers = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="replies",
        help_text=_("The user message that a reply belongs to."),
    )
    first_version = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="edits",
        db_index=False,
        help_text=_("The message as it was first sent, of one that was edited."),
    )
    superseded_with = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="branch",
        db_index=False,
        help_text=_("The version that makes it current again."),
    )
    former_status = models.CharField(
        max_length=11,
        choices=Status,
        blank=True,
        help_text=_("The status of a superseded message before."),
    )
    profile_update = models.OneToOneField(
        ProfileUpdate,
        blank_line,
        null=True,
        blank=True,
        related_name="message",
        help_text=_("The change that a system message tells of."),
    )
    line_kind = models.CharField(
        max_length=16,
        choices=LineKind,
        blank=True,
        help_text=_("What a system message tells of besides a profile update."),
    )
    # The change of a person's notes, or the facts, that a line asks about.
    proposed = models.JSONField(null=True, blank=True)
    teaches = models.BooleanField(
        default=True,
        help_text=_("Whether facts may be learnt from it; only the API says no."),
    )
    forwarded_from = models.CharField(
        max_length=128,
        blank=True,
        default="",
        db_default="",
        help_text=_("Who wrote a message that the user forwards."),
    )
    replies_to = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text=_("The message or reply that its user names by replying to it."),
    )
    quote = models.TextField(
        blank=True, default="", db_default="", help_text=_("What of that is meant.")
    )
    quoted_from = models.CharField(
        max_length=128,
        blank=True,
        default="",
        db_default="",
        help_text=_("Who wrote it; empty for the user."),
    )
    off_record = models.BooleanField(
        default=False,
        db_default=False,
        help_text=_("The user wants nothing of it to be kept."),
    )
    withheld = models.BooleanField(
        default=False, help_text=_("It states a fact whose text was erased.")
    )
    lookup = models.CharField(
        max_length=220, blank=True, help_text=_("What the model searched memory for.")
    )
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    model = models.CharField(max_length=128, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    version_ids: Sequence[uuid.UUID] | None = None  # by `with_versions`
    used_facts: Sequence[str] = ()  # by `add_used_facts`
    changed_since: Sequence[str] = ()  # by `add_changes`
    opens_topic = False  # whether it announces another topic; judged, not stored
    lines: Sequence["Message"] = ()  # what a reply changed, by `with_lines`

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(
                fields=["thread", "seq"], name="conversations_message_seq_unique"
            ),
            models.UniqueConstraint(
                fields=["thread"],
                condition=models.Q(status="streaming"),
                name="conversations_message_one_streaming",
            ),
        ]
        indexes = [
            models.Index(
                fields=["conversation", "seq"], name="conversations_message_order"
            ),
            models.Index(
                fields=["heartbeat_at"],
                condition=models.Q(status="streaming"),
                name="conversations_message_beating",
            ),
            BrinIndex(
                fields=["created_at"],
                autosummarize=True,
                name="conversations_message_when",
            ),
            models.Index(
                fields=["first_version"],
                condition=models.Q(first_version__isnull=False),
                name="conversations_message_versions",
            ),
            models.Index(
                fields=["replies_to"],
                condition=models.Q(replies_to__isnull=False),
                name="conversations_message_replied",
            ),
            models.Index(
                fields=["superseded_with"],
                condition=models.Q(superseded_with__isnull=False),
                name="conversations_message_branch",
            ),
        ]

    def __str__(self) -> str:
        return dated_name(self.get_role_display(), self.created_at)

    @property
    def versions(self) -> Versions | None:
        """None for a message with one version, and without `with_versions`."""
        ids = list(self.version_ids or ())
        if len(ids) < 2 or self.pk not in ids:
            return None
        place = ids.index(self.pk)
        around = [None, *ids, None]
        return Versions(place + 1, len(ids), ids[0], around[place], around[place + 2])

    @property
    def content_to_keep(self) -> str:
        """The content without what it says of an emergency; of a user only own words."""
        spans = self.emergency.get("spans", [])
        if self.role != Message.Role.USER:
            return without_spans(self.content, spans)
        return "" if self.forwarded_from else own_words(self.content, spans)

    @property
    def content_to_find(self) -> str:
        """The content without what it says of an emergency, another's words marked."""
        spans = self.emergency.get("spans", [])
        if self.role != Message.Role.USER:
            return without_spans(self.content, spans)
        return marked_words(self.content, self.forwarded_from, spans)

    @property
    def content_to_tell(self) -> str:
        """The content for a model, another's words marked, after what it replies to."""
        if self.role != Message.Role.USER:
            return self.content
        told = marked_words(self.content, self.forwarded_from)
        return after_quote(told, self.quote, self.quoted_from)

    def has_later_user_message(self) -> bool:
        own = Message.objects.current().filter(conversation=self.conversation_id)
        return own.filter(role=Message.Role.USER, seq__gt=self.seq).exists()


class MemoryReference(models.Model):
    """A memory or profile fact that a line names, as the line itself has no text of it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, models.CASCADE, related_name="references")
    memory = models.ForeignKey(Memory, models.SET_NULL, null=True, related_name="+")
    profile_fact = models.ForeignKey(
        ProfileFact, models.SET_NULL, null=True, related_name="+"
    )
    position = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("memory reference")
        verbose_name_plural = _("memory references")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "position"],
                name="conversations_memoryreference_position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position} {self.memory_id}"
