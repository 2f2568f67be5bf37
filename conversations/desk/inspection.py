"""What a reply to a message would get from memory. Nothing is written."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction

from conversations.api.openai.memories import read_known_facts
from conversations.channels import CHANNELS
from conversations.desk.verdicts import WeighedShelf, weighed_shelves
from conversations.models import Conversation, Episode, Thread
from conversations.reply.generation import history_of, last_reply_of, read_known
from conversations.reply.known_facts import KnownFacts, with_facts
from conversations.reply.prompt import context
from conversations.reply.turn import Turn, empty_reply, scope_of, user_message
from memory import service
from memory.context import is_bare
from memory.models import MemoryPolicy
from memory.recall.query import Query
from memory.recall.shelves import Shelf
from people.models import Space, User


@dataclass(frozen=True, slots=True)
class Setting:
    """Who writes a message, and where. Without a conversation it begins one."""

    user: User
    space: Space
    channel: str
    conversation: Conversation | None = None


@dataclass(frozen=True, slots=True)
class InspectedPrompt:
    """`part` is what the prompt has of memory, byte for byte."""

    ranking: str
    part: str
    known: KnownFacts
    shelves: Sequence[WeighedShelf]


def inspect_prompts(
    setting: Setting, text: str, rankings: Sequence[str]
) -> list[InspectedPrompt]:
    """Search once with each ranking. Raises NotFound if the user left the space."""
    with _rolled_back():
        turn = _unsaved_turn(setting, text)
        bare = is_bare(text)
        last = last_reply_of(history_of(turn)) if bare else None
    query = service.prepare_query(text, last.content if last else "")
    found = []
    for ranking in rankings:
        with _rolled_back():
            found.append(_inspect(setting, turn, query, ranking))
    return found


@contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def _unsaved_turn(setting: Setting, text: str) -> Turn:
    conversation = setting.conversation
    if conversation is None:
        user, space = setting.user, setting.space
        thread = Thread(user=user, space=space, channel=setting.channel)
        conversation = Conversation(user=user, space=space, thread=thread)
    thread = conversation.thread
    message = user_message(text)
    message.episode = Episode(thread=thread, conversation=conversation)
    reply = empty_reply(message, uuid4(), setting.user)
    for seq, one in enumerate((message, reply), thread.next_seq):
        one.thread, one.conversation, one.seq = thread, conversation, seq
    scope = scope_of(conversation, thread)
    return Turn(reply, reply.pk, scope, MemoryPolicy.objects.of(scope.space_id))


def _inspect(
    setting: Setting, turn: Turn, query: Query, ranking: str
) -> InspectedPrompt:
    known: KnownFacts
    used: Mapping[str, int]
    shelves: Sequence[Shelf] = ()
    if CHANNELS[setting.channel].own_prompt:
        policy = _with(turn.policy, api_ranking=ranking)
        memory = read_known_facts(turn.scope, setting.user, query, policy)
        known, used, part = memory.known, memory.used, memory.text
    else:
        policy = _with(turn.policy, ranking=ranking)
        read = read_known(replace(turn, policy=policy), query)
        brief = with_facts(read.brief, read.known, policy)
        part, used = context.memory_part(brief, settings.PROMPT_TOKENS)
        known, query, shelves = read.known, read.query, read.shelves
    weighed = service.explain(
        turn.scope, query, policy=policy, ranking=ranking, shelves=shelves
    )
    return InspectedPrompt(ranking, part, known, weighed_shelves(weighed, known, used))


def _with(policy: MemoryPolicy, **changes: Any) -> MemoryPolicy:
    """A copy that is not saved."""
    fields = policy._meta.concrete_fields  # noqa: SLF001 -- Django documents it
    values = {field.attname: getattr(policy, field.attname) for field in fields}
    return MemoryPolicy(**values | changes)
