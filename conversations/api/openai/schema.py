"""The request of a chat completion: what Meddie reads of it, and what it sends on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, Literal
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conversations.api.given_names import NameOrNone
from conversations.reply.turn import LONGEST_MESSAGE
from meddie.ai.events import Json, text_of
from meddie.http.api_edge import ApiError, read_json_object
from meddie.text import storable

CHAT_ID = "X-OpenWebUI-Chat-Id"
TASK = "X-OpenWebUI-Task"
NO_TASK = "{{TASK}}"  # a header template of the operator that was not filled in
TEMPORARY = "temporary:"
PROMPT = "### Task:"
HISTORY = "<chat_history>"
DOCUMENTS, DOCUMENTS_END = "<context>", "</context>"
QUERY_TAGS = re.compile(r"</?user_query>")

OWN_FIELDS = ("save_memories", "anonymous_mode")
ROOM_FIELDS = {"channel": "X-Meddie-Channel", "thread": "X-Meddie-Thread"}
"""Where a bot speaks: names in the metadata, and headers that say the same."""
OWN_IN_METADATA = {*OWN_FIELDS, *ROOM_FIELDS}
INCLUDE_MEMORIES = "include_memories"
OWN_OPTIONS = {"stream_options": {INCLUDE_MEMORIES}, "metadata": OWN_IN_METADATA}
SYSTEM = {"system", "developer"}
MOST_VALUES = 200_000  # in a body: 5,000 messages in parts


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: str
    content: str | list[Any] | None = None


class _Fields(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    model: str = ""
    messages: list[_Message] = Field(min_length=1, max_length=5000)
    stream: bool | None = None
    stream_options: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    tools: list[Any] | None = None
    n: int | None = Field(None, ge=1, le=128)


class _Wishes(BaseModel):
    save_memories: bool = True
    anonymous_mode: bool = False
    channel: NameOrNone = None
    thread: NameOrNone = None


@dataclass(frozen=True)
class Line:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class ApiRequest:
    """`body` is sent on; it has none of Meddie's own fields."""

    body: Json
    lines: Sequence[Line]
    saves: bool
    anonymous: bool
    include_memories: bool
    asks: bool  # a message of the user comes last, not the result of a tool
    unanswered: int  # the user's messages with no answer before the last of them
    channel: str = ""  # where a bot speaks
    thread: str = ""
    echoed: Json = field(default_factory=dict)  # by an answer of the Responses API

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))

    @cached_property
    def sent(self) -> list[str]:
        return [line.text for line in self.lines if line.role == "user"]

    @property
    def question(self) -> str:
        return self.sent[-1] if self.sent else ""

    @property
    def last_reply(self) -> str:
        replies = [line.text for line in self.lines if line.role == "assistant"]
        return replies[-1] if replies else ""

    @cached_property
    def is_background(self) -> bool:
        """Whether it looks like a call of Open WebUI for a title or the like."""
        if self.streams or self.body.get("tools"):
            return False
        texts = [text_of(m) for m in self.body["messages"] if m.get("role") == "user"]
        return len(texts) == 1 and is_task_prompt(texts[0])

    @property
    def is_prose(self) -> bool:
        """Whether the reply is no data for a program."""
        form = self.body.get("response_format")
        formatted = isinstance(form, dict) and form.get("type") != "text"
        choice = self.body.get("tool_choice")
        return not formatted and choice in (None, "auto", "none")

    @property
    def shows_notes(self) -> bool:
        """Whether a note may be above the reply: a program reads the others."""
        return self.asks and self.is_prose

    @property
    def may_look_up(self) -> bool:
        """Whether Meddie's tool may be added: the program has none, and reads text."""
        own = any(self.body.get(name) for name in ("tools", "functions"))
        return self.shows_notes and not own and self.choices == 1

    @property
    def choices(self) -> int:
        return self.body.get("n") or 1

    @property
    def place(self) -> str:
        """Facts of it come first in the ranking `ranked`."""
        return self.thread or self.channel

    def named_by(self, headers: Mapping[str, str]) -> "ApiRequest":
        """With the names that headers give. Raises ApiError."""
        given = {name: unquote(headers.get(h, "")) for name, h in ROOM_FIELDS.items()}
        named = {name: value for name, value in given.items() if value}
        wishes = validated(_Wishes, named)
        return replace(self, **{name: getattr(wishes, name) for name in named})

    def with_memory(self, memory: str, added: str) -> Json:
        """The body with `memory` in its first system message.

        And with `added` before the text of the user's newest message.
        """
        messages = list(self.body["messages"])
        roles = [message.get("role") for message in messages]
        if added and "user" in roles:
            place = len(roles) - 1 - roles[::-1].index("user")
            messages[place] = _joined(messages[place], added, first=True)
        if memory:
            place = next((i for i, role in enumerate(roles) if role in SYSTEM), -1)
            if place < 0:
                messages.insert(0, {"role": "system", "content": memory})
            else:
                messages[place] = _joined(messages[place], memory, first=False)
        return self.body | {"messages": messages}


