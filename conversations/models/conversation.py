"""Threads, which order messages and are leased, and the conversations of the user's list."""

import uuid
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Now
from django.utils.translation import gettext_lazy as _

from conversations.channels import channel_of, choices
from meddie.row_names import dated_name
from people.models import Person, Space

THREAD_LEASE = timedelta(seconds=20)  # without renewal


def is_unused(thread: str = "") -> Q:
    """Not leased, or by a clock that was put back; `thread` is a prefix like "thread__"."""
    until = f"{thread}leased_until"
    ended = Q(**{f"{until}__lt": Now()}) | Q(
        **{f"{until}__gt": Now() + 3 * THREAD_LEASE}
    )
    return Q(**{f"{thread}lease_holder": None}) | ended


class ThreadQuerySet(models.QuerySet["Thread"]):
    def lease_to(self, holder: uuid.UUID) -> bool:
        """Take or renew the lease; False while another holder has it (decision 11)."""
        free = is_unused() | Q(lease_holder=holder)
        return bool(
            self.filter(free).update(
                lease_holder=holder, leased_until=Now() + THREAD_LEASE
            )
        )

    def unused(self) -> Self:
        """Those in which no reply is being written."""
        return self.filter(is_unused())

    def leased_to(self, holder: uuid.UUID) -> Self:
        """Includes an expired lease that was not taken over."""
        return self.filter(lease_holder=holder)

    def give_back(self) -> bool:
        """Release the lease; False if there is none."""
        return bool(self.update(lease_holder=None, leased_until=None))

    def lock_for(self, conversation_id: uuid.UUID) -> "Thread | None":
        """Lock the conversation's thread, before any dependent row (decision 10)."""
        return (
            self.select_for_update(of=("self",))
            .filter(conversations=conversation_id)
            .first()
        )


class Thread(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="threads")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="threads",
    )
    channel = models.CharField(max_length=16, choices=choices)
    external_id = models.CharField(max_length=64)
    told_of_edits = models.BooleanField(
        default=False, help_text=_("The chat was told that edits count.")
    )
    next_seq = models.PositiveIntegerField(default=1)
    lease_holder = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = ThreadQuerySet.as_manager()

    class Meta:
        verbose_name = _("thread")
        verbose_name_plural = _("threads")
        constraints = [
            models.UniqueConstraint(
                fields=["space", "channel", "external_id"],
                name="conversations_thread_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.external_id}"

    @property
    def badge(self) -> str:
        """The channel, where lists name it."""
        channel = channel_of(self)
        return str(channel.label) if channel.named else ""


def mark_person_removed(
    collector: Any, field: Any, conversations: Any, using: str
) -> None:
    """An `on_delete`: keep and mark conversations whose person is deleted."""
    fields = conversations.model._meta  # noqa: SLF001 -- Django documents it
    collector.add_field_update(
        field=fields.get_field("person_removed"), value=True, objs=conversations
    )
    models.SET_NULL(collector, field, conversations, using)


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def reachable_by(self, user_id: uuid.UUID) -> Self:
        """The active user's own, in all spaces of which they are a member."""
        return self.filter(user_id=user_id).reachable()

    def reachable(self) -> Self:
        """Those that their own user can reach."""
        alive = self.filter(user__is_active=True)
        return alive.filter(space__memberships__user_id=F("user_id"))

    def of(self, user_id: uuid.UUID, space_id: uuid.UUID) -> Self:
        """The user's own in one space, while a member of it."""
        return self.reachable_by(user_id).filter(space_id=space_id)

    def newest(self) -> Self:
        """Newest message first."""
        return self.order_by("-last_message_at", "-pk")

    def pinned_first(self) -> Self:
        return self.order_by("-pinned", "-last_message_at", "-pk")

    def archived(self) -> Self:
        """A message after the archiving brings a conversation back."""
        return self.filter(archived_at__gte=F("last_message_at"))

    def unarchived(self) -> Self:
        return self.filter(
            Q(archived_at=None) | Q(archived_at__lt=F("last_message_at"))
        )

    def pin(self) -> int:
        return self.update(pinned=True, archived_at=None)

    def unpin(self) -> int:
        return self.update(pinned=False)

    def archive(self) -> int:
        # The clocks of the database and of this process may differ.
        at = Greatest(Now(), F("last_message_at"))
        return self.update(archived_at=at)

    def unarchive(self) -> int:
        return self.update(archived_at=None)


class Conversation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="conversations")
    space = models.ForeignKey(Space, models.CASCADE, related_name="conversations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="conversations",
    )
    person = models.ForeignKey(
        Person,
        mark_person_removed,
        null=True,
        blank=True,
        related_name="conversations",
    )
    person_removed = models.BooleanField(
        default=False, help_text=_("The person it was about has been deleted.")
    )
    chat_model = models.CharField(
        _("model"),
        max_length=128,
        blank=True,
        help_text=_("One of CHAT_MODELS; empty for CHAT_MODEL."),
    )
    removed_person = models.ForeignKey(
        Person,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="former_conversations",
        help_text=_("The deleted person, while they can be restored."),
    )
    title = models.CharField(_("title"), max_length=255, blank=True)
    renamed = models.BooleanField(
        _("renamed"), default=False, help_text=_("The user chose the title.")
    )
    remember = models.BooleanField(_("remember"), default=True)
    pinned = models.BooleanField(_("pinned"), default=False)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    carries = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Earlier conversation whose last messages are in the prompt."),
    )
    closed_at = models.DateTimeField(
        _("closed"),
        null=True,
        blank=True,
        help_text=_("When the user asked for a new one where there is no list."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_message_at = models.DateTimeField(_("last message"))

    objects = ConversationQuerySet.as_manager()

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [
            models.Index(
                fields=["user", "space", "-last_message_at"],
                name="conversations_newest",
            ),
        ]

    def __str__(self) -> str:
        return dated_name(_("conversation"), self.created_at)

    @property
    def is_pinned(self) -> bool:
        return self.pinned and not self.is_archived

    @property
    def is_archived(self) -> bool:
        """Like `archived`."""
        archived_at = self.archived_at
        return archived_at is not None and archived_at >= self.last_message_at
