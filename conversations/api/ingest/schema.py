"""The documents of other channels."""

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    StringConstraints,
    ValidationError,
)

from conversations.api.given_names import IsName, Name
from conversations.channels import CHANNELS
from meddie.http.api_edge import ApiError, read_json
from meddie.moments import Moment
from meddie.text import storable
from memory.models.fact import CHANNEL_LIMIT

MOST_DOCUMENTS = 100
OLDEST = datetime(2000, 1, 1, tzinfo=UTC)


def _of_others(channel: str) -> str:
    if channel in CHANNELS:
        raise ValueError(_("this name is one of Meddie's own channels"))
    return channel


def _recent(at: datetime) -> datetime:
    if at < OLDEST:
        raise ValueError(_("it is before the year 2000"))
    return at


def _short(trace: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(trace)) > 1000:
        raise ValueError(_("it is longer than 1000 characters"))
    return {
        storable(name): storable(value) if isinstance(value, str) else value
        for name, value in trace.items()
    }


Channel = Annotated[
    str,
    StringConstraints(min_length=1, max_length=CHANNEL_LIMIT),
    IsName,
    AfterValidator(_of_others),
]
Plain = str | int | float | bool | None


class Author(BaseModel):
    id: Name
    name: str = ""


class Document(BaseModel):
    channel: Channel
    thread: Name
    text: str = Field(max_length=20_000)
    external_id: Name | None = None
    author: Author | None = None
    at: Annotated[Moment, AfterValidator(_recent)] | None = None
    source: Literal["text", "voice"] | None = None
    trace: Annotated[dict[str, Plain], AfterValidator(_short)] = Field({})

    @property
    def is_voice(self) -> bool:
        """Its trace may name the source, too (S3-26)."""
        return (self.source or self.trace.get("source")) == "voice"


def read_documents(raw: bytes) -> list[object]:
    """The unchecked documents of a body. Raises ApiError."""
    if len(raw) > 2 * 1024 * 1024:
        raise ApiError(413, _("A request has at most 2 MB."), code="too_large")
    body = read_json(raw)
    documents = body if isinstance(body, list) else [body]
    if len(documents) > MOST_DOCUMENTS:
        text = _("A request has at most 100 messages.")
        raise ApiError(413, text, code="too_many")
    if not documents or not all(isinstance(document, dict) for document in documents):
        text = _("The body must be a JSON object or an array of them.")
        raise ApiError(400, text, code="invalid_json")
    return documents


def read_document(document: object) -> Document:
    """Raises ValueError with a sentence."""
    try:
        return Document.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        param = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{param}: {message}.") from error
