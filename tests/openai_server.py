"""A local server of the OpenAI protocol that fails on demand.

In a test (fixture `openai_server`) each kind of request is answered from its queue, or
by its default::

    openai_server.chat.queue(says("Hello"), fails(429, retry_after=1), stalls("Hel"))
    openai_server.titles.queue(says("Tea and coffee"))
    openai_server.embeddings.queue(fails(500), fails(500))
    openai_server.chat.default = lambda body: says(body["messages"][-1]["content"])

As a process, with a latency for measurements::

    python -m tests.openai_server --port 8900 --latency 0.2 --pace 0.05
"""

import argparse
import base64
import json
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import django
import numpy as np
from django.conf import settings
from django.db import connections

from meddie.ai.events import text_of
from tests.openai_answers import (
    Answer,
    Handler,
    fails,
    fragments,
    says,
    vector_of,
)

KEY = "test-key"
MAX_INPUT_TOKENS = 8191


@dataclass(frozen=True)
class Request:
    path: str
    body: dict[str, Any]
    headers: dict[str, str]


class Endpoint:
    """One kind of request: the planned answers and the requests so far."""

    def __init__(self, default: Handler) -> None:
        self.default = default
        self.requests: list[Request] = []
        self._next: deque[Answer | Handler] = deque()

    def queue(self, *answers: Answer | Handler) -> None:
        self._next.extend(answers)

    def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        planned = self._next.popleft() if self._next else self.default
        return planned if isinstance(planned, Answer) else planned(request.body)

    @property
    def unused(self) -> int:
        return len(self._next)


