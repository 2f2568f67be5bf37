"""Vectors of texts: the provider's own, or those of the bundled model."""

import base64
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from conversations.api.openai.calls import identify
from conversations.api.openai.schema import parse_body, validated
from meddie.ai import embeddings, local_embedder
from meddie.ai.client import Endpoint
from meddie.ai.errors import NoEmbedder
from meddie.ai.events import MEDDIE, Json
from meddie.ai.tokens import estimate
from meddie.http.api_edge import ApiError

MOST_TEXTS = 2048
MOST_CHARACTERS = 300_000  # of all texts of a request: 15 seconds of a processor
Texts = Annotated[list[str], Field(max_length=MOST_TEXTS)]
Tokens = Annotated[list[int], Field(min_length=1)]
Input = (
    str
    | Annotated[list[str], Field(min_length=1)]
    | Tokens
    | Annotated[list[Tokens], Field(min_length=1)]
)
"""Texts or tokens."""


class _Fields(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    input: Input
    model: str = ""
    encoding_format: Literal["float", "base64"] = "float"


class _Local(_Fields):
    """What the bundled model can do."""

    input: Texts
    dimensions: Literal[512] | None = None


def admitted_body(headers: Mapping[str, str], raw: bytes) -> Json:
    """Of a caller who may ask. Raises ApiError."""
    identify(headers)
    return parse_body(raw)


def embed(body: Json) -> Json:
    """Memory has no part in it. Network. Raises ApiError, AIError."""
    fields = validated(_Fields, body)
    _check_size(fields.input)
    own = fields.model in {"", MEDDIE}
    chosen = embeddings.current_model().name if own else fields.model
    if chosen == local_embedder.NAME:
        return _encoded(body)
    if not Endpoint.for_embeddings().key:
        if own:
            raise NoEmbedder
        text = _("There is no such model. Ask for %(model)s.") % {"model": MEDDIE}
        raise ApiError(404, text, code="model_not_found", param="model")
    format_ = fields.encoding_format
    return embeddings.relay(body | {"model": chosen, "encoding_format": format_})


def _check_size(given: Input) -> None:
    """Of texts or tokens. Raises ApiError."""
    parts = [given] if isinstance(given, str) else given
    sizes = [1 if isinstance(part, int) else len(part) for part in parts]
    if sum(sizes) > MOST_CHARACTERS:
        text = _("The texts of a request have at most %(most)s characters.")
        text %= {"most": MOST_CHARACTERS}
        raise ApiError(400, text, code="invalid_value", param="input")


def _encoded(body: Json) -> Json:
    given = body["input"]
    texts = [given] if isinstance(given, str) else given
    if not all(isinstance(text, str) for text in texts[:1]):
        text = _("Send texts as the input, not tokens, which this model does not know.")
        raise ApiError(400, text, code="invalid_value", param="input")
    fields = validated(_Local, body | {"input": texts})
    if not all(text.strip() for text in texts):
        text = _("The input needs a text, and none may be blank.")
        raise ApiError(400, text, code="invalid_value", param="input")
    rows = local_embedder.encode(texts)
    packed = fields.encoding_format == "base64"
    count = sum(map(estimate, texts))
    return {
        "object": "list",
        "model": local_embedder.NAME,
        "data": [
            {
                "object": "embedding",
                "index": index,
                "embedding": _base64(row) if packed else row.tolist(),
            }
            for index, row in enumerate(rows)
        ],
        "usage": {"prompt_tokens": count, "total_tokens": count},
    }


def _base64(row: Any) -> str:
    """Of little-endian numbers of 32 bits, as OpenAI sends them."""
    return base64.b64encode(np.asarray(row, "<f4").tobytes()).decode()
