"""Small files and bodies that become large: memory of the web process, and /healthz meanwhile.

Goals: at most 100 MB more in the web process, and no check above half a second.
"""

import json
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from django.conf import settings

from benchmarks import api_streams
from benchmarks.scene import Scene
from benchmarks.talking import session
from people.models import Space
from tests.conversations.attachments.hostile import lying
from tests.hostile_json import LARGE_VALUES, MEGABYTE, field, filled
from tests.stack.web import WebProcess

IMPORT, CHAT = "/memory/import", "/v1/chat/completions"
LOOK_EVERY = 0.05
AT_ONCE = 8
ZEROS = bytes(MEGABYTE)
Make = Callable[[], bytes]
FILES: dict[str, Make] = {
    "bzip2, states 100 bytes, holds 700 MB": lambda: lying(
        zipfile.ZIP_BZIP2, ZEROS, times=700
    ),
    "LZMA, the same": lambda: lying(zipfile.ZIP_LZMA, ZEROS, times=700),
    "deflate, the same": lambda: lying(zipfile.ZIP_DEFLATED, ZEROS, times=700),
    "deflate, truthful, 95 MB of {},": lambda: packed(filled(b"{},", 95 * MEGABYTE)),
    "24 MB of {},": lambda: filled(b"{},", 24 * MEGABYTE),
    "an honest export of 60 MB, 6 MB packed": lambda: packed(export(60 * MEGABYTE)),
}
FIELDS: dict[str, Make] = {
    f"24 MB of {part.decode()} in an unknown field": (
        lambda part=part: field(filled(part, 24 * MEGABYTE))  # type: ignore[misc] # bound
    )
    for part in (b"{},", b"[],", b'"",', b"1,")
}
BODIES: dict[str, Make] = FIELDS | {
    "24 MB of {}, as messages": lambda: (
        b'{"messages": %s}' % filled(b"{},", 24 * MEGABYTE)
    ),
    **{
        f"a message of 20 MB: {shape}": (
            lambda make=make: said(make(20 * MEGABYTE))  # type: ignore[misc] # bound
        )
        for shape, make in LARGE_VALUES.items()
    },
}
DOORS = {
    "/api/memories": b'{"text": "x", "x": %s}',
    "/api/ingest": b'{"text": "x", "x": %s}',
    "/v3/memories/add/": b'{"messages": [], "x": %s}',
    "/mcp": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "x": %s}',
}


def run(_scene: Scene) -> dict[str, Any]:
    """Of each: bytes, status, seconds, growth in MB and the slowest check in seconds."""
    secret, key = api_streams.secret(), session()
    Space.objects.update(memory_page=True)
    found = {}
    with WebProcess() as web, _client(web, secret, key) as http:
        for _ in range(3):
            _send_file(http, b'[{"content": "User likes tea"}]')
            _send_json(http, CHAT, said(b'"Hi"'))
            _send_json(http, "/mcp", b"{}")
        for name, make in FILES.items():
            found[name] = measure(web, make(), lambda file: _send_file(http, file))
        for name, make in BODIES.items():
            found[name] = measure(
                web, make(), lambda body: _send_json(http, CHAT, body)
            )
        for door, body in DOORS.items():
            large = body % filled(b"{},", 1_900_000)
            found[f"1.9 MB of {{}}, to {door}"] = measure(
                web,
                large,
                lambda sent, door=door: _send_json(http, door, sent),  # type: ignore[misc]
            )
        many = next(iter(FIELDS))
        found[f"{AT_ONCE} at once: {many}"] = measure(
            web, FIELDS[many](), lambda body: _at_once(http, body)
        )
    return found


def measure(
    web: WebProcess, body: bytes, send: Callable[[bytes], int]
) -> dict[str, Any]:
    before, began = _memory(web, "VmRSS"), time.perf_counter()
    Path(f"/proc/{web.process.pid}/clear_refs").write_text("5")  # forget the peak
    with looking(web) as waited:
        status = send(body)
    return {
        "bytes": len(body),
        "status": status,
        "seconds": round(time.perf_counter() - began, 1),
        "growth MB": round(_memory(web, "VmHWM") - before),
        "slowest check": round(max(waited), 2),
    }


@contextmanager
def looking(web: WebProcess) -> Iterator[list[float]]:
    """Seconds that checks take."""
    waited, over = [0.0], threading.Event()

    def look() -> None:
        with httpx2.Client(base_url=web.url, timeout=60) as http:
            while not over.wait(LOOK_EVERY):
                began = time.perf_counter()
                http.get("/healthz").raise_for_status()
                waited.append(time.perf_counter() - began)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield waited
    finally:
        over.set()
        thread.join()


@contextmanager
def _client(web: WebProcess, secret: str, key: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(
        base_url=web.url,
        timeout=300,
        cookies={settings.SESSION_COOKIE_NAME: key},
        headers={"Origin": web.url, "Authorization": f"Bearer {secret}"},
    ) as http:
        http.get(IMPORT).raise_for_status()
        yield http


def _send_file(http: httpx2.Client, file: bytes) -> int:
    token = {"X-CSRFToken": http.cookies["csrftoken"]}
    return http.post(IMPORT, files={"file": ("a.zip", file)}, headers=token).status_code


def _send_json(http: httpx2.Client, path: str, body: bytes) -> int:
    kinds = {"Content-Type": "application/json"}
    kinds["Accept"] = "application/json, text/event-stream"
    return http.post(path, content=body, headers=kinds).status_code


def _at_once(http: httpx2.Client, body: bytes) -> int:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sent = [pool.submit(_send_json, http, CHAT, body) for _ in range(AT_ONCE)]
        return max(one.result() for one in sent)


def said(content: bytes) -> bytes:
    return b'{"model": "m", "messages": [{"role": "user", "content": %s}]}' % content


def packed(content: bytes) -> bytes:
    return lying(zipfile.ZIP_DEFLATED, content, stated=len(content))


def export(size: int) -> bytes:
    """Conversations as ChatGPT exports them, of at least so many bytes."""
    text = "I spoke with the physiotherapist about my knee today. " * 15
    turn = 200  # messages of a conversation
    nodes = {
        str(number): {
            "parent": str(number - 1),
            "message": {
                "id": f"{number}",
                "author": {"role": "user" if number % 2 else "assistant"},
                "create_time": 1_700_000_000 + number,
                "content": {"content_type": "text", "parts": [f"{number} {text}"]},
            },
        }
        for number in range(turn)
    }
    chat = json.dumps({"mapping": nodes, "current_node": str(turn - 1)})
    return f"[{','.join([chat] * (size // len(chat)))}]".encode()


def _memory(web: WebProcess, name: str) -> float:
    """Megabytes."""
    status = Path(f"/proc/{web.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024
