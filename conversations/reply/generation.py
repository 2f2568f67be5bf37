"""Generate a reply: recall, prompt, model, block.

Holds no database connection while it waits for the model.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from conversations.emergencies.detect import find_emergency
from conversations.models import Conversation, Message
from conversations.new_conversation import NotFound
from conversations.reply.draft import Draft
from conversations.reply.prompt import context
from conversations.reply.turn import Turn
from meddie.ai import chat
from meddie.ai.chat import ChatRequest, Usage
from meddie.text import storable
from meddie.threads import run_db, run_work
from memory import service
from people import person_text
from people.scope import Scope, scope_for


async def generate(turn: Turn, draft: Draft) -> AsyncGenerator[str]:
    """Yield visible text and fill the draft. Raises AIError."""
    scope, ranking, brief = await run_db(_read, turn)
    draft.scope = scope
    draft.last_reply = _last_reply(brief.history)
    if scope.reads:
        query = await run_work(
            service.prepare_query, turn.message.content, draft.last_reply
        )
        draft.recall = await run_db(service.recall, scope, query, ranking=ranking)
    brief = replace(brief, facts=[item.text for item in draft.recall.items])
    prompt = context.build(brief, settings.PROMPT_TOKENS)
    draft.facts_used = prompt.used.get("facts", 0)
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


def _read(turn: Turn) -> tuple[Scope, str, context.Brief]:
    """Read the conversation and what the prompt says of it. Raises NotFound."""
    conversation = turn.reply.conversation
    scope = scope_for(
        conversation.user,
        conversation.space_id,
        channel=turn.reply.thread.channel,
        remember=conversation.remember,
    )
    history = _history(conversation, turn.message.seq)
    user, person = conversation.user, conversation.person
    now = timezone.localtime(timezone.now(), user.zone if user else None)
    return (
        scope,
        service.ranking_of(scope) if scope.reads else "",
        context.Brief(
            history=history,
            now=now,
            remember=scope.writes,
            emergency=_emergency_sentences(turn),
            person=person_text.context(
                person.details(now.date()),
                is_user=user is not None and person.user_id == user.pk,
            )
            if person
            else "",
        ),
    )


def _emergency_sentences(turn: Turn) -> tuple[str, ...]:
    if not turn.reply.emergency_note:
        return ()
    emergency = find_emergency(turn.message.content)
    return emergency.sentences if emergency else ()


def _history(conversation: Conversation, until: int) -> list[context.HistoryLine]:
    """The last messages, after the carried conversation's (S0-51). Raises NotFound."""
    lines = _last(conversation.pk, until, context.RECENT_MESSAGES)
    if not lines:
        raise NotFound
    room = context.CARRIED_MESSAGES - (len(lines) - 1)
    if conversation.carries_id and room > 0:
        lines = _last(conversation.carries_id, until, room) + lines
    return lines


def _last_reply(history: Sequence[context.HistoryLine]) -> str:
    replies = (line.text for line in reversed(history) if line.role == "assistant")
    return next(replies, "")


def _last(conversation_id: UUID, until: int, limit: int) -> list[context.HistoryLine]:
    recent = (
        Message.objects.current()
        .filter(
            conversation_id=conversation_id,
            role__in=[Message.Role.USER, Message.Role.ASSISTANT],
            seq__lte=until,
        )
        .exclude(content="")
        .order_by("-seq")
        .values_list("role", "content")[:limit]
    )
    return [
        context.HistoryLine(
            "user" if role == Message.Role.USER else "assistant", content
        )
        for role, content in reversed(recent)
    ]
