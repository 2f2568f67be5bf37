"""Copies of the texts of facts outside of their rows."""

from collections.abc import Collection

from memory import journal
from memory.capture import deferred
from memory.capture.journal_lines import drop_journal_lines, forgotten_messages
from memory.hooks import hooks
from memory.values import Provenance
from people.scope import Scope


def erase_copies(
    scope: Scope,
    lines: Collection[str],
    *,
    wish: Provenance | None = None,
    wished: str = "",
) -> bool:
    """Erase forgotten facts from jobs, model answers, unreadable blocks and journals.

    Return whether a message other than that of the wish was dropped.
    """
    told = [*lines, *filter(None, [wished])]
    # First: a message that is stored meanwhile has its job afterwards.
    hooks.forgetting(scope, told, wish.stated_at if wish else None)
    deferred.drop_facts(scope, lines)
    journal.erase_blocks(scope)
    drop_journal_lines(scope, forgotten_messages(scope, wish))
    return deferred.drop_messages(scope, told, wish)
