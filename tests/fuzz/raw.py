"""Requests that no client library sends, over a socket to a real web process."""

import socket
from contextlib import suppress

HOST = b"Host: 127.0.0.1\r\n"
POST = b"POST /chat/send HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SMUGGLED = b"GET /account HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

REQUESTS: tuple[bytes, ...] = (
    b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"\x00\x01\x02\x03\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n"
    + HOST
    + HOST.replace(b"127.0.0.1", b"evil.example")
    + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:x\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET * HTTP/1.1\r\n" + HOST + b"\r\n",
    b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
    b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n",
    b"EVIL / HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /% HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /%zz/%ff/%00 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET //../../etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /static/../manage.py HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /?\xff=\xff HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /admin/memory/memory/?q="
    + b"a+" * 500_000
    + b" HTTP/1.1\r\n"
    + HOST
    + b"\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 200_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: " + b"a=1; " * 5000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: sessionid=\xff\x01; csrftoken=\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Folded: a\r\n b\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Space : a\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b": a\r\n\r\n",
    b"GET / HTTP/1.1\n" + HOST + b"X: a\rb\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Range: bytes=-1,0-99999999999999999999\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Accept-Language: " + b"x-" * 5000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X-Forwarded-For: \xff, , 9\r\n\r\n",
    POST + b"Content-Length: -1\r\n\r\nx",
    POST + b"Content-Length: 1e3\r\n\r\nx",
    POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\ntext=x",
    POST + b"Content-Length: 99999999999999999999\r\n\r\nx",
    POST
    + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    + SMUGGLED,
    POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + SMUGGLED,
    POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    POST + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    POST + b"Expect: 100-continue\r\nContent-Length: 6\r\n\r\ntext=x",
    CHUNKED + b"zz\r\nx\r\n0\r\n\r\n",
    CHUNKED + b"-1\r\nx\r\n0\r\n\r\n",
    CHUNKED + b"ffffffffffffffffff\r\nx",
    CHUNKED + b"1;" + b"x" * 100_000 + b"\r\nx\r\n0\r\n\r\n",
    CHUNKED + b"1\r\nxx\r\n0\r\n\r\n",
    CHUNKED + b"0\r\nTrailer: x\r\n\r\n" + SMUGGLED,
)


def exchange(port: int, request: bytes, patience: float = 2.0) -> bytes:
    """What the server sends until it hangs up, or is silent for `patience` seconds."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as connection:
        with suppress(OSError):  # the server may hang up before the end of the request
            connection.sendall(request)
        with suppress(OSError):
            while piece := connection.recv(65536):
                answer += piece
    return answer
