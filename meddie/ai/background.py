"""Ask a model in the background, where each call is counted for a user."""

from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from uuid import UUID

from meddie.ai.errors import TimedOut
from meddie.threads import run_coroutine

if TYPE_CHECKING:
    from meddie.ai.provider import Provider

T = TypeVar("T")


class Counter(Protocol):
    def __call__(self, user_id: UUID, calls: int, *, made: bool) -> None:
        """Raises NoCallsLeft, except for calls that were `made`."""


@dataclass(slots=True)
class Calls:
    made: int = 0


_payer: ContextVar[UUID | None] = ContextVar("payer", default=None)
_calls: ContextVar[Calls | None] = ContextVar("calls", default=None)
CALL_COUNTERS: list[Counter] = []
"""An app adds its own when it starts."""


@contextmanager
def paid_by(user_id: UUID | None) -> Iterator[None]:
    """Whose calls are made; None for no user's, which are not counted."""
    token = _payer.set(user_id)
    try:
        yield
    finally:
        _payer.reset(token)


def note_call() -> None:
    """Note that a call is sent to a provider."""
    if calls := _calls.get():
        calls.made += 1


def answer_of(
    provider: "Provider",
    asking: Coroutine[Any, Any, T],
    patience: float | None = None,
) -> T:
    """Wait for what a provider is asked. Raises AIError, and NoCallsLeft before asking.

    The first call is counted before it is made, as other workers count at the same time;
    its repetitions after. Each has its own limit; `patience` in seconds where a user
    waits for all of them.
    """
    user_id = _payer.get() if provider.connected else None
    try:
        _count(user_id, 1)
    except BaseException:  # else Python warns of a coroutine that did not run
        asking.close()
        raise
    calls = Calls()
    token = _calls.set(calls)
    try:
        return run_coroutine(asking, patience)
    except TimeoutError as error:
        raise TimedOut from error
    finally:
        _calls.reset(token)
        _count(user_id, calls.made - 1, made=True)


def _count(user_id: UUID | None, calls: int, *, made: bool = False) -> None:
    if user_id is None or calls <= 0:
        return
    for count in CALL_COUNTERS:
        count(user_id, calls, made=made)
