"""The servers of this test run, which storms kill and start again."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import psutil

from meddie.embedded.locations import Locations
from meddie.embedded.lock import exclusive_lock
from meddie.embedded.postgres import wait_for_postgres
from meddie.embedded.processes import Child
from meddie.embedded.servers import BOTH, started_servers, wait_for_redis

WAITS = {"postgres": wait_for_postgres, "redis": wait_for_redis}
running: list["Server"] = []


@dataclass
class Server:
    """PostgreSQL or Redis, without flushes to the disk."""

    where: Locations
    child: Child

    @property
    def name(self) -> str:
        return self.child.name

    def kill(self) -> None:
        """SIGKILL to all of its processes, as when a container is killed."""
        process = self.child.process
        family = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait()
        for child in family:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(family)

    def start(self) -> None:
        """Start it on the same data, and wait until it answers."""
        self.child.process = self.child.start()
        WAITS[self.name](self.where, self.child)


def start(where: Locations) -> Callable[[], None]:
    """Start both; returns what ends them. Raises Refusal."""
    stack = ExitStack()
    lock = stack.enter_context(exclusive_lock(where))
    children = stack.enter_context(started_servers(where, BOTH, lock, durable=False))
    running.extend(Server(where, child) for child in children)
    return stack.close
