"""Copies of the texts of facts outside of their rows."""

from collections.abc import Collection

from memory.copies import forget_copies
from memory.facts import deferred, store
from memory.facts.journal_lines import drop_journal_lines, forgotten_messages
from memory.models import Memory, MemoryEvent
from memory.values import Provenance
from memory.words import grounded
from people.scope import Scope


def erase_copies(
    scope: Scope,
    lines: Collection[str],
    *,
    wish: Provenance | None = None,
    wished: str = "",
) -> bool:
    """Erase forgotten facts from jobs, model answers, unreadable blocks and journals.

    Evidence of other facts that speaks of them goes, too.

    Return whether a message other than that of the wish was dropped.
    """
    told = [*lines, *filter(None, [wished])]
    # First: a message that is stored meanwhile has its job afterwards.
    forget_copies(scope, told, wish.stated_at if wish else None)
    deferred.drop_facts(scope, lines)
    MemoryEvent.objects.erase_texts(store.owner(scope), scope.space_id)
    _erase_evidence(scope, told)
    drop_journal_lines(scope, forgotten_messages(scope, wish))
    return deferred.drop_messages(scope, told, wish)


def _erase_evidence(scope: Scope, lines: Collection[str]) -> None:
    quoting = Memory.objects.owned_by(scope).exclude(evidence="")
    keys = [
        key
        for key, evidence in quoting.values_list("pk", "evidence").iterator()
        if any(grounded(line, evidence) for line in lines)
    ]
    Memory.objects.filter(pk__in=keys).update(evidence="")
