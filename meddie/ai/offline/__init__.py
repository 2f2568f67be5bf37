"""The stand-in that answers without a key."""

import asyncio
import re
import time
from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import uuid4

from pydantic import BaseModel

from meddie.ai import tokens
from meddie.ai.errors import Unsupported
from meddie.ai.events import (
    ChatMessage,
    ChatRequest,
    Delta,
    Events,
    ImageDescription,
    Json,
    Passthrough,
    Usage,
    text_of,
)
from meddie.ai.offline import replies, summaries

S = TypeVar("S", bound=BaseModel)
MODEL = "offline"
PACE = 0.01  # seconds between two words: slow enough to see it stream
# Answers for `ask`, by the name of the schema
SUMMARIES = {
    "running_summary": summaries.summarise,
    "chunk_summary": summaries.summarise,
    "episode_summary": summaries.summarise,
}


class Offline:
    name = "offline (no OPENAI_API_KEY)"
    connected = sees_pictures = reads_files = hears = False

    async def stream(self, request: ChatRequest) -> Events:
        reply = replies.reply_to(request.basis)
        asked = sum(tokens.estimate(text_of(message)) for message in request.messages)
        usage = Usage(asked, tokens.estimate(reply), MODEL)
        answer = _Chunks(request)
        for piece in re.findall(r"\s*\S+", reply):
            await asyncio.sleep(PACE)
            yield Delta(piece)
            if request.relayed and not request.whole:
                yield answer.chunk({"content": piece})
        if request.whole:
            yield answer.whole(reply, usage)
        elif request.relayed:
            yield answer.chunk({}, "stop")
            if answer.wants_usage:
                yield answer.usage(usage)
        yield usage

    async def complete(
        self, messages: Sequence[ChatMessage], *, name: str, max_tokens: int
    ) -> str:
        raise Unsupported("titles without a model are the first words")

    async def ask(
        self,
        schema: type[S],
        messages: Sequence[ChatMessage],
        *,
        name: str,
        **_limits: Any,
    ) -> S:
        if name not in SUMMARIES:
            raise Unsupported(f"the offline stand-in has no rules for {name}")
        return schema.model_validate(SUMMARIES[name](messages))

    async def describe(self, jpeg: bytes, instruction: str) -> ImageDescription:
        raise Unsupported("pictures are described by a provider alone")

    async def transcribe(self, name: str, recording: bytes) -> str:
        raise Unsupported("there is no transcription without a provider")

    async def models(self) -> list[Any]:
        return []


class _Chunks:
    """The stand-in's answer to a program, in OpenAI's protocol."""

    def __init__(self, request: ChatRequest) -> None:
        options = request.extra.get("stream_options")
        self.wants_usage = isinstance(options, dict) and options.get("include_usage")
        self._head = {
            "id": f"chatcmpl-{uuid4().hex}",
            "created": int(time.time()),
            "model": MODEL,
        }

    def chunk(self, delta: Json, finish: str | None = None) -> Passthrough:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return self._of("chat.completion.chunk", choices=[choice])

    def usage(self, usage: Usage) -> Passthrough:
        return self._of("chat.completion.chunk", choices=[], usage=_counted(usage))

    def whole(self, reply: str, usage: Usage) -> Passthrough:
        message = {"role": "assistant", "content": reply, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return self._of("chat.completion", choices=[choice], usage=_counted(usage))

    def _of(self, kind: str, **fields: Any) -> Passthrough:
        return Passthrough(self._head | {"object": kind} | fields)


def _counted(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.tokens_in,
        "completion_tokens": usage.tokens_out,
        "total_tokens": usage.tokens_in + usage.tokens_out,
    }
