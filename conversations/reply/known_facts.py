"""What is known in the prompt of a turn: the profile, found facts and the newest others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conversations.reply.prompt.context import Brief
from conversations.reply.prompt.facts import FactLine, most_facts
from memory import service
from memory.models import MemoryPolicy
from memory.values import ProfileLine, Recall, Recalled
from people.scope import Scope

NOTHING_RECALLED = Recall()


@dataclass(frozen=True, slots=True)
class KnownFacts:
    found: Recall = NOTHING_RECALLED
    others: Sequence[Recalled] = ()
    profile: Sequence[ProfileLine] = ()


def newest_facts(scope: Scope, policy: MemoryPolicy) -> list[Recalled]:
    """As many as could be in `## Also Known`."""
    return service.newest(scope, most_facts(policy.also_known_tokens))


def recall_facts(
    scope: Scope,
    policy: MemoryPolicy,
    query: service.Query,
    newest: Sequence[Recalled],
    profile: Sequence[ProfileLine],
    ranking: str | None = None,
) -> KnownFacts:
    """Search for facts; of `newest` the others are added. Database only.

    An overview has the whole profile, and otherwise `profile`. Without `ranking` that of
    the chat is used.
    """
    found = service.recall(scope, query, policy=policy, ranking=ranking)
    if found.overview:
        return KnownFacts(found, profile=service.profile(scope, least=0.0))
    there = {item.memory_id for item in found.items}
    others = [item for item in newest if item.memory_id not in there]
    return KnownFacts(found, others, profile)


def with_facts(brief: Brief, known: KnownFacts, policy: MemoryPolicy) -> Brief:
    """The brief with the facts, dated in the user's time zone."""

    def dated(items: Sequence[Recalled]) -> list[FactLine]:
        zone = brief.now.tzinfo
        return [
            FactLine(i.text, i.stated_at.astimezone(zone).date(), i.shared)
            for i in items
        ]

    return replace(
        brief,
        profile=[line.text for line in known.profile],
        facts=dated(known.found.items),
        also_known=dated(known.others),
        also_known_tokens=policy.also_known_tokens,
        total=known.found.total,
    )
