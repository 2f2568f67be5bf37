"""Ask a model with OpenAI's protocol for a pydantic object."""

from __future__ import annotations  # the SDK is not read for the names of its types

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from meddie.ai import prompts
from meddie.ai.client import Endpoint
from meddie.ai.errors import Refused, Unparseable
from meddie.ai.events import ChatMessage
from meddie.ai.lazy_sdk import openai
from meddie.lenient_json import read_object

S = TypeVar("S", bound=BaseModel)
FORMATS = ("json_schema", "json_object", "text")  # decision 30
accepted_formats: dict[tuple[Endpoint, str], int] = {}
repaired: set[tuple[Endpoint, str]] = set()
"""What refused a schema, or answered by it only when asked again; for a trial."""


@dataclass(frozen=True)
class Question(Generic[S]):
    """`key` has the endpoint and the model; `complete` takes messages and `extra`."""

    schema: type[S]
    name: str
    key: tuple[Endpoint, str]
    complete: Callable[..., Awaitable[str]]

    async def ask(self, messages: Sequence[ChatMessage]) -> S:
        """Repeat once with the error. Raises AIError."""
        raw = await self._put(messages)
        if accepted_formats.get(self.key):
            repaired.add(self.key)
        try:
            return self._read(raw)
        except ValueError as error:
            repair = prompts.repair(str(error), self._json_schema)
        repaired.add(self.key)
        raw = await self._put(
            [
                *messages,
                {"role": "assistant", "content": raw},
                {"role": "user", "content": repair},
            ]
        )
        try:
            return self._read(raw)
        except ValueError:
            # Without its cause: that quotes the answer, and errors are logged.
            raise Unparseable(raw, detail=f"no valid {self.name}") from None

    def _read(self, raw: str) -> S:
        return self.schema.model_validate(read_object(raw))

    async def _put(self, messages: Sequence[ChatMessage]) -> str:
        """Use the strictest format that the provider accepts; the first is remembered.

        A format that was accepted once is refused because of the content.
        """
        refusal = Refused()
        for position in range(accepted_formats.get(self.key, 0), len(FORMATS)):
            try:
                raw = await self._complete(messages, FORMATS[position])
            except Refused as error:
                refusal = error
                continue
            accepted_formats.setdefault(self.key, position)
            return raw
        raise refusal

    async def _complete(self, messages: Sequence[ChatMessage], form: str) -> str:
        extra: Mapping[str, Any] = {}
        if form == "json_object":
            extra = {"response_format": {"type": form}}
        if form == "json_schema":
            wanted = {"name": self.name, "strict": True, "schema": self._json_schema}
            extra = {"response_format": {"type": form, "json_schema": wanted}}
        else:
            instruction = prompts.follow_schema(self._json_schema)
            messages = _with_instruction(messages, instruction)
        return await self.complete(messages, extra=extra)

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
    content = f"{first['content']}\n\n{instruction}"
    return [{"role": "system", "content": content}, *rest]
