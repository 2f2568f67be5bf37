"""The endpoint of OpenAI's chat protocol. Keys are the only way in."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from uuid import uuid4

from django.http import (
    HttpRequest,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import user_texts
from conversations.api.openai.calls import (
    AdmittedCall,
    AnswerNotStored,
    AnswerSoFar,
    Call,
    admit,
    begin_call,
    identify,
)
from conversations.api.openai.open_streams import open_stream
from conversations.models import Message
from conversations.refusals import LimitReached, NoRoomForText
from conversations.reply.finish import Outcome
from meddie.ai.errors import (
    AIError,
    NoQuota,
    ProviderDown,
    RateLimited,
    Refused,
    TimedOut,
)
from meddie.ai.events import MEDDIE, ChatRequest, Json, Passthrough
from meddie.ai.provider import current_provider
from meddie.http.api_edge import ApiError, api_view
from meddie.http.error_views import api_error_of
from meddie.http.overload import leave_queue
from meddie.outages import refers_to_deleted
from meddie.threads import run_work

RETRY_LATER = "5"  # seconds

logger = logging.getLogger(__name__)

STOPPED = Outcome(Message.Status.STOPPED)
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@api_view("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    with as_api_errors():
        # In one thread: when many stream, each change of threads waits for its turn.
        # Not `request.body`, whose limit is smaller, and which would be kept.
        admitted = await run_work(admit, request.headers, request.read())
        leave_queue(request)
        if not admitted.asked.streams:
            call = begin_call(admitted)
            return JsonResponse(await whole_answer(call), headers=HEADERS)
        events = stream_answer(admitted)
        # The provider's refusal has a status of its own until something is sent.
        first = await anext(events)
    return StreamingHttpResponse(
        _from_first(first, events), content_type="text/event-stream", headers=HEADERS
    )


@api_view("GET")
async def models(request: HttpRequest) -> HttpResponseBase:
    return JsonResponse({"object": "list", "data": await _models(request)})


@api_view("GET")
async def model(request: HttpRequest, name: str) -> HttpResponseBase:
    for listed in await _models(request):
        if listed["id"] == name:
            return JsonResponse(listed)
    raise ApiError(404, _("There is no such model."), code="model_not_found")


async def _models(request: HttpRequest) -> list[Json]:
    await run_work(identify, request.headers)
    own = {"id": MEDDIE, "object": "model", "created": 0, "owned_by": "meddie"}
    return [own, *await current_provider().models()]


async def _from_first(
    first: bytes, others: AsyncGenerator[bytes]
) -> AsyncIterator[bytes]:
    try:
        yield first
        async for event in others:
            yield event
    finally:
        await others.aclose()


async def stream_answer(admitted: AdmittedCall) -> AsyncGenerator[bytes]:
    """The events of a stream. Raises AIError, ApiError before the first one.

    A client that leaves closes the generator, which hangs up.
    """
    with open_stream(admitted.payer):
        async with aclosing(_events(begin_call(admitted))) as events:
            async for event in events:
                yield event


async def _events(call: Call) -> AsyncGenerator[bytes]:
    answer = AnswerSoFar(call.body["messages"])
    stream_id = f"chatcmpl-{uuid4().hex}"
    ended = spoke = False
    try:
        if call.note:
            spoke = await call.stored(answer)
            yield _event(_note_chunk(call, stream_id))
        async with aclosing(_chunks(call, answer)) as chunks:
            async for chunk in chunks:
                spoke = True
                if call.note or call.tool:  # chunks of one stream have one id
                    chunk["id"] = stream_id
                stream_id = chunk.get("id", stream_id)
                yield _event(chunk)
        await call.stored(answer)
        ended = True
        async for event in _last_events(call, answer, stream_id):
            yield event
    except AIError as error:
        ended = True
        call.end(answer, _failure(error))
        if not spoke:
            raise
        yield _event(api_error(error).json())
    finally:
        if not ended:
            call.end(answer, STOPPED)


async def _last_events(
    call: Call, answer: AnswerSoFar, stream_id: str
) -> AsyncGenerator[bytes]:
    """Once the answer is stored."""
    try:
        await call.finish(answer)
    except AnswerNotStored as error:
        yield _event(error.json())
        return
    if call.asked.include_memories:
        yield _event(_chunk(call, stream_id, [], memories=call.memory.listed()))
    yield b"data: [DONE]\n\n"


async def whole_answer(call: Call) -> Json:
    """The answer as one object. Raises ApiError."""
    answer = AnswerSoFar(call.body["messages"])
    try:
        async with aclosing(_chunks(call, answer)) as chunks:
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
    return whole | {"memories": call.memory.listed()}


async def _chunks(call: Call, answer: AnswerSoFar) -> AsyncGenerator[Json]:
    """What the provider sends; its words are added to `answer`."""
    basis = replace(call.memory.basis, emergency=bool(call.note))
    request = ChatRequest.relaying(call.body, call.tool, basis)
    async with aclosing(current_provider().stream(request)) as events:
        async for event in events:
            answer.take(event)
            if isinstance(event, Passthrough):
                await call.stored(answer)
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


@contextmanager
def as_api_errors() -> Iterator[None]:
    """Replace the failures of a call by the errors to answer with."""
    try:
        yield
    except AIError as error:
        raise api_error(error) from error
    except NoRoomForText as error:
        raise ApiError(error.status, str(error), code="no_room") from error
    except LimitReached as error:
        now = timezone.now()
        left = (24 * 3600) - (now.hour * 3600 + now.minute * 60 + now.second)
        after = {"Retry-After": str(left), "X-Should-Retry": "false"}
        raise ApiError(429, str(error), after, code="daily_limit_reached") from error
    except Exception as error:
        if refers_to_deleted(error):
            raise api_error_of(error) from error
        raise


def api_error(error: AIError) -> ApiError:
    text = str(user_texts.about_reply("failed", error.code))
    match error:
        case Refused():
            return _as_refused(error, text)
        case RateLimited() | NoQuota():
            seconds = error.retry_after
            after = {"Retry-After": RETRY_LATER if seconds is None else f"{seconds:g}"}
            return ApiError(429, text, after, code=error.code)
        case ProviderDown() | TimedOut():
            return ApiError(503, text, {"Retry-After": RETRY_LATER}, code=error.code)
        case _:
            return ApiError(502, text, code=error.code)


def _as_refused(error: Refused, text: str) -> ApiError:
    """With the provider's own words: the client's request is at fault."""
    said = {n: v for n, v in error.said.items() if isinstance(v, str)}
    return ApiError(
        error.status,
        said.get("message", text),
        code=said.get("code", error.code),
        param=said.get("param"),
    )
