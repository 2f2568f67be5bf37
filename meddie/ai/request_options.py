"""Request parameters that differ between models."""

import re
from typing import Any

# Reasoning models refuse a temperature, and their reasoning counts as tokens.
_REASONING = re.compile(r"(^|/)(gpt-5(?!\S*chat)|o\d)")
THINKING_TOKENS = 2000


def chat_options(model: str) -> dict[str, Any]:
    """Little reasoning: a user waits."""
    if _REASONING.search(model):
        return {"model": model, "reasoning_effort": "low"}
    return {"model": model}


def short_options(model: str, max_tokens: int, temperature: float) -> dict[str, Any]:
    if _REASONING.search(model):
        limit = max_tokens + THINKING_TOKENS
        return chat_options(model) | {"max_completion_tokens": limit}
    return {"model": model, "max_tokens": max_tokens, "temperature": temperature}


def embedding_options(model: str) -> dict[str, Any]:
    """Ask OpenAI's third generation for the database's width."""
    options: dict[str, Any] = {"model": model, "encoding_format": "float"}
    if re.search(r"(^|/)text-embedding-3-", model):
        options["dimensions"] = 1536
    return options
