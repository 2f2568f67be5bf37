"""Rows of conversations that a user may reach. Other users' rows are 404."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404

from conversations.models import (
    Attachment,
    Conversation,
    Feedback,
    Message,
    SheetLink,
)
from people.models import Space, User


def own_conversation(user: User, pk: UUID | str) -> Conversation:
    """The user's own conversation, in any space of which they are a member."""
    own = Conversation.objects.reachable_by(user.pk)
    return get_object_or_404(own.select_related("person", "space", "thread"), pk=pk)


def own_attachment(user: User, pk: UUID) -> Attachment:
    """A file of a current message in the user's own conversations, or not yet sent."""
    messages = Message.objects.current().filter(
        conversation__in=Conversation.objects.reachable_by(user.pk)
    )
    found = Attachment.objects.filter(Q(message__in=messages) | own_and_unsent(user))
    return get_object_or_404(found, pk=pk)


def own_unsent(user: User, pk: UUID) -> Attachment:
    return get_object_or_404(Attachment.objects.filter(own_and_unsent(user)), pk=pk)


def unsent_files(user: User, keys: Collection[UUID]) -> QuerySet[Attachment]:
    return Attachment.objects.filter(own_and_unsent(user), pk__in=keys)


def own_and_unsent(user: User) -> Q:
    spaces = Space.objects.filter(memberships__user=user)
    return Q(message=None, user=user, space__in=spaces)


def own_message(user: User, pk: UUID, *related: str, **conditions: str) -> Message:
    """A current message in the user's own conversations, with `related` rows."""
    own = Message.objects.current().filter(
        conversation__in=Conversation.objects.reachable_by(user.pk)
    )
    found = own.select_related(*related) if related else own
    return get_object_or_404(found, pk=pk, **conditions)


def own_version(user: User, pk: UUID) -> Message:
    """A message or a reply in the user's own conversations, superseded or current."""
    own = Message.objects.exclude(role=Message.Role.SYSTEM).filter(
        conversation__in=Conversation.objects.reachable_by(user.pk)
    )
    return get_object_or_404(own.select_related("conversation"), pk=pk)


def own_reply(user: User, pk: UUID, session_key: str = "") -> Any:
    """With its conversation, space and versions, by one statement.

    `has_lines`, `has_feedback` and `is_signed_in`, of the session, save others.
    """
    lines = Message.objects.filter(
        role=Message.Role.SYSTEM, answers=OuterRef("answers")
    )
    own = (
        Message.objects.current()
        .filter(
            conversation__in=Conversation.objects.reachable_by(user.pk),
            role=Message.Role.ASSISTANT,
        )
        .select_related("conversation__space")
        .with_versions()
        .annotate(
            has_lines=Exists(lines),
            has_feedback=Exists(Feedback.objects.filter(message=OuterRef("pk"))),
            is_signed_in=Exists(Session.objects.filter(session_key=session_key)),
        )
    )
    return get_object_or_404(own, pk=pk)


def own_line(user: User, pk: UUID) -> Message:
    """A line under a reply in the user's own conversations, with its changes."""
    own = Message.objects.current().filter(
        conversation__in=Conversation.objects.reachable_by(user.pk),
        role=Message.Role.SYSTEM,
    )
    found = own.select_related("conversation", "thread").with_changes()
    return get_object_or_404(found, pk=pk)


def own_sheet_link(user: User, pk: UUID) -> SheetLink:
    return get_object_or_404(SheetLink.objects.filter(user=user), pk=pk)
