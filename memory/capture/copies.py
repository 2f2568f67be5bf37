"""Copies of the texts of facts outside of their rows."""

from collections.abc import Collection

from memory import journal
from memory.capture import deferred
from memory.values import Provenance
from people.scope import Scope


def erase_copies(
    scope: Scope,
    lines: Collection[str],
    *,
    wish: Provenance | None = None,
    wished: str = "",
) -> bool:
    """Erase forgotten facts from waiting jobs, model answers and unreadable blocks.

    Return whether a message other than that of the wish was dropped.
    """
    deferred.drop_facts(scope, lines)
    journal.erase_blocks(scope)
    return deferred.drop_messages(scope, [*lines, *filter(None, [wished])], wish)
