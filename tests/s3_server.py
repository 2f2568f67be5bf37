"""A bucket of S3's protocol, without signatures, as far as files need it."""

import threading
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

TROUBLES = ("refuse", "halve", "cut short", "hang up", "vanish")


class Bucket:
    """Objects by name; a context manager while the server runs."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

        class Handler(_Request):
            objects = self.objects

        self.handler = Handler
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self.url = f"s3+http://key:a%2Fb@127.0.0.1:{self._http.server_port}/bucket"

    def be(self, trouble: str, name: str = "") -> None:
        """From now on: one of TROUBLES, for one object or all; "" ends it."""
        self.handler.trouble = trouble, name

    def __enter__(self) -> "Bucket":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Request(BaseHTTPRequestHandler):
    objects: ClassVar[dict[str, bytes]]
    trouble: ClassVar[tuple[str, str]] = ("", "")

    def log_message(self, *_: object) -> None:
        """Do not print."""

    @property
    def name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/bucket").lstrip("/")

    def do_PUT(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self._is_in_trouble():
            return
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            raw = _joined(raw)
        self.objects[self.name] = raw
        self._answer(200, ETag='"x"')

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        if self._is_in_trouble():
            return
        query = parse_qs(urlsplit(self.path).query)
        if not self.name:
            listed = self._listed(query.get("prefix", [""])[0])
            self._answer(200, listed.encode(), Content_Type="application/xml")
        elif self.name in self.objects:
            changed = formatdate(usegmt=True)
            content = self.objects[self.name]
            self._answer(200, content, Last_Modified=changed, ETag='"x"')
        else:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")

    def do_DELETE(self) -> None:
        if self._is_in_trouble():
            return
        self.objects.pop(self.name, None)
        self._answer(204)

    def _is_in_trouble(self) -> bool:
        """Whether the request has been answered, or never will be."""
        trouble, name = self.trouble
        if name not in ("", self.name):
            return False
        if trouble == "refuse":
            self._answer(403, b"<Error><Code>AccessDenied</Code></Error>")
        elif trouble == "vanish":
            self._answer(404, b"<Error><Code>NoSuchBucket</Code></Error>")
        elif trouble == "hang up":
            self.close_connection = True
        elif trouble and self.command == "GET" and self.name in self.objects:
            whole = self.objects[self.name]
            half = whole[: len(whole) // 2]
            stated = half if trouble == "halve" else whole
            self._answer(200, half, length=len(stated), ETag='"x"')
            self.close_connection = True
        else:
            return False
        return True

    def _listed(self, prefix: str) -> str:
        below = [n.removeprefix(prefix) for n in self.objects if n.startswith(prefix)]
        folders = {f"{name.partition('/')[0]}/" for name in below if "/" in name}
        return "".join(
            [
                "<ListBucketResult><IsTruncated>false</IsTruncated>",
                *(
                    f"<CommonPrefixes><Prefix>{escape(prefix + f)}</Prefix></CommonPrefixes>"
                    for f in folders
                ),
                *(
                    f"<Contents><Key>{escape(prefix + name)}</Key></Contents>"
                    for name in below
                    if "/" not in name
                ),
                "</ListBucketResult>",
            ]
        )

    def _answer(
        self, status: int, body: bytes = b"", length: int | None = None, **headers: str
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _joined(raw: bytes) -> bytes:
    """The body without the marks of its chunks."""
    body = b""
    while True:
        head, _, raw = raw.partition(b"\r\n")
        size = int(head.partition(b";")[0], 16)
        if not size:
            return body
        body, raw = body + raw[:size], raw[size + 2 :]
