"""A user with facts who talks to Meddie's web process, and a provider."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from django.utils import timezone

from benchmarks.sentences import facts
from memory.facts.imports import import_facts
from memory.values import Candidate, ImportedFact
from people.models import Membership, Space, User
from people.scope import scope_for

FACTS = 40


@contextmanager
def provider(*, latency: float, pace: float = 0, tokens: int = 5) -> Iterator[str]:
    """The base URL of a provider that answers like this."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "benchmarks.provider:answer"]
    options = ["--port", str(port), "--log-level", "warning"]
    told = {"LATENCY": str(latency), "PACE": str(pace), "TOKENS": str(tokens)}
    process = subprocess.Popen([*command, *options], env=os.environ | told)  # noqa: S603 -- our own
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()  # it would wait for its streams
        process.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the provider did not start")


def session() -> str:
    """The key of a session of a user about whom Meddie knows some facts."""
    user = User.objects.create_user(f"{time.time_ns()}@benchmark.invalid")
    space = Space.objects.create(name="Benchmark")
    Membership.objects.create(user=user, space=space)
    scope = scope_for(user, space.pk, channel="web")
    known = [ImportedFact(Candidate(text), timezone.now()) for text in facts(FACTS)]
    list(import_facts(scope, known))
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@asynccontextmanager
async def events(
    url: str, path: str, key: str
) -> AsyncIterator[AsyncIterator[dict[str, object]]]:
    """The events of a reply's stream, read with as little work as can be."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    cookie = f"{settings.SESSION_COOKIE_NAME}={key}"
    head = f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\nCookie: {cookie}\r\n\r\n"
    writer.write(head.encode())
    try:
        yield _parsed(reader)
    finally:
        writer.close()


async def _parsed(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, object]]:
    name = ""
    while line := await reader.readline():
        if line.startswith(b"event: "):
            name = line[7:].strip().decode()
        elif line.startswith(b"data: "):
            yield {"event": name, **json.loads(line[6:])}
            if name in ("end", "gone"):
                return
