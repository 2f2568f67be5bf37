"""A web process with the database of the test, and a signed-in client."""

import os
import re
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx2
from django.conf import settings

from tests.stack.processes import environment
from tests.waiting import PATIENCE, wait_until


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class WebProcess:
    """uvicorn in a process; a context manager. With a log, it tells all it can."""

    def __init__(
        self,
        log: Path | None = None,
        application: str = "meddie.asgi:application",
        **more: str,
    ) -> None:
        self.log = log
        self.application = application
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = environment(**more)

    def __enter__(self) -> "WebProcess":
        command = [sys.executable, "-m", "uvicorn", self.application]
        options = ["--port", str(self.port), "--timeout-graceful-shutdown", "1"]
        options += ["--log-level", "debug" if self.log else "warning"]
        with (self.log or Path(os.devnull)).open("ab") as output:
            self.process = subprocess.Popen(
                [*command, *options],
                env=self.environment,
                stdout=output if self.log else None,
                stderr=subprocess.STDOUT if self.log else None,
            )
        try:
            wait_until(self._answers, lambda: "the web process did not start")
        except AssertionError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def _answers(self) -> bool:
        with suppress(httpx2.TransportError):
            return httpx2.get(f"{self.url}/healthz").is_success
        return False

    def client(self, session: str) -> httpx2.AsyncClient:
        """An HTTP client that is signed in by the key of a session."""
        return httpx2.AsyncClient(
            base_url=self.url,
            cookies={settings.SESSION_COOKIE_NAME: session},
            headers={"Origin": self.url},
            timeout=PATIENCE,
            limits=httpx2.Limits(max_connections=200),
        )


async def say(
    client: httpx2.AsyncClient, text: str, conversation: str = "", space: str = ""
) -> str:
    """Send a message as the page does; return the path of the reply's stream."""
    if "csrftoken" not in client.cookies:
        await client.get("/chat/new")
    answer = await client.post(
        "/chat/send",
        data={"text": text, "conversation": conversation, "space": space},
        headers={"HX-Request": "true", "X-CSRFToken": client.cookies["csrftoken"]},
    )
    assert answer.status_code == 200, answer.text
    stream = re.search(r'data-stream="([^"]+)"', answer.text)
    assert stream, answer.text
    return stream[1]
