"""The answer to a call, whole or streamed, in the form of chat completions."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from uuid import uuid4

from conversations.api.openai.blocks import HiddenBlocks
from conversations.api.openai.calls import (
    AdmittedCall,
    AnswerNotStored,
    AnswerSoFar,
    Call,
    begin_call,
)
from conversations.api.openai.failures import api_error
from conversations.api.openai.open_streams import open_stream
from conversations.models import Message
from conversations.reply.finish import Outcome
from meddie.ai.errors import AIError
from meddie.ai.events import MEDDIE, ChatRequest, Json, Passthrough
from meddie.ai.provider import current_provider

logger = logging.getLogger(__name__)

STOPPED = Outcome(Message.Status.STOPPED)


async def stream_answer(admitted: AdmittedCall) -> AsyncGenerator[Json]:
    """The chunks of a stream; an error is the last. Raises AIError, ApiError before.

    A client that leaves closes the generator, which hangs up.
    """
    with open_stream(admitted.payer):
        async with aclosing(_chunks(begin_call(admitted))) as chunks:
            async for chunk in chunks:
                yield chunk


async def _chunks(call: Call) -> AsyncGenerator[Json]:
    answer = _answer_to(call)
    stream_id = f"chatcmpl-{uuid4().hex}"
    ended = spoke = False
    try:
        if call.note:
            spoke = await call.stored(answer)
            yield _note_chunk(call, stream_id)
        async with aclosing(_from_provider(call, answer)) as chunks:
            async for chunk in chunks:
                spoke = True
                if call.note or call.tool:  # chunks of one stream have one id
                    chunk["id"] = stream_id
                stream_id = chunk.get("id", stream_id)
                yield chunk
        await call.stored(answer)
        ended = True
        async for chunk in _last_chunks(call, answer, stream_id):
            yield chunk
    except AIError as error:
        ended = True
        call.end(answer, _failure(error))
        if not spoke:
            raise
        yield api_error(error).json()
    finally:
        if not ended:
            call.end(answer, STOPPED)


async def _last_chunks(
    call: Call, answer: AnswerSoFar, stream_id: str
) -> AsyncGenerator[Json]:
    """Once the answer is stored."""
    try:
        await call.finish(answer)
    except AnswerNotStored as error:
        yield error.json()
        return
    if call.asked.include_memories:
        yield _chunk(call, stream_id, [], **call.memory.told())


async def whole_answer(admitted: AdmittedCall) -> Json:
    """The answer as one object. Raises ApiError."""
    call = begin_call(admitted)
    answer = _answer_to(call)
    try:
        async with aclosing(_from_provider(call, answer)) as chunks:
            (whole,) = [chunk async for chunk in chunks]
    except AIError as error:
        call.end(answer, _failure(error))
        refusal = api_error(error)
        note = call.note.replace("**", "")
        refusal.message = f"{note} {refusal.message}".strip()
        raise refusal from error
    except asyncio.CancelledError:
        call.end(answer, STOPPED)
        raise
    await call.finish(answer)
    for choice in whole["choices"] if call.note else []:
        message = choice["message"]
        said = message.get("content") or ""
        message["content"] = f"{call.note}\n\n{said}".strip()
    return whole | call.memory.told()


def _answer_to(call: Call) -> AnswerSoFar:
    return AnswerSoFar(call.body["messages"], hides_blocks=call.asked.is_prose)


async def _from_provider(call: Call, answer: AnswerSoFar) -> AsyncGenerator[Json]:
    """What the provider sends; its words are added to `answer`."""
    basis = replace(call.memory.basis, emergency=bool(call.note))
    request = ChatRequest.relaying(call.body, call.tool, basis)
    hidden = HiddenBlocks() if answer.hides_blocks else None
    async with aclosing(current_provider().stream(request)) as events:
        async for event in events:
            answer.take(event)
            if isinstance(event, Passthrough):
                await call.stored(answer)
                yield hidden.taken_from(event.chunk) if hidden else event.chunk


def _failure(error: AIError) -> Outcome:
    logger.warning("A call of the API failed: %s", error.code)
    return Outcome(Message.Status.FAILED, error.code)


def _note_chunk(call: Call, stream_id: str) -> Json:
    """The note in each choice. The model's words bring the role: clients join both."""
    delta = {"content": f"{call.note}\n\n"}
    return _chunk(
        call,
        stream_id,
        [
            {"index": index, "delta": delta, "finish_reason": None}
            for index in range(call.asked.choices)
        ],
    )


def _chunk(call: Call, stream_id: str, choices: list[Json], **more: object) -> Json:
    return {
        "id": stream_id,
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": str(call.body.get("model") or MEDDIE),
        "choices": choices,
        **more,
    }
