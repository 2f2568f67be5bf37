"""Connections whose headers do not arrive, on a real server."""

import socket
import threading

import pytest
import uvicorn

from meddie.embedded.locations import Locations
from meddie.embedded.programs import program_commands
from meddie.http import header_deadline
from tests.waiting import PATIENCE, wait_until

PROTOCOL = "meddie.http.header_deadline:HeaderDeadline"
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"


async def application(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@pytest.fixture
def connection(monkeypatch):
    monkeypatch.setattr(header_deadline, "HEAD_SECONDS", 0.3)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, http=PROTOCOL, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    with socket.create_connection(listening.getsockname()) as opened:
        opened.settimeout(PATIENCE)
        yield opened
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.mark.parametrize("sent", [b"", b"G", HEAD])
def test_connection_with_half_a_head_is_closed(connection, sent):
    connection.sendall(sent)
    assert connection.recv(1) == b""


def test_half_a_head_after_an_answer_is_closed_too(connection):
    connection.sendall(HEAD + b"\r\n")
    assert b"204" in connection.recv(1000)
    connection.sendall(HEAD)
    assert connection.recv(1) == b""


def test_body_may_come_later(connection):
    connection.sendall(HEAD.replace(b"GET", b"POST") + b"Content-Length: 9\r\n\r\n")
    assert b"204" in connection.recv(1000)


def test_every_way_to_start_the_web_names_the_protocol(settings, tmp_path):
    dockerfile = (settings.BASE_DIR / "Dockerfile").read_text()
    assert PROTOCOL in dockerfile
    assert PROTOCOL in program_commands(Locations(tmp_path), 8000)["web"]
