"""Change a turn: regenerate its reply, edit its message, or go back to a version."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When

from conversations import message_search
from conversations.attachments.texts import hide_files, move_files, show_files
from conversations.forgetting.withheld import withhold_retired
from conversations.limits import count_message
from conversations.models import Conversation, Message
from conversations.new_conversation import NotFound
from conversations.refusals import LimitReached
from conversations.reply.append_messages import append_messages, leave_to_memory
from conversations.reply.finish import Followups, enqueue_followups
from conversations.reply.idle_threads import idle_thread
from conversations.reply.turn import (
    Received,
    Replied,
    Turn,
    check_length,
    count_turn,
    empty_reply,
    note_on_refusal,
    scope_of,
    started_turn,
    user_message,
)
from conversations.titles import follow_first_message
from memory import service
from memory.models import MemoryPolicy
from people.models import User
from people.scope import Scope, retraction_scope

Kind = Message.LineKind
Role = Message.Role
# Lines of what a replaced message does not undo, and of lines that a new reply replaces.
LASTING = (Kind.FORGOTTEN, Kind.ALL_FORGOTTEN, "")
WITHOUT_CHANGE = (
    Kind.NOT_REMEMBERED,
    Kind.NOT_KEPT,
    Kind.FORGET_ALL,
    Kind.NOT_REMOVED,
    Kind.ASKS_FORGET,
    Kind.ASKS_NOTES,
    Kind.ASKS_KEEP,
    Kind.DEFERRED,
)


@transaction.atomic
def regenerate(user: User, space_id: UUID, reply_id: UUID) -> Turn:
    """Supersede the last reply and start a new one. Raises NotFound, TurnRefused."""
    reply = _own_message(user, space_id, reply_id, Message.Role.ASSISTANT)
    conversation = reply.conversation
    new_id = uuid4()
    thread = idle_thread(conversation, new_id)
    last = conversation.messages.current().filter(role=Message.Role.ASSISTANT)
    if reply.answers is None or last.in_order().last() != reply:
        raise NotFound
    count_message(user.pk)
    supersede_version(reply)
    new = empty_reply(reply.answers, new_id, user)
    append_messages(thread, conversation, new, lease=new_id)
    return started_turn(new, new_id, scope_of(conversation, thread))


@transaction.atomic
def edit(user: User, space_id: UUID, message_id: UUID, text: str) -> Turn:
    """Replace a message and supersede all after it. Raises NotFound, TurnRefused."""
    return _replace(_own_message(user, space_id, message_id, Role.USER), text)


@transaction.atomic
def edit_received(old: Message, text: str, received: Received) -> Turn:
    """The same for a chat that keeps what was said since. Raises TurnRefused."""
    return _replace(old, text, received)


def _replace(old: Message, text: str, received: Received | None = None) -> Turn:
    user, new_id = old.conversation.user, uuid4()
    lease = received.lease if received else new_id
    replied = Replied(old.quote, old.quoted_from, old.replies_to)
    message = user_message(text, received, None, old.forwarded_from, replied)
    with note_on_refusal(message, user):
        check_length(text, has_files=old.attachments.exists())
        thread = idle_thread(old.conversation, lease)
        count_turn(user, thread, message)
    replaced = supersede_version(old, alone=received is not None)
    if user is not None:
        scope = retraction_scope(user.pk, old.conversation.space_id)
        service.withdraw(scope, replaced)
    message.first_version_id = old.first_version_id or old.pk
    reply = empty_reply(message, new_id, user)
    append_messages(thread, old.conversation, message, reply, lease=lease)
    follow_first_message(message)
    move_files(old, message)
    hide_files(replaced)
    turn = started_turn(reply, lease, scope_of(old.conversation, thread))
    leave_to_memory(turn.scope, turn.policy, message, user)
    return turn


def _own_message(user: User, space_id: UUID, pk: UUID, role: str) -> Message:
    message = (
        Message.objects.current()
        .filter(
            pk=pk,
            role=role,
            conversation__in=Conversation.objects.of(user.pk, space_id),
        )
        .select_related("conversation__space__memory_policy", "answers")
        .first()
    )
    if message is None:
        raise NotFound
    message.conversation.user = user
    return message


def later_messages(version: Message) -> QuerySet[Message]:
    """The current messages and replies after a version."""
    later = version.conversation.messages.current().filter(seq__gt=version.seq)
    return later.exclude(role=Role.SYSTEM)


def supersede_version(version: Message, *, alone: bool = False) -> list[UUID]:
    """Supersede a version and what follows it, or its turn `alone`; return the keys.

    Lines about lasting changes stay, and those of the turn if only its reply changes.
    """
    rows = version.conversation.messages.current().filter(seq__gte=version.seq)
    if alone:
        rows = rows.filter(Q(pk=version.pk) | Q(answers=version))
    rows = rows.exclude(role=Role.SYSTEM, line_kind__in=LASTING)
    if version.role == Role.ASSISTANT:
        of_turn = Q(answers=version.answers_id, role=Role.SYSTEM)
        rows = rows.exclude(of_turn & ~Q(line_kind__in=WITHOUT_CHANGE))
    ids = list(rows.values_list("pk", flat=True))
    rows.update(
        former_status=F("status"),
        status=Message.Status.SUPERSEDED,
        superseded_with=version,
    )
    message_search.remove(ids)
    return ids


@transaction.atomic
def use_version(user: User, space_id: UUID, version_id: UUID) -> Conversation:
    """Make a version current with what followed it. Raises NotFound, TurnRefused."""
    own = Message.objects.with_versions().filter(
        conversation__in=Conversation.objects.of(user.pk, space_id)
    )
    version = own.select_related("conversation").filter(pk=version_id).first()
    if version is None or version.version_ids is None:
        raise NotFound
    conversation = version.conversation
    conversation.user = user
    thread = idle_thread(conversation, uuid4())
    versions = Message.objects.current().filter(pk__in=version.version_ids)
    current = versions.select_related("conversation").first()
    if current is None:
        raise NotFound
    if current != version:
        _exchange(scope_of(conversation, thread), current, version)
    return conversation


def _exchange(scope: Scope, current: Message, version: Message) -> None:
    gone = supersede_version(current)
    back = _make_current(version)
    retitled = False
    if version.role == Role.USER:
        move_files(current, version)
        retitled = follow_first_message(version)
    hide_files(gone)
    show_files(back)
    user = version.conversation.user
    assert user is not None  # noqa: S101 -- guests have no pages
    retracting = retraction_scope(user.pk, scope.space_id, channel=scope.channel)
    service.withdraw(retracting, gone, back)
    message_search.index_again(retracting, back)
    withhold_retired(retracting)
    counted = _capture_again(scope, user, back)
    if not retitled:
        return
    with suppress(LimitReached):
        if not counted:
            count_message(user.pk)
        followups = Followups(title_for=version.conversation_id)
        transaction.on_commit(partial(enqueue_followups, followups))


def _make_current(version: Message) -> list[UUID]:
    rows = Message.objects.filter(superseded_with=version)
    ids = [version.pk, *rows.exclude(pk=version.pk).values_list("pk", flat=True)]
    failed = When(former_status="", error__gt="", then=Value(Message.Status.FAILED))
    done = When(former_status="", then=Value(Message.Status.DONE))
    Message.objects.filter(pk__in=ids, status=Message.Status.SUPERSEDED).update(
        status=Case(failed, done, default=F("former_status")),
        former_status="",
        superseded_with=None,
    )
    return ids


def _capture_again(scope: Scope, user: User, ids: Sequence[UUID]) -> bool:
    """Leave messages to capture and to the journal, as when they were sent.

    Whether it was counted: what models read again counts as a message. Raises
    LimitReached.
    """
    policy = MemoryPolicy.objects.of(scope.space_id)
    told = Message.objects.filter(pk__in=ids, role=Role.USER, withheld=False)
    told = told.exclude(content="").in_order()
    counted = bool(told) and scope.writes and policy.captures(scope.channel)
    if counted:
        count_message(user.pk)
    for message in told:
        leave_to_memory(scope, policy, message, user)
    return counted
