"""The bundled servers as a whole: started by whoever comes first, used by all."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from meddie.embedded import broker, postgres
from meddie.embedded.locations import Locations
from meddie.embedded.lock import InUse, exclusive, no_guests, shared
from meddie.embedded.processes import Child
from meddie.embedded.refusal import Refusal

POSTGRES, REDIS = "postgres", "redis"
BOTH = frozenset({POSTGRES, REDIS})
ENDING = 20.0  # seconds; PostgreSQL writes out what it holds
COMING = 30.0


@contextmanager
def running(
    where: Locations, wanted: Iterable[str] = BOTH, *, durable: bool = True
) -> Iterator[Locations]:
    """Own the data folder, run the servers on it, and end them afterwards."""
    with exclusive(where) as lock, started(where, wanted, lock, durable=durable):
        yield where


@contextmanager
def started(
    where: Locations, wanted: Iterable[str], lock: int, *, durable: bool = True
) -> Iterator[list[Child]]:
    """The servers as children, for somebody who holds the lock of the data folder."""
    children: list[Child] = []
    try:
        if POSTGRES in wanted:
            children.append(postgres.start_postgres(where, lock, durable=durable))
        if REDIS in wanted:
            children.append(broker.start_redis(where, lock))
            broker.wait_for_redis(where, children[-1])
        if POSTGRES in wanted:
            postgres.wait_for_postgres(where, children[0])
        yield children
    finally:
        for child in children:
            child.ask_to_end()
        for child in children:
            child.wait(ENDING)
        where.remove_runtime()


@contextmanager
def available(where: Locations, wanted: Iterable[str]) -> Iterator[None]:
    """The servers for one command: those of whoever runs them, else its own."""
    deadline = time.monotonic() + COMING
    while time.monotonic() < deadline:
        with shared(where) as guest:
            if guest and _answer(where, wanted):
                yield
                return
        try:
            with exclusive(where) as lock, started(where, wanted, lock):
                yield
                with no_guests(where):
                    return
        except InUse:
            time.sleep(0.1)  # it is starting them, or ending them
    raise Refusal(
        f"The servers on {where.data} do not answer; end whatever uses that folder."
    )


def _answer(where: Locations, wanted: Iterable[str]) -> bool:
    asked = {POSTGRES: postgres.answers, REDIS: broker.answers}
    return all(asked[name](where) for name in wanted)
