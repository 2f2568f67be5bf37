"""A conversation in the user's list, private even in a shared space."""

import uuid
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Now
from django.utils.translation import gettext_lazy as _

from conversations.models.thread import Thread
from meddie.row_names import dated_name
from people.models import Person, Space


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