class OpenAIServer:
    """The server, in threads of this process; a context manager."""

    def __init__(self, port: int = 0, *, latency: float = 0, pace: float = 0) -> None:
        self.chat = Endpoint(lambda _body: says("I see."))
        self.titles = Endpoint(lambda _body: says("A title"))
        self.embeddings = Endpoint(lambda _body: Answer())
        self.transcriptions = Endpoint(lambda _body: says("Buy oats and tea."))
        self.models = Endpoint(lambda _body: Answer())
        self.latency = latency
        self.pace = pace
        self.key: str | None = KEY
        self.max_input_tokens = MAX_INPUT_TOKENS
        self.dimensions = 1536
        self.hung_up = threading.Event()
        """Set when a client has closed the connection during a stream."""
        self.released = threading.Event()
        """Set it to end the pause of a held answer."""
        self.closing = threading.Event()
        self.open: set[socket.socket] = set()
        self._http = _Server(("127.0.0.1", port), _Talk)
        self._http.owner = self
        self.base_url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.02,), daemon=True
        )

    def __enter__(self) -> "OpenAIServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        for connection in list(self.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    owner: OpenAIServer

    def process_request_thread(self, *arguments: Any) -> None:
        sys.settrace(None)  # no code of the product runs in this thread
        super().process_request_thread(*arguments)

    def handle_error(self, *_: object) -> None:
        """Do not print: tests close connections."""


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def owner(self) -> OpenAIServer:
        assert isinstance(self.server, _Server)
        return self.server.owner

    def setup(self) -> None:
        super().setup()
        self.owner.open.add(self.connection)

    def finish(self) -> None:
        self.owner.open.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def log_message(self, *_: object) -> None:
        """Do not print."""

    def do_GET(self) -> None:
        answer = self._planned(self.owner.models, {"path": self.path})
        if not self._misbehaves(answer):
            self._send_json({"object": "list", "data": [_model("test-chat")]})

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        raw = self.rfile.read(size)
        if self.path.endswith("/transcriptions"):
            self._transcribe(raw)
            return
        body = json.loads(raw)
        if self.path.endswith("/embeddings"):
            self._embed(body)
        elif body.get("stream"):
            self._stream(body)
        else:
            self._complete(body)

    def _planned(self, endpoint: Endpoint, body: dict[str, Any]) -> Answer:
        request = Request(self.path, body, dict(self.headers.items()))
        answer = endpoint.answer(request)
        connections.close_all()  # a queued function may have used the test's database
        key = self.owner.key
        if key and self.headers["Authorization"] != f"Bearer {key}":
            answer = fails(401, error_code="invalid_api_key")
        self._wait(answer.latency or self.owner.latency)
        return answer

    def _misbehaves(self, answer: Answer) -> bool:
        """Send an answer outside the protocol; whether it was one."""
        if answer.raw is not None:
            self._send(answer.raw, answer)
        elif answer.status >= 400:
            error = {"message": f"It says {answer.status}.", "code": answer.error_code}
            self._send(json.dumps({"error": error | {"type": "test"}}).encode(), answer)
        elif answer.then == "stall" and not answer.text:
            self._pause(threading.Event())
        elif answer.then == "disconnect" and not answer.text:
            self._hang_up()
        elif answer.then == "other protocol":
            self.wfile.write(b"220 mail.example.com ESMTP\r\n")
            self._hang_up()
        elif answer.then == "garble" and not answer.text:
            self._send(b'{"choices": [{"mess', answer)
        else:
            return False
        return True

    def _complete(self, body: dict[str, Any]) -> None:
        answer = self._planned(self.owner.titles, body)
        if self._misbehaves(answer):
            return
        message: dict[str, Any] = {"role": "assistant", "content": answer.text}
        called = [one for delta in answer.deltas for one in delta.get("tool_calls", ())]
        if called:  # in pieces, which Meddie joins here, too
            message["tool_calls"] = called
        choice = {"index": 0, "message": message, "finish_reason": answer.finish}
        head = _head(body, "chat.completion")
        self._send_json(head | {"choices": [choice], "usage": _usage(body, answer)})

    def _embed(self, body: dict[str, Any]) -> None:
        answer = self._planned(self.owner.embeddings, body)
        given = body["input"] if isinstance(body["input"], list) else [body["input"]]
        texts = [str(text) for text in given]  # of tokens their numbers
        longest = max(len(text.encode()) / 4 for text in texts)
        if longest > self.owner.max_input_tokens and answer.status == 200:
            answer = fails(400, error_code="context_length_exceeded")
        if self._misbehaves(answer):
            return
        rows = [
            {
                "object": "embedding",
                "index": index,
                "embedding": self._vector(text, body),
            }
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self._send_json(
            {"object": "list", "data": rows, "model": body["model"], "usage": usage}
        )

    def _transcribe(self, raw: bytes) -> None:
        answer = self._planned(self.owner.transcriptions, {"form": raw})
        if not self._misbehaves(answer):
            self._send_json({"text": answer.text})

    def _vector(self, text: str, body: dict[str, Any]) -> list[float] | str:
        asked_for = body.get("dimensions", self.owner.dimensions)
        vector = vector_of(text, min(asked_for, self.owner.dimensions))
        if body.get("encoding_format") == "base64":
            return base64.b64encode(np.array(vector, np.float32).tobytes()).decode()
        return vector

    def _stream(self, body: dict[str, Any]) -> None:
        answer = self._planned(self.owner.chat, body)
        if answer.then != "garble" and self._misbehaves(answer):
            return
        answer = replace(answer, pace=answer.pace or self.owner.pace)
        try:
            self._send_headers(answer, "text/event-stream", chunked=True)
            for event in self._events(body, answer):
                self._send_event(event)
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True
            self.owner.hung_up.set()

    def _events(self, body: dict[str, Any], answer: Answer) -> Iterator[bytes]:
        head = _head(body, "chat.completion.chunk")
        yield from self._deltas(head, answer)
        if answer.then:
            yield from self._break(answer.then)
            return
        if answer.finish:
            yield _event(head, {}, answer.finish)
        if answer.after_finish:
            yield from self._break(answer.after_finish)
            return
        if answer.usage and body.get("stream_options", {}).get("include_usage"):
            counted = head | {"choices": [], "usage": _usage(body, answer)}
            yield json.dumps(counted).encode()
        yield b"[DONE]"

    def _deltas(self, head: dict[str, Any], answer: Answer) -> Iterator[bytes]:
        yield _event(head, {"role": "assistant", "content": ""})
        for delta in answer.deltas:
            yield _event(head, delta)
            self._wait(answer.pace)
        pieces = fragments(answer.text) if answer.pieces is None else answer.pieces
        for number, piece in enumerate(pieces[: answer.after]):
            if number == answer.hold:
                self._pause(self.owner.released)
            yield _event(head, {"content": piece})
            self._wait(answer.pace)
        while answer.endless is not None:
            yield _event(head, answer.endless)
            self._wait(answer.pace)

    def _break(self, how: str) -> Iterator[bytes]:
        match how:
            case "stall":
                self._pause(threading.Event())
            case "disconnect":
                self._hang_up()
            case "garble":
                yield b'{"choices": [{"del'
            case "error":
                error = {"message": "Overloaded.", "type": "server_error", "code": None}
                yield json.dumps({"error": error}).encode()

    def _wait(self, seconds: float) -> None:
        if seconds:
            time.sleep(seconds)

    def _pause(self, until: threading.Event) -> None:
        """Send nothing until the event, or the client closes the connection."""
        while not until.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            gone = readable and not self.connection.recv(1, socket.MSG_PEEK)
            if gone or self.owner.closing.is_set():
                self.owner.hung_up.set()
                raise ConnectionAbortedError

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send_json(self, data: dict[str, Any]) -> None:
        self._send(json.dumps(data).encode(), Answer())

    def _send(self, body: bytes, answer: Answer) -> None:
        self._send_headers(answer, "application/json", length=len(body))
        self.wfile.write(body)

    def _send_headers(
        self, answer: Answer, kind: str, *, length: int = 0, chunked: bool = False
    ) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", kind)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send_event(self, data: bytes) -> None:
        event = b"data: " + data + b"\n\n"
        self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")


def _head(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-test",
        "object": kind,
        "created": 1_700_000_000,
        "model": body["model"],
    }


def _event(
    head: dict[str, Any], delta: dict[str, Any], finish: str | None = None
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps(head | {"choices": [choice]}).encode()


def _usage(body: dict[str, Any], answer: Answer) -> dict[str, int]:
    asked = sum(len(text_of(message).split()) for message in body["messages"])
    said = len(answer.text.split())
    return {
        "prompt_tokens": asked,
        "completion_tokens": said,
        "total_tokens": asked + said,
    }


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "tests"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8900)
    parser.add_argument("--latency", type=float, default=0, help="to the first byte")
    parser.add_argument("--pace", type=float, default=0, help="between two fragments")
    parser.add_argument("--key", default="", help="the only key it takes; else any")
    options = parser.parse_args()
    settings.configure()
    django.setup()  # the stand-in's texts are translated
    server = OpenAIServer(options.port, latency=options.latency, pace=options.pace)
    server.key = options.key or None
    with server, suppress(KeyboardInterrupt):
        print(server.base_url, flush=True)  # noqa: T201 -- its one line of output
        threading.Event().wait()


if __name__ == "__main__":
    main()
