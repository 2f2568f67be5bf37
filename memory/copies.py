"""Copies of facts, which are not shown again once these are forgotten. Apps register theirs.

And what else they do when facts change.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from people.models import Space, User
from people.scope import Scope


def _nothing(*_: Any) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Copies:
    """What is done to one kind of copies, in a transaction."""

    # Those that speak of a line, or all, up to the time of the wish.
    forget: Callable[[Scope, Collection[str] | None, datetime | None], None] = _nothing
    # Those that state facts, whose texts are blanked next.
    withhold: Callable[[Sequence[Any]], None] = _nothing
    # Those that used a fact, which was retired (but not archived), restored or moved.
    check: Callable[[Any], None] = _nothing
    # What proves that facts are gone which were forgotten together.
    forgotten: Callable[[Scope, Sequence[Any]], None] = _nothing
    # What tests prompts: a first fact about someone that no answer may overlook was stored.
    first_vital: Callable[[Scope], None] = _nothing
    # Staff restore facts within it.
    restoring: Callable[[Scope], AbstractContextManager[Any]] = nullcontext
    # What a space has of a user.
    erase: Callable[[User, Space], None] = _nothing


COPIES: list[Copies] = []


def forget_copies(
    scope: Scope, lines: Collection[str] | None, until: datetime | None = None
) -> None:
    for copy in COPIES:
        copy.forget(scope, lines, until)


def withhold_copies(facts: Sequence[Any]) -> None:
    for copy in COPIES:
        copy.withhold(facts)


def check_copies(fact: Any) -> None:
    for copy in COPIES:
        copy.check(fact)


def tell_of_forgotten(scope: Scope, facts: Sequence[Any]) -> None:
    for copy in COPIES:
        copy.forgotten(scope, facts)


def tell_of_first_vital(scope: Scope) -> None:
    for copy in COPIES:
        copy.first_vital(scope)


@contextmanager
def restoring_copies(scope: Scope) -> Iterator[None]:
    with ExitStack() as stack:
        for copy in COPIES:
            stack.enter_context(copy.restoring(scope))
        yield


def erase_copies_of(user: User, space: Space) -> None:
    for copy in COPIES:
        copy.erase(user, space)
