"""Downloads of a signed-in client, for the tests."""

import io
import json
from typing import Any
from zipfile import ZipFile

from asgiref.sync import async_to_sync

from tests.factories import PASSWORD

DOWNLOAD = "/account/download"


def ask(client: Any, password: str = PASSWORD) -> Any:
    return client.post(DOWNLOAD, {"password": password})


def download(client: Any) -> ZipFile:
    return ZipFile(io.BytesIO(content_of(ask(client))))


def content_of(response: Any) -> bytes:
    async def read() -> bytes:
        try:
            return b"".join([piece async for piece in response])
        finally:
            response.close()

    return async_to_sync(read)()


def read_json(archive: ZipFile, end: str) -> Any:
    return json.loads(read_text(archive, end))


def read_text(archive: ZipFile, end: str) -> str:
    """The only entry whose name ends so."""
    (name,) = [name for name in archive.namelist() if name.endswith(end)]
    return archive.read(name).decode()