def _joined(message: Json, text: str, *, first: bool) -> Json:
    """The message with the text before or after its own."""
    content = message.get("content")
    if isinstance(content, list):
        part = [{"type": "text", "text": text}]
        return message | {"content": [*part, *content] if first else [*content, *part]}
    parts = filter(None, [text, content] if first else [content, text])
    return message | {"content": "\n\n".join(parts)}


def parse_request(raw: bytes) -> ApiRequest:
    """Raises ApiError."""
    return read_request(parse_body(raw))


def read_request(body: Json, echoed: Json | None = None) -> ApiRequest:
    """Raises ApiError."""
    fields = validated(_Fields, body)
    # Ours are in the body, or in its metadata, where Open WebUI's valves are.
    metadata = fields.metadata or {}
    own = {name: body.get(name, metadata.get(name)) for name in OWN_FIELDS}
    own |= {name: metadata.get(name) for name in ROOM_FIELDS}
    given = {name: value for name, value in own.items() if value is not None}
    wishes = validated(_Wishes, given)
    options = fields.stream_options or {}
    return ApiRequest(
        _without_own(body),
        [line for message in fields.messages if (line := _line(message))],
        saves=wishes.save_memories,
        anonymous=wishes.anonymous_mode,
        include_memories=bool(options.get(INCLUDE_MEMORIES)),
        asks=fields.messages[-1].role == "user",
        unanswered=_count_unanswered(fields.messages),
        channel=wishes.channel or "",
        thread=wishes.thread or "",
        echoed=echoed or {},
    )


def parse_body(raw: bytes) -> Json:
    return read_json_object(raw, MOST_VALUES)


def validated(schema: type[Any], fields: Json) -> Any:
    try:
        return schema.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        param = ".".join(map(str, first["loc"]))
        raise ApiError(
            400, f"{param}: {first['msg']}.", param=param, code="invalid_value"
        ) from error


def _count_unanswered(messages: Sequence[_Message]) -> int:
    roles = [m.role for m in messages if m.role in {"user", "assistant"}]
    while roles and roles[-1] == "assistant":  # it calls tools, or begins the reply
        roles.pop()
    newest = takewhile(lambda role: role == "user", reversed(roles))
    return len(list(newest))


def _without_own(body: Json) -> Json:
    sent = {name: value for name, value in body.items() if name not in OWN_FIELDS}
    for name, own in OWN_OPTIONS.items():
        options = sent.get(name)
        if isinstance(options, dict) and not own.isdisjoint(options):
            sent[name] = {key: options[key] for key in options if key not in own}
            if not sent[name]:
                del sent[name]
    return sent


def _line(message: _Message) -> Line | None:
    text = text_of({"content": message.content})
    if message.role == "user":
        return Line("user", cleaned(asked_by_template(text)))
    if message.role == "assistant" and text:
        return Line("assistant", cleaned(text))
    return None


def cleaned(text: str) -> str:
    """The beginning, as messages are stored."""
    text = text[:LONGEST_MESSAGE].replace("\r\n", "\n")
    return storable(text).strip()


def chat_id(headers: Mapping[str, str]) -> str:
    return headers.get(CHAT_ID, "").strip()


def is_temporary(chat: str) -> bool:
    return chat.startswith(TEMPORARY)


def names_task(headers: Mapping[str, str]) -> bool:
    """Whether the operator's header marks a background call."""
    return headers.get(TASK, "").strip() not in {"", NO_TASK}


def is_task_prompt(text: str) -> bool:
    """Whether the only message of a call asks for a title, tags or follow-ups."""
    return text.lstrip().startswith(PROMPT) and HISTORY in text


def asked_by_template(text: str) -> str:
    """The user's question after the documents that its template quotes."""
    if not (text.lstrip().startswith(PROMPT) and DOCUMENTS in text):
        return text
    _documents, end, question = text.rpartition(DOCUMENTS_END)
    return QUERY_TAGS.sub("", question).strip() if end else ""
