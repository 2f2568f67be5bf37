"""Ask the model for a reply; no database connection is held while it answers."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from conversations.reply.active_replies import Draft
from meddie.ai.errors import UNFINISHED_REASONS, Refused
from meddie.ai.events import ChatMessage, ChatRequest, Delta, Usage, text_of
from meddie.ai.provider import current_provider
from meddie.text import storable


async def generate(draft: Draft) -> AsyncGenerator[str]:
    """Yield the visible text that answers the draft's prompt, and fill it. Raises AIError.

    Asks without the pictures if the model refuses them.
    """
    messages = draft.prompted.messages
    plain: list[ChatMessage] = [
        {"role": message["role"], "content": text_of(message)} for message in messages
    ]
    try:
        async with aclosing(_generate(messages, draft)) as texts:
            async for text in texts:
                yield text
    except Refused:
        if draft.text or plain == messages:
            raise
        async with aclosing(_generate(plain, draft)) as texts:
            async for text in texts:
                yield text


async def _generate(messages: list[ChatMessage], draft: Draft) -> AsyncGenerator[str]:
    asked = draft.prompted
    tool = asked.lookup.tool if asked.lookup else None
    request = ChatRequest(messages, asked.model, tool=tool, basis=asked.basis)
    async with aclosing(current_provider().stream(request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Usage):
                draft.usage = piece
            elif isinstance(piece, Delta) and (
                visible := draft.reader.feed(storable(piece.text))
            ):
                draft.text += visible
                yield visible
    if draft.usage and (cut := UNFINISHED_REASONS.get(draft.usage.finish_reason)):
        raise cut
    if visible := draft.reader.close():
        draft.text += visible
        yield visible
