"""Change a turn: regenerate its reply or edit its message."""

from uuid import UUID, uuid4

from django.db import transaction

from conversations.attachments.texts import hide_files, move_files
from conversations.limits import count_message
from conversations.models import Conversation, Message
from conversations.new_conversation import NotFound
from conversations.reply.append_messages import append_messages, leave_to_memory
from conversations.reply.turn import (
    Turn,
    check_length,
    empty_reply,
    idle_thread,
    note_on_refusal,
    scope_of,
    started_turn,
    user_message,
)
from conversations.reply.versions import supersede_version
from conversations.titles import follow_first_message
from memory import service
from people.models import User
from people.scope import retraction_scope


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
    append_messages(thread, conversation, new)
    return started_turn(new, new_id, scope_of(conversation, thread))


@transaction.atomic
def edit(user: User, space_id: UUID, message_id: UUID, text: str) -> Turn:
    """Replace a message and supersede all after it. Raises NotFound, TurnRefused."""
    old = _own_message(user, space_id, message_id, Message.Role.USER)
    new_id = uuid4()
    message = user_message(text)
    with note_on_refusal(message, user):
        check_length(text, has_files=old.attachments.exists())
        thread = idle_thread(old.conversation, new_id)
        count_message(user.pk)
    replaced = supersede_version(old)
    scope = retraction_scope(user.pk, space_id)
    service.withdraw(scope, replaced)
    message.first_version_id = old.first_version_id or old.pk
    reply = empty_reply(message, new_id, user)
    append_messages(thread, old.conversation, message, reply)
    follow_first_message(message)
    move_files(old, message)
    hide_files(replaced)
    turn = started_turn(reply, new_id, scope_of(old.conversation, thread))
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
        .select_related("conversation", "answers")
        .first()
    )
    if message is None:
        raise NotFound
    message.conversation.user = user
    return message
