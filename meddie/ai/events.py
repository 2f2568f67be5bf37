"""Requests to a chat model and events of its answer."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal, Self, TypeAlias, TypedDict

from pydantic import BaseModel

Json: TypeAlias = dict[str, Any]
MEDDIE = "meddie"
"""The model of a request that means CHAT_MODEL."""


class ChatMessage(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Tool:
    """What the model may call once while it answers, with one string."""

    name: str
    text: str
    parameter: str
    run: Callable[[str], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Remark:
    """Something known that answers a message.

    The user said it, in these words if it is `literal`; else `source` heads what a file
    says or what is noted of a person.
    """

    text: str
    day: date | None = None
    source: str = ""
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer without a model rests on.

    `manner` is the message's class of small talk. It may ask what one may take or do,
    wish for something of the world, or want to be reminded. `asked` is the relation and
    the name of the one whom it is about (neither for the user). `found` is the best first,
    and its first `vital` are never left out. An `overview` is all that is known.
    `lines_read` counts those of the message's files, `unread` names those that are still
    being read. A remembered conversation `keeps` what is `lasting` and not known, of the one
    it is `about` where the words do not say; with a
    `block` the reply has to say so. `settled` is the yes or no to a question under the
    last reply, or to nothing; then what that reply forgot may be `gone` and can be undone.
    """

    manner: str = ""
    asks: bool = True
    wishes: bool = False
    may_i: bool = False
    asked: tuple[str, str] | None = None
    lasting: Sequence[str] = ()
    about: str = ""
    is_known: bool = False
    unwanted: Sequence[str] = ()
    found: Sequence[Remark] = ()
    vital: int = 0
    lines_read: int = 0
    unread: Sequence[str] = ()
    overview: bool = False
    reminds: bool = False
    forgets_all: bool = False
    settled: bool | None = None
    gone: bool = False
    keeps: bool = False
    block: bool = False
    begins: bool = True
    emergency: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Messages of OpenAI's protocol; other fields are sent untouched."""

    messages: Sequence[Mapping[str, object]]
    model: str | None = None  # None for CHAT_MODEL
    extra: Mapping[str, Any] = field(default_factory=dict)
    relayed: bool = False
    tool: Tool | None = None
    basis: Basis = field(default_factory=Basis)

    @classmethod
    def relaying(cls, body: Json, tool: Tool | None, basis: Basis) -> Self:
        """The request of a program, which gets the provider's own JSON."""
        model = body.get("model")
        named = None if model in (None, "", MEDDIE) else model
        extra = {k: v for k, v in body.items() if k not in {"messages", "model"}}
        return cls(body["messages"], named, extra, relayed=True, tool=tool, basis=basis)

    def with_fields(self, **fields: object) -> Self:
        return replace(self, extra={**self.extra, **fields})

    @property
    def whole(self) -> bool:
        """Whether the program wants one object instead of a stream."""
        return self.relayed and not self.extra.get("stream")


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of text, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Passthrough:
    """A chunk, or a whole answer, for the program whose request is relayed."""

    chunk: Json


@dataclass(frozen=True, slots=True)
class Usage:
    """The end of a whole answer; tokens may be estimated.

    Each of `calls`, of tools, has an id, a name and arguments.
    """

    tokens_in: int
    tokens_out: int
    model: str
    finish_reason: str = "stop"
    calls: Sequence[Json] = ()

    def added_to(self, before: Self) -> Self:
        return replace(
            self,
            tokens_in=before.tokens_in + self.tokens_in,
            tokens_out=before.tokens_out + self.tokens_out,
        )


Events: TypeAlias = AsyncGenerator[Delta | Passthrough | Usage]


class ImageDescription(BaseModel):
    short: str
    detail: str
    text: str


def text_of(message: Mapping[str, object]) -> str:
    """The text without pictures and other parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
