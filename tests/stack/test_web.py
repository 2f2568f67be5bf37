"""The web process at its edge: bodies, plain http and foreign hosts."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from asgiref.sync import async_to_sync

from tests.stack.web import WebProcess
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

MEGABYTE = 1024 * 1024


def raw(web, *lines):
    """A connection with a request whose body has not been sent."""
    connection = socket.create_connection(("127.0.0.1", web.port), PATIENCE)
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection


def written_bytes(web):
    """The size of the unnamed files that the process opened."""
    size = 0
    for file in Path(f"/proc/{web.process.pid}/fd").iterdir():
        if file.name in {"0", "1", "2"}:  # of the test's process
            continue
        with suppress(FileNotFoundError):  # closed meanwhile
            size += file.stat().st_size if "(deleted)" in str(file.readlink()) else 0
    return size


@pytest.mark.parametrize(
    ("header", "piece", "most_written"),
    [
        ("Content-Length: 419430400", b"x" * MEGABYTE, 0),
        (
            "Transfer-Encoding: chunked",
            b"100000\r\n%b\r\n" % (b"x" * MEGABYTE),
            25 * MEGABYTE,
        ),
    ],
)
def test_body_of_400_megabytes_is_refused(
    transactional_db, header, piece, most_written
):
    written = 0
    with (
        WebProcess() as web,
        raw(web, "POST /sign-in HTTP/1.1", "Host: localhost", header) as connection,
    ):
        with suppress(ConnectionError):  # it is closed while data arrives
            for _ in range(400):
                connection.sendall(piece)
                written = max(written, written_bytes(web))
        with raw(web, "POST /sign-in HTTP/1.1", "Host: localhost", header) as other:
            for _ in range(26 if most_written else 0):
                other.sendall(piece)
            told = other.recv(MEGABYTE) + other.recv(MEGABYTE)
    assert told.startswith(b"HTTP/1.1 413 ")
    assert b"A request has at most 25 MB." in told
    assert written <= most_written


def test_three_hundred_slow_bodies_end(transactional_db):
    request = (
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx"
    )

    async def open_slowly(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        status = await reader.readline()
        await reader.read()
        writer.close()
        return status

    async def open_all():
        slow = [open_slowly(web.port) for _ in range(300)]
        return await asyncio.wait_for(asyncio.gather(*slow), PATIENCE)

    with WebProcess(application="tests.stack.impatient:application") as web:
        statuses = async_to_sync(open_all)()
        assert httpx2.get(f"{web.url}/healthz").is_success
    assert set(statuses) == {b"HTTP/1.1 408 Request Timeout\r\n"}


@pytest.mark.parametrize("public", ["https://meddie.example", "http://meddie.example"])
def test_browsers_are_told_to_stay_with_https_where_it_is_public(
    transactional_db, public
):
    with WebProcess(PUBLIC_URL=public) as web:
        page = httpx2.get(f"{web.url}/sign-in", headers={"X-Forwarded-Proto": "https"})
    told = page.headers.get("Strict-Transport-Security")
    assert told == ("max-age=31536000" if public.startswith("https") else None)
