"""An answer of the Responses API, whole or as events, made of one of chat completions."""

import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from conversations.api.openai.schema import ApiRequest
from meddie.ai.events import Json, text_of
from meddie.ai.tokens import estimate

INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
"""Reasons of incomplete answers, by the finish reasons of chat completions."""
Part = tuple[str, str]  # its type, and the name of its text
TEXT: Part = ("output_text", "text")
REFUSAL: Part = ("refusal", "refusal")


def whole_response(asked: ApiRequest, whole: Json) -> Json:
    """Of a whole answer of chat completions with `memories`."""
    made = ResponseSoFar(asked)
    for choice in whole["choices"][:1]:
        message = choice["message"]
        calls = [
            call | {"index": number}
            for number, call in enumerate(message.get("tool_calls") or ())
        ]
        delta = message | {"tool_calls": calls}
        list(made.add(whole | {"choices": [choice | {"delta": delta}]}))
    list(made.close_items())
    return made.ended()


async def response_events(
    asked: ApiRequest, chunks: AsyncGenerator[Json]
) -> AsyncGenerator[Json]:
    """Of a streamed answer. The first comes with its first chunk.

    What is raised before that has a status of its own.
    """
    made, number = ResponseSoFar(asked), 0
    async with aclosing(chunks):
        async for chunk in chunks:
            for event in made.add(chunk):
                yield event | {"sequence_number": number}
                number += 1
    for event in made.end():
        yield event | {"sequence_number": number}
        number += 1


@dataclass
class _Item:
    """An item of the output: a message with one part, or the call of a function."""

    id: str
    index: int
    part: Part | None = None
    call: Json = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    logprobs: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def place(self) -> Json:
        place = {"item_id": self.id, "output_index": self.index}
        return place if self.part is None else place | {"content_index": 0}

    def content(self, text: str, **more: Any) -> Json:
        assert self.part is not None  # noqa: S101 -- only of a message
        kind, name = self.part
        extra = {"annotations": [], "logprobs": [], **more} if kind == TEXT[0] else {}
        return {"type": kind, name: text, **extra}

    def json(self, status: str) -> Json:
        common = {"id": self.id, "status": status}
        if self.part is None:
            own = {"call_id": self.call["id"], "name": self.call["name"]}
            return {"type": "function_call", "arguments": self.text, **own, **common}
        parts = [self.content(self.text, logprobs=self.logprobs)] if self.pieces else []
        return {"type": "message", "role": "assistant", "content": parts, **common}


