"""Generate a reply: recall, prompt, model, block.

Holds no database connection while it waits for the model.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from conversations.emergencies.detect import find_emergency
from conversations.emergencies.withhold import without_emergencies
from conversations.models import Conversation, Message, Receipt
from conversations.new_conversation import NotFound
from conversations.reply.draft import Draft
from conversations.reply.known_facts import (
    KnownFacts,
    newest_facts,
    recall_facts,
    with_facts,
)
from conversations.reply.prompt import context
from conversations.reply.turn import Turn
from meddie.ai import chat
from meddie.ai.chat import ChatRequest, Usage
from meddie.text import storable
from meddie.threads import run_db, run_work
from memory import service
from memory.models import MemoryPolicy
from people import person_text
from people.scope import Scope, scope_for


@dataclass(frozen=True, slots=True)
class Before:
    """What is read before the message is searched."""

    scope: Scope
    policy: MemoryPolicy
    brief: context.Brief
    last_reply: str
    confirmable: str
    carried: Sequence[UUID]


async def generate(turn: Turn, draft: Draft) -> AsyncGenerator[str]:
    """Yield visible text and fill the draft. Raises AIError."""
    before = await run_db(_read, turn)
    draft.scope, draft.confirmable = before.scope, before.confirmable
    if before.scope.reads:
        draft.known = await _known_facts(turn, before)
    brief = with_facts(before.brief, draft.known, before.policy)
    prompt = context.build(brief, settings.PROMPT_TOKENS)
    draft.used = prompt.used
    async with aclosing(chat.stream(ChatRequest(prompt.messages))) as pieces:
        async for piece in pieces:
            if isinstance(piece, Usage):
                draft.usage = piece
                continue
            if visible := draft.reader.feed(storable(piece.text)):
                draft.text += visible
                yield visible
    if visible := draft.reader.close():
        draft.text += visible
        yield visible


async def _known_facts(turn: Turn, before: Before) -> KnownFacts:
    scope, policy = before.scope, before.policy
    query, newest = await asyncio.gather(
        run_work(
            service.prepare_query,
            turn.message.content,
            before.last_reply,
            before.carried,
        ),
        run_db(newest_facts, scope, policy),
    )
    return await run_db(recall_facts, scope, policy, query, newest)


def _read(turn: Turn) -> Before:
    """Read the conversation and what the prompt says of it. Raises NotFound."""
    conversation = turn.reply.conversation
    scope = scope_for(
        conversation.user,
        conversation.space_id,
        channel=turn.reply.thread.channel,
        remember=conversation.remember,
    )
    history = _history(conversation, turn.message.seq)
    last = next(
        (m for m in reversed(history) if m.role == Message.Role.ASSISTANT), None
    )
    user, person = conversation.user, conversation.person
    now = timezone.localtime(timezone.now(), user.zone if user else None)
    brief = context.Brief(
        history=list(map(_line, history)),
        now=now,
        remember=scope.writes,
        emergency=_emergency_sentences(turn),
        person=person_text.context(
            person.details(now.date()),
            is_user=user is not None and person.user_id == user.pk,
        )
        if person
        else "",
    )
    return Before(
        scope,
        service.policy_of(scope),
        brief,
        last_reply=last.content if last else "",
        confirmable=_confirmable(last) if last else "",
        carried=list(Receipt.objects.found_for(last)) if last else [],
    )


def _confirmable(reply: Message) -> str:
    """What a yes can confirm: no emergency, and nothing under a note about one."""
    return "" if reply.emergency_note else without_emergencies(reply.content)


def _line(message: Message) -> context.HistoryLine:
    user = message.role == Message.Role.USER
    return context.HistoryLine("user" if user else "assistant", message.content)


def _emergency_sentences(turn: Turn) -> tuple[str, ...]:
    if not turn.reply.emergency_note:
        return ()
    emergency = find_emergency(turn.message.content)
    return emergency.sentences if emergency else ()


def _history(conversation: Conversation, until: int) -> list[Message]:
    """The last messages, after the carried conversation's (S0-51). Raises NotFound."""
    messages = _last(conversation.pk, until, context.RECENT_MESSAGES)
    if not messages:
        raise NotFound
    room = context.CARRIED_MESSAGES - (len(messages) - 1)
    if conversation.carries_id and room > 0:
        messages = _last(conversation.carries_id, until, room) + messages
    return messages


def _last(conversation_id: UUID, until: int, limit: int) -> list[Message]:
    recent = (
        Message.objects.current()
        .filter(
            # The model has to know what a "yes" confirms.
            Q(role__in=[Message.Role.USER, Message.Role.ASSISTANT])
            | Q(line_kind=Message.LineKind.FORGET_ALL),
            conversation_id=conversation_id,
            seq__lte=until,
        )
        .exclude(content="")
        .order_by("-seq")
        .only("role", "content", "emergency_note")[:limit]
    )
    return list(reversed(recent))
