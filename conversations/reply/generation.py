"""Prepare and generate a reply: recall, prompt, model, block.

Holds no database connection while it waits for the model.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from conversations.emergencies.detect import find_emergency
from conversations.models import Conversation, Message, Receipt
from conversations.new_conversation import NotFound
from conversations.reply.draft import Draft
from conversations.reply.known_facts import newest_facts, recall_facts, with_facts
from conversations.reply.prompt import context
from conversations.reply.turn import Turn
from conversations.shelves import message_shelf
from meddie.ai import chat
from meddie.ai.chat import ChatMessage, ChatRequest, Usage
from meddie.ai.errors import UNFINISHED
from meddie.text import storable
from meddie.threads import run_repeatable, run_work
from memory import service
from memory.models import MemoryPolicy
from memory.values import ProfileLine, Recalled
from people import person_text
from people.scope import Scope, scope_for


@dataclass(frozen=True, slots=True)
class Before:
    """What is read before the message is searched."""

    scope: Scope
    policy: MemoryPolicy
    brief: context.Brief
    newest: Sequence[Recalled]
    profile: Sequence[ProfileLine]
    last_reply: Message | None
    window: Sequence[Message]
    carried: frozenset[UUID]


async def prepare_prompt(turn: Turn, draft: Draft) -> list[ChatMessage]:
    """Read, search and build what the model is asked. Raises NotFound, NotAMember."""
    before, query = await _prepare(turn)
    draft.scope, draft.last_reply = before.scope, before.last_reply
    if before.scope.reads:
        draft.known = await run_repeatable(
            recall_facts,
            before.scope,
            before.policy,
            query,
            before.newest,
            before.profile,
            shelves=_shelves(before),
        )
    brief = with_facts(before.brief, draft.known, before.policy)
    prompt = context.build(brief, settings.PROMPT_TOKENS)
    draft.used = prompt.used
    return prompt.messages


async def generate(messages: list[ChatMessage], draft: Draft) -> AsyncGenerator[str]:
    """Yield visible text and fill the draft. Raises AIError."""
    async with aclosing(chat.stream(ChatRequest(messages))) as pieces:
        async for piece in pieces:
            if isinstance(piece, Usage):
                draft.usage = piece
                continue
            if visible := draft.reader.feed(storable(piece.text)):
                draft.text += visible
                yield visible
    if draft.usage and (cut := UNFINISHED.get(draft.usage.finish_reason)):
        raise cut
    if visible := draft.reader.close():
        draft.text += visible
        yield visible


async def _prepare(turn: Turn) -> tuple[Before, service.Query]:
    """Embed the message while the rest is read; a bare one after the last reply."""
    text, user = turn.message.content, turn.reply.conversation.user
    if user is None or not user.memory_on:
        return await run_repeatable(_read, turn), service.Query()
    if service.is_bare(text):
        before = await run_repeatable(_read, turn)
        last = before.last_reply.content if before.last_reply else ""
        query = await run_work(service.prepare_query, text, last)
    else:
        before, query = await asyncio.gather(
            run_repeatable(_read, turn), run_work(service.prepare_query, text)
        )
    return before, replace(query, carried=before.carried)


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
    policy = service.policy_of(scope)
    return Before(
        scope,
        policy,
        brief,
        newest=newest_facts(scope, policy) if scope.reads else [],
        profile=service.profile(scope) if scope.reads else [],
        last_reply=last,
        window=history,
        carried=frozenset(Receipt.objects.found_for(last) if last else ()),
    )


def _shelves(before: Before) -> list[service.Shelf]:
    """What is searched beside the facts, unless the conversation is not remembered."""
    if not before.scope.writes:
        return []
    return [message_shelf([message.pk for message in before.window])]


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
