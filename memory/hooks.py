"""What the app above memory does when facts change; it sets it when it starts."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from people.scope import Scope


def _nothing(_facts: Sequence[Any]) -> None:
    return None


@dataclass
class Hooks:
    """`before_blanking` gets the memories or profile facts whose texts are erased next.

    Staff restore facts within `restoring`. Both are called in a transaction.
    """

    before_blanking: Callable[[Sequence[Any]], None] = _nothing
    restoring: Callable[[Scope], AbstractContextManager[Any]] = nullcontext


hooks = Hooks()
