"""A request of the Responses API as one of chat completions (docs/api.md).

Nothing is kept between two requests, so each has its whole conversation.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from conversations.api.openai.schema import (
    OWN_IN_METADATA,
    ApiRequest,
    parse_body,
    read_request,
    validated,
)
from meddie.ai.events import Json
from meddie.ai.openai import limit_field
from meddie.http.api_edge import ApiError

STORED = ("previous_response_id", "conversation", "prompt", "background")
"""Fields that need something kept."""
NOT_SENT = {
    *STORED,
    "input",
    "instructions",
    "store",
    "text",
    "reasoning",
    "truncation",
}
NOT_SENT |= {"include", "max_output_tokens", "max_tool_calls", "stream_options", "n"}
ECHOED: Mapping[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "reasoning": None,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}
"""What an answer repeats of its request, and what it says without it."""
LOGPROBS = "message.output_text.logprobs"
ROLES = {"user", "assistant", "system", "developer"}


class _Item(BaseModel):
    """Of an input; which fields it needs depends on its type."""

    model_config = ConfigDict(extra="ignore", strict=True)
    type: str = "message"
    role: str = ""
    content: str | list[Json] | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    output: str | list[Json] = ""


class _Tool(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    type: str
    name: str = ""
    description: str | None = None
    parameters: Json | None = None
    strict: bool | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    type: Literal["function"]
    name: str


class _Text(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    format: Json | None = None
    verbosity: str | None = None


class _Fields(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    model: str = ""
    input: str | list[_Item]
    instructions: str | None = None
    stream: bool | None = None
    tools: list[_Tool] | None = None
    tool_choice: Literal["auto", "none", "required"] | _Choice | None = None
    text: _Text | None = None
    reasoning: Json | None = None
    metadata: Json | None = None
    include: list[str] | None = None
    max_output_tokens: int | None = Field(None, ge=1)


class NotKept(ApiError):
    """Of what would have to be stored between two requests."""

    def __init__(self, text: str, param: str) -> None:
        super().__init__(400, text, code="unsupported_parameter", param=param)


class NotSupported(ApiError):
    def __init__(self, kind: str, param: str) -> None:
        text = _("%(param)s: Meddie does not support the type %(kind)s.")
        text %= {"param": param, "kind": kind[:80]}
        super().__init__(400, text, code="unsupported_value", param=param)


def parse_response_request(raw: bytes) -> ApiRequest:
    """Raises ApiError."""
    body = parse_body(raw)
    for name in STORED:
        if body.get(name):
            text = _("Responses are not stored, so %(name)s cannot be used.")
            text = " ".join([text, _("Send the whole conversation as the input.")])
            raise NotKept(text % {"name": name}, name)
    fields = validated(_Fields, body)
    echoed = {name: body.get(name, given) for name, given in ECHOED.items()}
    echoed = {name: ECHOED[name] if v is None else v for name, v in echoed.items()}
    return read_request(_chat_body(body, fields), echoed)


def _chat_body(body: Json, fields: _Fields) -> Json:
    chat = {name: value for name, value in body.items() if name not in NOT_SENT}
    chat |= {"messages": list(_messages(fields)), **_tools(fields)}
    own = {n: v for n, v in (fields.metadata or {}).items() if n in OWN_IN_METADATA}
    # OpenAI keeps other metadata with what it stores, and refuses it without.
    chat["metadata"] = own or None
    if fields.text:
        chat |= _text_options(fields.text)
    if effort := (fields.reasoning or {}).get("effort"):
        chat["reasoning_effort"] = effort
    if LOGPROBS in (fields.include or ()) or "top_logprobs" in chat:
        chat["logprobs"] = True
    chat[limit_field(fields.model)] = fields.max_output_tokens
    if fields.stream:
        chat["stream_options"] = {"include_usage": True, "include_memories": True}
    return {name: value for name, value in chat.items() if value is not None}


def _tools(fields: _Fields) -> Json:
    tools = [_tool(tool, number) for number, tool in enumerate(fields.tools or ())]
    choice: Any = fields.tool_choice if tools else None
    if isinstance(choice, _Choice):
        choice = {"type": "function", "function": {"name": choice.name}}
    return {"tools": tools or None, "tool_choice": choice}


def _text_options(text: _Text) -> Json:
    options: Json = {"verbosity": text.verbosity}
    match text.format:
        case {"type": "json_schema", **schema}:
            form = {"type": "json_schema", "json_schema": schema}
            options["response_format"] = form
        case {"type": "json_object"}:
            options["response_format"] = {"type": "json_object"}
        case None | {"type": "text"}:
            pass
        case other:
            raise NotSupported(str(other.get("type")), "text.format.type")
    return options


def _tool(tool: _Tool, number: int) -> Json:
    if tool.type != "function":
        raise NotSupported(tool.type, f"tools.{number}.type")
    function = tool.model_dump(exclude={"type"}, exclude_none=True)
    return {"type": "function", "function": function}


def _messages(fields: _Fields) -> Iterator[Json]:
    if fields.instructions:
        yield {"role": "system", "content": fields.instructions}
    if isinstance(fields.input, str):
        yield {"role": "user", "content": fields.input}
    else:
        yield from _of_items(fields.input)


def _of_items(items: Sequence[_Item]) -> Iterator[Json]:
    """The calls of functions in a row belong to one message of the assistant."""
    said: Json | None = None  # by the assistant, to which calls may be added
    for number, item in enumerate(items):
        if item.type == "reasoning":  # no chat model reads it
            continue
        if item.type == "function_call":
            said = said or {"role": "assistant", "content": None}
            said.setdefault("tool_calls", []).append(_call(item))
            continue
        if said:
            yield said
        message = _message(item, f"input.{number}")
        said = message if message["role"] == "assistant" else None
        if not said:
            yield message
    if said:
        yield said


def _call(item: _Item) -> Json:
    function = {"name": item.name, "arguments": item.arguments}
    return {"id": item.call_id, "type": "function", "function": function}


def _message(item: _Item, place: str) -> Json:
    if item.type == "function_call_output":
        output = _content(item.output, f"{place}.output")
        return {"role": "tool", "tool_call_id": item.call_id, "content": output}
    if item.type == "item_reference":
        text = _("Responses are not stored, so an item cannot be named by its id.")
        text += " " + _("Send the item itself (in Vercel's AI SDK with store: false).")
        raise NotKept(text, place)
    if item.type != "message" or item.role not in ROLES:
        kind = item.role if item.type == "message" else item.type
        raise NotSupported(kind, f"{place}.{'role' if kind == item.role else 'type'}")
    return {"role": item.role, "content": _content(item.content, f"{place}.content")}


def _content(content: str | Sequence[Json] | None, place: str) -> str | list[Json]:
    if content is None or isinstance(content, str):
        return content or ""
    return [_part(part, f"{place}.{n}") for n, part in enumerate(content)]


def _part(part: Json, place: str) -> Json:
    match part:
        case {"type": "input_text" | "output_text" | "text", "text": str(text)}:
            return {"type": "text", "text": text}
        case {"type": "refusal", "refusal": str(text)}:
            return {"type": "refusal", "refusal": text}
        case {"type": "input_image", "image_url": str(url)}:
            detail = {"detail": part["detail"]} if part.get("detail") else {}
            return {"type": "image_url", "image_url": {"url": url, **detail}}
        case {"type": "input_file", "file_data": str(data)}:
            file = {"file_data": data, "filename": part.get("filename") or "file"}
            return {"type": "file", "file": file}
        case {"type": "input_audio", "input_audio": dict(audio)}:
            return {"type": "input_audio", "input_audio": audio}
    raise NotSupported(str(part.get("type")), f"{place}.type")
