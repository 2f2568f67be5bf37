"""The request parameters in which models differ."""

import re
from typing import Any

# These think before they write: they refuse a temperature, and what they think counts
# against the limit of tokens.
_REASONING = re.compile(r"(^|/)(gpt-5(?!\S*chat)|o\d)")
THINKING_TOKENS = 2000


def chat_options(model: str) -> dict[str, Any]:
    """A person waits for the first word, so reasoning models think briefly."""
    if _REASONING.search(model):
        return {"model": model, "reasoning_effort": "low"}
    return {"model": model}


def short_options(model: str, max_tokens: int, temperature: float) -> dict[str, Any]:
    if _REASONING.search(model):
        limit = max_tokens + THINKING_TOKENS
        return chat_options(model) | {"max_completion_tokens": limit}
    return {"model": model, "max_tokens": max_tokens, "temperature": temperature}


def embedding_options(model: str) -> dict[str, Any]:
    """Models of OpenAI's third generation can be asked for vectors that fit."""
    options: dict[str, Any] = {"model": model, "encoding_format": "float"}
    if re.search(r"(^|/)text-embedding-3-", model):
        options["dimensions"] = 1536
    return options
