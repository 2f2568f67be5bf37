"""Copies of the texts of facts outside of their rows."""

from collections.abc import Collection

from memory import journal
from memory.capture import deferred
from people.scope import Scope


def erase_copies(scope: Scope, lines: Collection[str]) -> None:
    """Erase forgotten facts from waiting jobs, model answers and unreadable blocks."""
    deferred.drop_facts(scope, lines)
    journal.erase_blocks(scope)