class ResponseSoFar:
    """What has come of an answer. Its methods return the events of what is new."""

    def __init__(self, asked: ApiRequest) -> None:
        self._asked = asked
        self._id = f"resp_{uuid4().hex}"
        self._created = int(time.time())
        self._model = str(asked.body.get("model") or "")
        self._items: list[_Item] = []
        self._message: _Item | None = None
        self._calls: dict[int, _Item] = {}
        self._open: list[_Item] = []
        self._begun = False
        self._finish = ""
        self._usage: Mapping[str, Any] | None = None
        self._memories: list[Json] = []
        self._error: Json | None = None

    def add(self, chunk: Json) -> Iterator[Json]:
        if not self._begun:
            self._begun = True
            self._model = str(chunk.get("model") or self._model)
            started = self._json("in_progress")
            yield {"type": "response.created", "response": started}
            yield {"type": "response.in_progress", "response": started}
        self._error = chunk.get("error") or self._error
        self._memories = chunk.get("memories") or self._memories
        self._usage = chunk.get("usage") or self._usage
        for choice in (chunk.get("choices") or ())[:1]:
            yield from self._add(choice)

    def _add(self, choice: Json) -> Iterator[Json]:
        delta = choice.get("delta") or {}
        logprobs = (choice.get("logprobs") or {}).get("content") or []
        if text := delta.get("content"):
            yield from self._say(TEXT, text, logprobs)
        if text := delta.get("refusal"):
            yield from self._say(REFUSAL, text, [])
        for place, piece in enumerate(delta.get("tool_calls") or ()):
            yield from self._call(place, piece)
        self._finish = choice.get("finish_reason") or self._finish

    def _say(self, part: Part, text: str, logprobs: list[Any]) -> Iterator[Json]:
        item = self._message
        if item is None or item.part != part:
            yield from self.close_items()
            item = self._message = self._item("msg", part=part)
            yield self._event(item, "response.output_item.added", "in_progress")
            content = item.content("")
            yield {"type": "response.content_part.added", **item.place, "part": content}
        item.pieces.append(text)
        item.logprobs += logprobs
        yield _of_part(item, "delta", delta=text, logprobs=logprobs)

    def _call(self, place: int, piece: Json) -> Iterator[Json]:
        function = piece.get("function") or {}
        number = piece.get("index")
        number = number if isinstance(number, int) else place
        item = self._calls.get(number)
        if item is None:
            yield from self._close_message()
            name = str(function.get("name") or "")
            call = {"id": piece.get("id") or f"call_{uuid4().hex}", "name": name}
            item = self._calls[number] = self._item("fc", call=call)
            yield self._event(item, "response.output_item.added", "in_progress")
        if arguments := function.get("arguments"):
            item.pieces.append(arguments)
            kind = "response.function_call_arguments.delta"
            yield {"type": kind, **item.place, "delta": arguments}

    def _item(self, prefix: str, **about: Any) -> _Item:
        item = _Item(f"{prefix}_{uuid4().hex}", len(self._items), **about)
        self._items.append(item)
        self._open.append(item)
        return item

    def _close_message(self) -> Iterator[Json]:
        if self._message is not None:
            yield from self.close_items()

    def close_items(self) -> Iterator[Json]:
        for item in self._open:
            if item.part is None:
                kind = "response.function_call_arguments.done"
                done = {"name": item.call["name"], "arguments": item.text}
                yield {"type": kind, **item.place, **done}
            else:
                yield _of_part(
                    item, "done", **{item.part[1]: item.text}, logprobs=item.logprobs
                )
                content = item.content(item.text, logprobs=item.logprobs)
                kind = "response.content_part.done"
                yield {"type": kind, **item.place, "part": content}
            yield self._event(item, "response.output_item.done", self._status)
        self._open, self._message = [], None

    def _event(self, item: _Item, kind: str, status: str) -> Json:
        return {"type": kind, "output_index": item.index, "item": item.json(status)}

    @property
    def _status(self) -> str:
        """Of the answer and of its last item."""
        return "incomplete" if self._finish in INCOMPLETE else "completed"

    def end(self) -> Iterator[Json]:
        if self._error is None:
            yield from self.close_items()
        response = self.ended()
        yield {"type": f"response.{response['status']}", "response": response}

    def ended(self) -> Json:
        return self._json("failed" if self._error else self._status)

    def _json(self, status: str) -> Json:
        """The answer with what its request said."""
        running = status == "in_progress"
        reason = INCOMPLETE.get(self._finish) if status == "incomplete" else None
        error = self._error
        return {
            **self._asked.echoed,
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "completed_at": int(time.time()) if status == "completed" else None,
            "status": status,
            "background": False,
            "error": error
            and {"code": error["code"] or error["type"], "message": error["message"]},
            "incomplete_details": {"reason": reason} if reason else None,
            "model": self._model,
            "output": [] if running else [item.json(status) for item in self._items],
            "previous_response_id": None,
            "store": False,
            "usage": None if running else self._counted(),
            "memories": self._memories,
        }

    def _counted(self) -> Json:
        """Estimated if the provider does not count."""
        usage = self._usage or {}
        asked = usage.get("prompt_tokens")
        if asked is None:
            asked = sum(estimate(text_of(m)) for m in self._asked.body["messages"])
        said = usage.get("completion_tokens")
        if said is None:
            said = sum(estimate(item.text) for item in self._items)
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
        thought = (usage.get("completion_tokens_details") or {}).get("reasoning_tokens")
        return {
            "input_tokens": asked,
            "input_tokens_details": {"cached_tokens": cached or 0},
            "output_tokens": said,
            "output_tokens_details": {"reasoning_tokens": thought or 0},
            "total_tokens": asked + said,
        }


def _of_part(item: _Item, what: str, **about: Any) -> Json:
    if item.part == REFUSAL:
        del about["logprobs"]
    assert item.part is not None  # noqa: S101 -- only of a message
    return {"type": f"response.{item.part[0]}.{what}", **item.place, **about}
