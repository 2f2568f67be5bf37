"""The HTTP side of the scripted Bot API."""

import json
import socket
import sys
from contextlib import suppress
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.telegram_answers import Answer

Parameters = dict[str, Any]


class Api(Protocol):
    """What answers the calls, and knows the open connections."""

    open: set[socket.socket]

    def serve(
        self, token: str, method: str, params: Parameters
    ) -> tuple[Answer, Any]: ...


class ApiServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    owner: "Api"

    def process_request_thread(self, *arguments: Any) -> None:
        sys.settrace(None)  # nothing of the product runs in this thread
        super().process_request_thread(*arguments)

    def handle_error(self, *_: object) -> None:
        """Clients that hang up are part of the tests."""


class ApiHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def owner(self) -> "Api":
        assert isinstance(self.server, ApiServer)
        return self.server.owner

    def setup(self) -> None:
        super().setup()
        self.owner.open.add(self.connection)

    def finish(self) -> None:
        self.owner.open.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path.startswith("/file/bot"):
            self._download(path)
        else:
            self._call()

    def do_POST(self) -> None:
        self._call()

    def _call(self) -> None:
        address = urlsplit(self.path)
        token, _, method = unquote(address.path).removeprefix("/bot").partition("/")
        params: Parameters = dict(parse_qsl(address.query)) | self._body()
        answer, result = self.owner.serve(token, method, params)
        if answer.then in {"hang up", "vanish"}:
            self._hang_up()
        elif answer.then == "garble":
            self._send(200, answer.raw)
        elif answer.status:
            self._send(answer.status, json.dumps(_error(answer)).encode())
        else:
            self._send(200, json.dumps({"ok": True, "result": result}).encode())

    def _body(self) -> Parameters:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind = self.headers.get("Content-Type", "")
        if kind.startswith("application/json"):
            return dict(json.loads(raw or b"{}"))
        if kind.startswith("multipart/form-data"):
            return _multipart(kind, raw)
        return dict(parse_qsl(raw.decode(), keep_blank_values=True))

    def _download(self, path: str) -> None:
        token, _, place = path.removeprefix("/file/bot").partition("/")
        answer, content = self.owner.serve(token, "download", {"file_path": place})
        if answer.then:
            self._hang_up()
        elif answer.status:
            self._send(answer.status, json.dumps(_error(answer)).encode())
        else:
            self._stream(content)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _stream(self, content: bytes) -> None:
        """Send chunks without a Content-Length."""
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with suppress(OSError):
            for start in range(0, len(content), 65536):
                piece = content[start : start + 65536]
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")

    def _send(self, status: int, body: bytes) -> None:
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


def _error(answer: Answer) -> Parameters:
    error = {"error_code": answer.status, "description": answer.description}
    wait = {"parameters": {"retry_after": answer.retry_after}}
    return {"ok": False} | error | (wait if answer.retry_after else {})


def _multipart(kind: str, raw: bytes) -> Parameters:
    head = f"Content-Type: {kind}\r\n\r\n".encode()
    message = BytesParser(EmailMessage, policy=HTTP).parsebytes(head + raw)
    return {
        str(part.get_param("name", header="content-disposition")): str(
            bytes(part.get_payload(decode=True)), "utf-8"
        )
        for part in message.iter_parts()
    }
