"""Meddie for programs that can send no key: each request has that of TEST_KEY."""

import os
from typing import Any

from meddie import asgi

KEY = b"Bearer " + os.environ["TEST_KEY"].encode()


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        sent = [pair for pair in scope["headers"] if pair[0] != b"authorization"]
        scope = {**scope, "headers": [*sent, (b"authorization", KEY)]}
    await asgi.application(scope, receive, send)
