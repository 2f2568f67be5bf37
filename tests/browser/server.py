"""The real application on a real server, in a thread of the test's process.

The same process, so that its database is the test's and its lines are counted. Its
event loop lives for the whole run, like that of a web process.
"""

import socket
import threading

import uvicorn

from meddie.asgi import application
from tests.waiting import PATIENCE, wait_until


class Server:
    """uvicorn on a free port, from `start` to `stop`."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        config = uvicorn.Config(application, lifespan="on", log_level="warning")
        config.timeout_graceful_shutdown = 1
        self.uvicorn = uvicorn.Server(config)
        self.thread = threading.Thread(
            target=self.uvicorn.run, args=([self.socket],), name="web", daemon=True
        )

    def start(self) -> None:
        self.thread.start()
        wait_until(lambda: self.uvicorn.started or not self.thread.is_alive())
        assert self.uvicorn.started, "the web server could not start"

    def wait_until_idle(self) -> None:
        """Wait for the end of all requests. Their pages must be closed."""
        wait_until(lambda: not self.uvicorn.server_state.tasks)

    def stop(self) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(PATIENCE)
