"""Providers of docs/models.md, by the shapes of their streams and errors.

The shapes are those of the providers' public documentation and of reports of their users;
no provider is called.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from meddie.ai.errors import Refused
from tests.meddie.ai.talk import EVENTS, listen
from tests.openai_answers import raw

DOCS = Path(__file__).parents[3] / "docs"
HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1764000000}
COUNT = {"prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13}


def chunk(delta: Any, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return HEAD | {"choices": [choice]} | fields


def counted(**fields: Any) -> dict[str, Any]:
    return HEAD | {"choices": [], "usage": COUNT} | fields


STREAMS: dict[str, list[Any]] = {
    "OpenAI": [
        chunk(
            {"role": "assistant", "content": "", "refusal": None},
            service_tier="default",
            system_fingerprint="fp_1",
            usage=None,
            obfuscation="x9",
        ),
        chunk({"content": "Hello"}, usage=None, obfuscation="k"),
        chunk({"content": " there"}, usage=None),
        chunk({}, "stop", usage=None),
        counted(),
    ],
    "Anthropic": [
        chunk({"role": "assistant", "content": "Hello"}, model="claude-sonnet-4-5"),
        chunk({"content": " there"}),
        chunk({}, "stop"),
        counted(),
    ],
    # Tokens are counted in each chunk, so far.
    "Google": [
        chunk({"role": "assistant", "content": "Hello"}, usage=COUNT),
        chunk({"role": "assistant", "content": " there"}, "stop", usage=COUNT),
    ],
    "OpenRouter": [
        ": OPENROUTER PROCESSING",
        chunk(
            {
                "role": "assistant",
                "content": "",
                "reasoning": "Hm.",
                "reasoning_details": [],
            },
            provider="Fireworks",
        ),
        ": OPENROUTER PROCESSING",
        chunk({"role": "assistant", "content": "Hello", "reasoning": None}),
        chunk({"content": " there"}, "stop", native_finish_reason="stop"),
        counted(),
    ],
    # A thinking model's content is a list of parts.
    "Mistral": [
        chunk({"role": "assistant", "content": ""}),
        chunk(
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
                ]
            }
        ),
        chunk({"content": [{"type": "text", "text": "Hello"}]}),
        chunk({"content": " there"}),
        chunk({"content": ""}, "stop", usage=COUNT, p="abcd"),
    ],
    "Ollama": [
        chunk(
            {"role": "assistant", "content": "", "reasoning": "Hm."},
            system_fingerprint="fp_ollama",
        ),
        chunk({"role": "assistant", "content": "Hello"}),
        chunk({"role": "assistant", "content": " there"}),
        chunk({"role": "assistant", "content": ""}, "stop"),
        counted(),
    ],
    "LM Studio": [
        chunk({"role": "assistant", "reasoning_content": "Hm."}),
        chunk({"role": "assistant", "content": "Hello"}, system_fingerprint="llama"),
        chunk({"content": " there"}),
        chunk({}, "stop"),
        counted(),
    ],
    "llama.cpp": [
        chunk({"role": "assistant", "content": None}, system_fingerprint="b6000-1"),
        chunk({"content": "Hello"}),
        chunk({"content": " there"}),
        chunk({}, "stop"),
        counted(timings={"prompt_n": 11, "predicted_per_second": 31.2}),
    ],
    "vLLM": [
        chunk({"role": "assistant", "content": ""}, prompt_token_ids=None),
        chunk({"reasoning_content": "Hm."}),
        chunk({"content": "Hello"}, token_ids=None),
        chunk({"content": " there"}),
        chunk({"content": ""}, "stop", stop_reason=None),
        counted(),
    ],
}
ERRORS: dict[str, tuple[int, Any, str]] = {
    "OpenAI, without money": (
        429,
        {
            "error": {
                "message": "You exceeded your current quota.",
                "type": "insufficient_quota",
                "param": None,
                "code": "insufficient_quota",
            }
        },
        "no_quota",
    ),
    "Anthropic, wrong key": (
        401,
        {"error": {"type": "authentication_error", "message": "invalid x-api-key"}},
        "wrong_key",
    ),
    "Anthropic, overloaded": (
        529,
        {
            "type": "error",
            "error": {"type": "overloaded_error", "message": "Overloaded"},
        },
        "provider_down",
    ),
    "Google, wrong key": (
        400,
        [
            {
                "error": {
                    "code": 400,
                    "message": "API key not valid. Please pass a valid API key.",
                    "status": "INVALID_ARGUMENT",
                    "details": [{"reason": "API_KEY_INVALID"}],
                }
            }
        ],
        "wrong_key",
    ),
    "OpenRouter, without money": (
        402,
        {"error": {"code": 402, "message": "Insufficient credits"}},
        "no_quota",
    ),
    "Mistral, too many": (
        429,
        {"object": "error", "message": "Rate limit exceeded", "type": "rate_limited"},
        "rate_limited",
    ),
    "Ollama, no such model": (
        404,
        {
            "error": {
                "message": 'model "x" not found, try pulling it first',
                "code": None,
            }
        },
        "refused",
    ),
    "LM Studio, no model": (
        404,
        {"error": {"message": "No models loaded.", "code": "model_not_found"}},
        "refused",
    ),
    "llama.cpp, loading": (
        503,
        {
            "error": {
                "code": 503,
                "message": "Loading model",
                "type": "unavailable_error",
            }
        },
        "provider_down",
    ),
    "llama.cpp, context full": (
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size",
                "type": "exceed_context_size_error",
                "n_ctx": 4096,
            }
        },
        "refused",
    ),
    "Ollama, out of time": (
        500,
        {"error": {"message": "context deadline exceeded", "code": None}},
        "provider_down",
    ),
    "vLLM, no such model": (
        404,
        {"object": "error", "message": "The model `x` does not exist.", "code": 404},
        "refused",
    ),
}
TOO_LONG: dict[str, tuple[int, Any]] = {
    "OpenAI": (
        400,
        {
            "error": {
                "message": "Please reduce the length of the messages.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            }
        },
    ),
    "Anthropic": (
        400,
        {
            "error": {
                "type": "invalid_request_error",
                "message": "prompt is too long: 208310 tokens > 200000 maximum",
            }
        },
    ),
    "Google": (
        400,
        [
            {
                "error": {
                    "code": 400,
                    "message": "The input token count (1200000) exceeds the maximum"
                    " number of tokens allowed (1048576).",
                    "status": "INVALID_ARGUMENT",
                }
            }
        ],
    ),
    "Mistral": (
        400,
        {
            "object": "error",
            "message": "Prompt contains 33000 tokens, too large for model with 32768"
            " maximum context length",
            "type": "invalid_request_error",
        },
    ),
    "llama.cpp": ERRORS["llama.cpp, context full"][:2],
    "vLLM": (
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 4096 tokens.",
            "type": "BadRequestError",
        },
    ),
}
TOO_LONG_IN_STREAM = (
    'event: error\ndata: {"error": {"message": "Trying to keep the first 9000 tokens'
    " when context the overflows. However, the model is loaded with context length of only"
    ' 4096 tokens."}}\n\n'
)  # LM Studio's, with the status 200
NO_OPTIONS = {
    "object": "error",
    "message": {
        "detail": [
            {
                "type": "extra_forbidden",
                "loc": ["body", "stream_options", "include_usage"],
                "msg": "Extra inputs are not permitted",
            }
        ]
    },
    "type": "invalid_request_error",
    "code": None,
}


def streamed(events: list[Any]) -> bytes:
    lines = (
        one if isinstance(one, str) else f"data: {json.dumps(one)}" for one in events
    )
    return "".join(f"{line}\n\n" for line in [*lines, "data: [DONE]"]).encode()


@pytest.mark.parametrize("provider", STREAMS)
async def test_stream_of_each_provider_is_read(openai_server, provider):
    openai_server.chat.queue(raw(streamed(STREAMS[provider]), headers=EVENTS))
    heard = await listen()
    assert (heard.outcome, heard.text) == ("done", "Hello there")
    assert heard.usage
    assert (heard.usage.tokens_in, heard.usage.tokens_out) == (11, 2)


@pytest.mark.parametrize("name", ERRORS)
async def test_error_of_each_provider_is_understood(openai_server, name):
    status, body, outcome = ERRORS[name]
    answer = raw(json.dumps(body).encode(), status=status)
    openai_server.chat.default = lambda _body: answer
    assert (await listen()).outcome == outcome


@pytest.mark.parametrize("provider", [*TOO_LONG, "LM Studio"])
async def test_prompt_that_is_too_long_is_known_in_the_words_of_each_provider(
    openai_server, provider
):
    status, body = TOO_LONG.get(provider, (200, None))
    sent = json.dumps(body) if body else TOO_LONG_IN_STREAM
    answer = raw(sent.encode(), status=status, headers={} if body else EVENTS)
    openai_server.chat.default = lambda _body: answer
    error = (await listen()).error
    assert isinstance(error, Refused)
    assert error.is_too_long
    assert len(openai_server.chat.requests) == 1


async def test_strict_provider_is_asked_again_without_later_options(openai_server):
    """Mistral's validation names what it does not know."""
    openai_server.chat.queue(
        raw(json.dumps(NO_OPTIONS).encode(), status=422),
        raw(streamed(STREAMS["Mistral"]), headers=EVENTS),
    )
    assert (await listen()).text == "Hello there"
    assert "stream_options" not in openai_server.chat.requests[-1].body


async def test_error_within_a_stream_ends_it(openai_server):
    """As OpenRouter tells that its provider has gone."""
    error = {"code": "server_error", "message": "Provider disconnected"}
    events = [chunk({"content": "Hel"}), chunk({"content": ""}, "error", error=error)]
    openai_server.chat.queue(raw(streamed(events), headers=EVENTS))
    heard = await listen()
    assert heard.text == "Hel"
    assert heard.outcome != "done"


def test_each_provider_has_a_recipe_of_known_settings():
    page = (DOCS / "models.md").read_text()
    for provider in STREAMS:
        assert f"\n## {provider}" in page, provider
    names = set(re.findall(r"^([A-Z_]+)=", page, re.MULTILINE))
    known = re.findall(
        r"^\| `([A-Z_]+)`", (DOCS / "settings.md").read_text(), re.MULTILINE
    )
    assert names <= set(known)
