"""The endpoint of OpenAI's chat protocol. Keys are the only way in."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from uuid import uuid4

from django.http import (
    HttpRequest,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)

from conversations.api.openai.calls import (
    AnswerSoFar,
    Call,
    admit,
    begin_call,
    identify,
)
from conversations.api.openai.errors import api_error, as_api_errors
from conversations.models import Message
from conversations.reply.finish import Outcome
from meddie.ai.errors import AIError
from meddie.ai.events import MEDDIE, ChatRequest, Json, Passthrough
from meddie.ai.provider import current_provider
from meddie.http.api import api_view
from meddie.threads import run_work

logger = logging.getLogger(__name__)

DONE = Outcome(Message.Status.DONE)
STOPPED = Outcome(Message.Status.STOPPED)
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@api_view("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    # Not `request.body`, whose limit is smaller than that of all requests.
    raw = request.read()
    with as_api_errors():
        # In one thread: when many stream, each change of threads waits for its turn.
        call = begin_call(await run_work(admit, request.headers, raw))
        if not call.asked.streams:
            return JsonResponse(await whole_answer(call), headers=HEADERS)
        events = stream_answer(call)
        # The provider's refusal has a status of its own until something is sent.
        first = await anext(events)
    return StreamingHttpResponse(
        _from_first(first, events), content_type="text/event-stream", headers=HEADERS
    )


@api_view("GET")
async def models(request: HttpRequest) -> HttpResponseBase:
    await run_work(identify, request.headers)
    own = {"id": MEDDIE, "object": "model", "created": 0, "owned_by": "meddie"}
    listed = [own, *await current_provider().models()]
    return JsonResponse({"object": "list", "data": listed})


async def _from_first(
    first: bytes, others: AsyncGenerator[bytes]
) -> AsyncIterator[bytes]:
    try:
        yield first
        async for event in others:
            yield event
    finally:
        await others.aclose()


async def stream_answer(call: Call) -> AsyncGenerator[bytes]:
    """The events of a stream. Raises AIError before the first one.

    A client that leaves closes the generator, which hangs up.
    """
    answer = AnswerSoFar(call.body["messages"])
    stream_id = f"chatcmpl-{uuid4().hex}"
    ended = spoke = False
    try:
        if call.note:
            spoke = True
            yield _event(_note_chunk(call, stream_id))
        async with aclosing(_chunks(call, answer)) as chunks:
            async for chunk in chunks:
                spoke = True
                if call.note:  # chunks of one stream have one id
                    chunk["id"] = stream_id
                stream_id = chunk.get("id", stream_id)
                yield _event(chunk)
        ended = True
        await call.end(answer, DONE)
        if call.asked.include_memories:
            yield _event(_chunk(call, stream_id, [], memories=call.memory.listed()))
        yield b"data: [DONE]\n\n"
    except AIError as error:
        ended = True
        await call.end(answer, _failure(error))
        if not spoke:
            raise
        yield _event(api_error(error).json())
    finally:
        if not ended:
            call.store(answer, STOPPED)


async def whole_answer(call: Call) -> Json:
    """The answer as one object. Raises ApiError."""
    answer = AnswerSoFar(call.body["messages"])
    try:
        async with aclosing(_chunks(call, answer)) as chunks:
            (whole,) = [chunk async for chunk in chunks]
    except AIError as error:
        await call.end(answer, _failure(error))
        refusal = api_error(error)
        note = call.note.replace("**", "")
        refusal.message = f"{note} {refusal.message}".strip()
        raise refusal from error
    except asyncio.CancelledError:
        call.store(answer, STOPPED)
        raise
    await call.end(answer, DONE)
    for choice in whole["choices"] if call.note else []:
        message = choice["message"]
        said = message.get("content") or ""
        message["content"] = f"{call.note}\n\n{said}".strip()
    return whole | {"memories": call.memory.listed()}


async def _chunks(call: Call, answer: AnswerSoFar) -> AsyncGenerator[Json]:
    """What the provider sends; its words are added to `answer`."""
    request = ChatRequest.relaying(call.body)
    async with aclosing(current_provider().stream(request)) as events:
        async for event in events:
            answer.take(event)
            if isinstance(event, Passthrough):
                yield event.chunk


def _failure(error: AIError) -> Outcome:
    logger.warning("A call of the API failed: %s", error.code)
    return Outcome(Message.Status.FAILED, error.code)


def _event(data: Json) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"data: {text}\n\n".encode(errors="replace")


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
