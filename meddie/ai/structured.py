"""Ask a model for a pydantic object."""

from __future__ import annotations  # the SDK is not read for the names of its types

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.conf import settings
from pydantic import BaseModel

from meddie.ai import chat, offline, prompts
from meddie.ai.client import Endpoint
from meddie.ai.errors import Refused, Unparseable
from meddie.ai.events import ChatMessage
from meddie.ai.lazy_sdk import openai

S = TypeVar("S", bound=BaseModel)

FORMATS = ("json_schema", "json_object", "text")
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*"?)|,(?=\s*[}\]])', re.DOTALL)
_decoder = json.JSONDecoder(strict=False)
accepted_formats: dict[tuple[Endpoint, str], int] = {}


async def ask(
    schema: type[S],
    messages: Sequence[ChatMessage],
    *,
    name: str,
    max_tokens: int = 1000,
    seconds: float | None = None,
    model: str | None = None,
) -> S:
    """Ask a model or the offline rules for `name`; repeat once with the error.

    The fast model by default. `seconds` limits each request. Raises AIError: Unparseable, Unsupported without
    offline rules, others of `complete`.
    """
    if chat.is_offline():
        return schema.model_validate(offline.answer(name, messages))
    question = _Question(
        schema, name, max_tokens, seconds, model or settings.FAST_MODEL
    )
    raw = await question.put(messages)
    try:
        return parse_object(schema, raw)
    except ValueError as error:
        raw = await question.put([*messages, *question.repair(raw, error)])
    try:
        return parse_object(schema, raw)
    except ValueError:
        # Without its cause: that quotes the answer, and errors are logged.
        raise Unparseable(raw, detail=f"no valid {name}") from None


def parse_object(schema: type[S], raw: str) -> S:
    """Allow fences and trailing commas. Raises ValueError."""
    start = raw.find("{")
    if start < 0:
        raise ValueError("no JSON object")
    text = _TRAILING_COMMA.sub(lambda found: found[1] or "", raw[start:])
    try:
        value, _ = _decoder.raw_decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return schema.model_validate(value)


@dataclass(frozen=True)
class _Question(Generic[S]):
    schema: type[S]
    name: str
    max_tokens: int
    seconds: float | None
    model: str

    async def put(self, messages: Sequence[ChatMessage]) -> str:
        """Use the strictest format that the provider accepts; the first is remembered.

        A format that was accepted once is refused because of the content.
        """
        key = (Endpoint.for_chat(), self.model)
        refusal = Refused()
        for position in range(accepted_formats.get(key, 0), len(FORMATS)):
            try:
                raw = await self._complete(messages, FORMATS[position])
            except Refused as error:
                refusal = error
                continue
            accepted_formats.setdefault(key, position)
            return raw
        raise refusal

    def repair(self, raw: str, error: ValueError) -> list[ChatMessage]:
        return [
            {"role": "assistant", "content": raw},
            {"role": "user", "content": prompts.repair(str(error), self._json_schema)},
        ]

    async def _complete(self, messages: Sequence[ChatMessage], form: str) -> str:
        if form != "json_schema":
            messages = _with_instruction(
                messages, prompts.follow_schema(self._json_schema)
            )
        return await chat.complete(
            messages,
            max_tokens=self.max_tokens,
            seconds=self.seconds,
            model=self.model,
            extra=self._response_format(form),
        )

    def _response_format(self, form: str) -> Mapping[str, Any]:
        if form == "text":
            return {}
        if form == "json_object":
            return {"response_format": {"type": form}}
        wanted = {"name": self.name, "strict": True, "schema": self._json_schema}
        return {"response_format": {"type": form, "json_schema": wanted}}

    @property
    def _json_schema(self) -> dict[str, Any]:
        """All properties are required, as strict formats demand."""
        tool = openai.pydantic_function_tool(self.schema, name=self.name)
        return dict(tool["function"]["parameters"])


def _with_instruction(
    messages: Sequence[ChatMessage], instruction: str
) -> list[ChatMessage]:
    """Use one system message: some providers refuse a second."""
    first, *rest = messages
    if first["role"] != "system":
        return [{"role": "system", "content": instruction}, first, *rest]
    return [
        {"role": "system", "content": f"{first['content']}\n\n{instruction}"},
        *rest,
    ]
