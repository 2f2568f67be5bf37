"""Let a model call one tool, once, while it answers."""

import json
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TypeAlias

from meddie.ai import prompts
from meddie.ai.client import Endpoint
from meddie.ai.configured import configured
from meddie.ai.errors import Garbled, Refused
from meddie.ai.events import ChatRequest, Delta, Events, Json, Passthrough, Tool, Usage

Said: TypeAlias = Delta | Passthrough
Stream: TypeAlias = Callable[[ChatRequest], Events]
GAP = "\n\n"  # between what is said before a call and after it
accepts_tools: dict[tuple[Endpoint, str], bool] = {}


async def stream_with_tool(request: ChatRequest, tool: Tool, stream: Stream) -> Events:
    """An answer without a trace of the call, and one Usage for both requests.

    A provider that refuses tools is asked without them. Raises AIError.
    """
    said: list[Said] = []
    usage = Usage(0, 0, "")
    async with aclosing(_offering(request, tool, stream)) as events:
        async for event in events:
            if isinstance(event, Usage):
                usage = event
            else:
                said.append(event)
                yield event
    if usage.calls:
        told = await _answered(usage.calls, tool, said)
        # With the tool, whose result some refuse without it (decision 41).
        fields = {"tools": [_described(tool)], "tool_choice": "none"}
        second = replace(request, messages=[*request.messages, *told])
        async with aclosing(
            _second(second.with_fields(**fields), said, stream)
        ) as rest:
            async for event in rest:
                if isinstance(event, Usage):
                    usage = event.added_to(usage)
                else:
                    yield event
    yield usage


async def _offering(request: ChatRequest, tool: Tool, stream: Stream) -> Events:
    key = (Endpoint.for_chat(), request.model or configured().chat_model)
    if accepts_tools.get(key, True):
        offered = request.with_fields(tools=[_described(tool)])
        try:
            async with aclosing(_before_calls(offered, stream)) as events:
                async for event in events:
                    accepts_tools[key] = True
                    yield event
        except Refused:
            if key in accepts_tools:  # what was accepted is refused for another reason
                raise
        else:
            return
    async with aclosing(stream(request)) as events:
        async for event in events:
            accepts_tools[key] = False
            yield event


async def _second(request: ChatRequest, said: Sequence[Said], stream: Stream) -> Events:
    """Raises Garbled if it is only another call."""
    spoke = False
    async with aclosing(_before_calls(request, stream)) as events:
        async for event in events:
            if not spoke:
                if isinstance(event, Usage):
                    raise Garbled("a second call instead of an answer")
                for gap in _gap(said):
                    yield gap
            spoke = True
            yield event


async def _before_calls(request: ChatRequest, stream: Stream) -> Events:
    """Leave out a call and what follows it; a whole answer is one piece."""
    held: list[Said] = []
    calling = False
    async with aclosing(stream(request)) as events:
        async for event in events:
            if isinstance(event, Usage):
                for text in [] if event.calls else held:
                    yield text
                yield event
                continue
            if isinstance(event, Passthrough):
                calling = calling or _calls_in(event.chunk)
            if request.whole:
                held.append(event)
            elif not calling:
                yield event


def _calls_in(chunk: Json) -> bool:
    choices = chunk.get("choices") or [{}]
    delta = choices[0].get("delta") if isinstance(choices[0], dict) else None
    return isinstance(delta, dict) and bool(delta.get("tool_calls"))


def _gap(said: Sequence[Said]) -> list[Said]:
    chunks = [event.chunk for event in said if isinstance(event, Passthrough)]
    if not any(isinstance(event, Delta) for event in said):
        return []
    choice = {"index": 0, "delta": {"content": GAP}, "finish_reason": None}
    return [
        Delta(GAP),
        *(Passthrough(chunk | {"choices": [choice]}) for chunk in chunks[-1:]),
    ]


async def _answered(
    calls: Sequence[Json], tool: Tool, said: Sequence[Said]
) -> list[Json]:
    """The call and its result as messages; a second call beside it has none."""
    listed, results = [], []
    for number, call in enumerate(calls):
        value = _argument(call, tool)
        if number:
            result = prompts.ONE_CALL
        elif value is None:
            result = prompts.BAD_CALL
        else:
            result = await tool.run(value)
        name = call["id"] or f"call_{number}"
        # Some templates read the arguments, so they are valid JSON again.
        arguments = json.dumps({tool.parameter: value or ""}, ensure_ascii=False)
        function = {"name": tool.name, "arguments": arguments}
        listed.append({"id": name, "type": "function", "function": function})
        results.append({"role": "tool", "tool_call_id": name, "content": result})
    text = "".join(event.text for event in said if isinstance(event, Delta))
    return [{"role": "assistant", "content": text, "tool_calls": listed}, *results]


def _argument(call: Json, tool: Tool) -> str | None:
    try:
        value = json.loads(call["arguments"])[tool.parameter]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    good = call["name"] == tool.name and isinstance(value, str) and value.strip()
    return value if good else None


def _described(tool: Tool) -> Json:
    schema = {
        "type": "object",
        "properties": {tool.parameter: {"type": "string"}},
        "required": [tool.parameter],
        "additionalProperties": False,
    }
    function = {"name": tool.name, "description": tool.text, "parameters": schema}
    return {"type": "function", "function": function}
