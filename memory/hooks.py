"""What the app above memory does when facts change; it sets it when it starts."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from people.models import Space, User
from people.scope import Scope


def _nothing(_facts: Sequence[Any]) -> None:
    return None


def _keep_all(
    _scope: Scope, _lines: Collection[str] | None, _until: datetime | None
) -> None:
    return None


def _erase_nothing(_user: User, _space: Space) -> None:
    return None


@dataclass
class Hooks:
    """`before_blanking` gets the memories or profile facts whose texts are erased next.

    `forgetting` gets the forgotten lines, or None for everything, and the time of the
    wish, if there is one. Staff restore facts within `restoring`. All these are called
    in a transaction. `erasing` deletes what a space has of a user.
    """

    before_blanking: Callable[[Sequence[Any]], None] = _nothing
    forgetting: Callable[[Scope, Collection[str] | None, datetime | None], None] = (
        _keep_all
    )
    restoring: Callable[[Scope], AbstractContextManager[Any]] = nullcontext
    erasing: Callable[[User, Space], None] = _erase_nothing


hooks = Hooks()
