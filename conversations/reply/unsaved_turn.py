"""A turn that is not stored, to look at the prompt that a message would have."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from conversations.models import Conversation, Episode, Thread
from conversations.reply.generation import read_known
from conversations.reply.known_facts import with_facts
from conversations.reply.prompt import context
from conversations.reply.turn import Turn, empty_reply, scope_of, user_message
from meddie.ai.events import ChatMessage
from memory import service
from memory.models import MemoryPolicy
from people.models import Person, Space, User


@dataclass(frozen=True, slots=True)
class Setting:
    """Who writes a message, and where. Without a conversation it begins one."""

    user: User
    space: Space
    channel: str
    conversation: Conversation | None = None
    person: Person | None = None  # of a conversation that begins


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def unsaved_turn(setting: Setting, text: str) -> Turn:
    conversation = setting.conversation
    if conversation is None:
        user, space = setting.user, setting.space
        thread = Thread(user=user, space=space, channel=setting.channel)
        conversation = Conversation(
            user=user, space=space, thread=thread, person=setting.person
        )
    thread = conversation.thread
    message = user_message(text)
    message.episode = Episode(thread=thread, conversation=conversation)
    reply = empty_reply(message, uuid4(), setting.user)
    for seq, unsaved in enumerate((message, reply), thread.next_seq):
        unsaved.thread, unsaved.conversation, unsaved.seq = thread, conversation, seq
    scope = scope_of(conversation, thread)
    return Turn(reply, reply.pk, scope, MemoryPolicy.objects.of(scope.space_id))


def prompt_for(setting: Setting, text: str) -> list[ChatMessage]:
    """The prompt of a message that begins a conversation. Network and database.

    Raises NotFound if the user left the space.
    """
    with rolled_back():
        turn = unsaved_turn(setting, text)
    now = timezone.localtime(timezone.now(), turn.zone)
    query = service.prepare_query(text, now=now)
    with rolled_back():
        read = read_known(turn, query, [])
        brief = with_facts(read.brief, read.known, turn.policy)
        return context.build(brief, settings.PROMPT_TOKENS).messages
