"""The thread of a turn: locked, and idle, as one reply is written at a time."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, Exists, OuterRef, Q, When
from django.utils import timezone

from conversations.channels import channel_of
from conversations.models import Conversation, Message, Thread
from conversations.models.conversation import is_unused
from conversations.new_conversation import NotFound
from conversations.refusals import Busy, NotHere
from people.models import User

STALE_AFTER = timedelta(seconds=20)  # without a heartbeat


def idle_conversation(
    user: User | None, space_id: UUID | None, conversation_id: UUID, lease: UUID
) -> Conversation:
    """With its idle thread, and with all that a turn reads of it."""
    every = Conversation.objects.all()
    own = every.reachable_by(user.pk) if user else every.filter(user=None)
    if space_id is not None:
        own = own.filter(space_id=space_id)
    own = own.select_related("thread", "person", "space__memory_policy")
    own = own.select_for_update(of=("thread",)).annotate(**_use_of("thread__"))
    conversation = own.filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound
    _check_idle(conversation.thread, lease, use=conversation)
    conversation.user = user
    return conversation


def idle_thread(conversation: Conversation, lease: UUID) -> Thread:
    """Lock the thread, which `append_messages` leases. Raises Busy while a reply is active."""
    thread = Thread.objects.annotate(**_use_of()).lock_for(conversation.pk)
    if thread is None:
        raise NotFound
    _check_idle(thread, lease, use=thread)
    return thread


def _use_of(thread: str = "") -> dict[str, Any]:
    """The annotations of a thread that `_check_idle` needs."""
    replies = Message.objects.filter(status=Message.Status.STREAMING)
    return {
        "is_leased": Case(When(is_unused(thread), then=False), default=True),
        "is_answering": Exists(replies.filter(thread=OuterRef(f"{thread}pk"))),
    }


def _check_idle(thread: Thread, lease: UUID, *, use: Any) -> None:
    if not channel_of(thread).writable:
        raise NotHere
    if use.is_answering and not interrupt_stale(thread=thread):
        raise Busy
    leased = use.is_leased and thread.lease_holder != lease
    if leased and not Thread.objects.filter(pk=thread.pk).lease_to(lease):
        raise Busy


def interrupt_stale(*, thread: Thread | None = None) -> list[Message]:
    """Mark replies whose process died as interrupted and release their leases."""
    now = timezone.now()
    # A heartbeat in the future is of a clock that was put back.
    silent = Q(heartbeat_at__lt=now - STALE_AFTER)
    stale = Message.objects.filter(
        silent | Q(heartbeat_at__gt=now + STALE_AFTER), status=Message.Status.STREAMING
    )
    if thread is not None:
        stale = stale.filter(thread=thread)
    found = list(stale.values_list("pk", flat=True))
    stale.filter(pk__in=found).update(
        status=Message.Status.INTERRUPTED, error="interrupted"
    )
    # Without those that had a heartbeat in between.
    interrupted = Message.objects.filter(
        pk__in=found, status=Message.Status.INTERRUPTED
    )
    # An inbox holds a thread for longer than one reply and keeps its lease.
    Thread.objects.filter(lease_holder__in=interrupted.values("pk")).give_back()
    return list(interrupted)
