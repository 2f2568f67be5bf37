"""A model provider in a process of its own that costs next to nothing.

    LATENCY=0.05 PACE=0.05 TOKENS=200 uvicorn benchmarks.provider:answer

It waits, then streams TOKENS words at that pace, for every request.
"""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

LATENCY = float(os.environ.get("LATENCY", "0.05"))
PACE = float(os.environ.get("PACE", "0"))
TOKENS = int(os.environ.get("TOKENS", "5"))
HEAD = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def answer(scope: dict[str, Any], receive: Any, send: Send) -> None:
    """The ASGI application."""
    if scope["type"] != "http":
        return
    asked = b""
    while (message := await receive()).get("more_body"):
        asked += message["body"]
    body = json.loads((asked + message.get("body", b"")) or b"{}")
    if body.get("stream"):
        await _stream(send)
    else:
        await _whole(send)


async def _stream(send: Send) -> None:
    await asyncio.sleep(LATENCY)
    await _start(send, b"text/event-stream")
    for number in range(TOKENS):
        await _event(send, _chunk({"content": f"word{number} "}))
        await asyncio.sleep(PACE)
    await _event(send, _chunk({}, "stop"))
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


async def _whole(send: Send) -> None:
    message = {"role": "assistant", "content": "A title"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    await _start(send, b"application/json")
    whole = HEAD | {"object": "chat.completion", "choices": [choice], "usage": usage}
    await send({"type": "http.response.body", "body": json.dumps(whole).encode()})


async def _start(send: Send, kind: bytes) -> None:
    headers = [(b"content-type", kind)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _event(send: Send, data: dict[str, Any]) -> None:
    body = f"data: {json.dumps(data)}\n\n".encode()
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _chunk(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    return HEAD | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
