"""The facts in the prompt of a turn: those that a search found, and the newest others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conversations.reply.prompt.context import Brief
from conversations.reply.prompt.facts import FactLine, most_facts
from memory import service
from memory.models import MemoryPolicy
from memory.values import Recall, Recalled
from people.scope import Scope

NOTHING_RECALLED = Recall()


@dataclass(frozen=True, slots=True)
class KnownFacts:
    found: Recall = NOTHING_RECALLED
    others: Sequence[Recalled] = ()


def newest_facts(scope: Scope, policy: MemoryPolicy) -> list[Recalled]:
    """As many as could be in `## Also Known`."""
    return service.newest(scope, most_facts(policy.also_known_tokens))


def recall_facts(
    scope: Scope,
    policy: MemoryPolicy,
    query: service.Query,
    newest: Sequence[Recalled],
) -> KnownFacts:
    """Search for facts; of `newest` the others are added. Database only."""
    found = service.recall(scope, query, ranking=policy.ranking)
    if found.overview:
        return KnownFacts(found)
    there = {item.memory_id for item in found.items}
    return KnownFacts(found, [item for item in newest if item.memory_id not in there])


def with_facts(brief: Brief, known: KnownFacts, policy: MemoryPolicy) -> Brief:
    """The brief with the facts, dated in the user's time zone."""

    def dated(items: Sequence[Recalled]) -> list[FactLine]:
        zone = brief.now.tzinfo
        return [FactLine(i.text, i.stated_at.astimezone(zone).date()) for i in items]

    return replace(
        brief,
        facts=dated(known.found.items),
        also_known=dated(known.others),
        also_known_tokens=policy.also_known_tokens,
        total=known.found.total,
    )
