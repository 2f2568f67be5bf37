"""What Meddie remembers, for the prompt of a call and for its answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.conf import settings

from conversations.api.openai.schema import ApiRequest
from conversations.reply.basis import basis_of, remarks_of
from conversations.reply.finish import SECTION_OF
from conversations.reply.history import Spoken
from conversations.reply.known import know, query_of
from conversations.reply.known_facts import KnownFacts
from conversations.reply.lookup import Lookup
from conversations.reply.prompt import context
from conversations.reply.prompt_place import place_of_call
from meddie.ai.events import Basis, Json
from meddie.ai.provider import current_provider
from meddie.tracing import span
from memory.models import MemoryPolicy
from memory.reasons import Reason
from memory.values import ProfileLine, Recalled
from people.models import User
from people.scope import Scope


@dataclass(frozen=True, slots=True)
class UsedMemory:
    """`text` and `added` are for the client's system message and last message.

    `used` counts the items of their sections.
    """

    text: str = ""
    added: str = ""
    known: KnownFacts = field(default_factory=KnownFacts)
    used: Mapping[str, int] = field(default_factory=dict)
    lookup: Lookup | None = None
    basis: Basis = field(default_factory=Basis)
    # Why nothing is used.
    reason: Reason | None = None

    def told(self) -> Json:
        """What answers tell of it."""
        told: Json = {"memories": self.listed()}
        return told | self.reason.told if self.reason else told

    def listed(self) -> list[Json]:
        """What is in the prompt; the score of a profile fact is its importance.

        What a search found is marked as relevant.
        """
        shown, others = self.known.in_prompt(self.used)
        looked_up = self.lookup.found if self.lookup else ()
        found = [(item.kind, item) for item in (*shown, *looked_up)]
        found += [
            (kind, item)
            for kind, items in self.known.found.further.items()
            for item in items[: self.used.get(SECTION_OF[kind], 0)]
        ]
        profile = self.known.profile[: self.used.get("profile", 0)]
        rows: list[tuple[str, UUID, Recalled | ProfileLine, float]] = [
            *(("profile_fact", p.fact_id, p, p.importance) for p in profile),
            *((kind, item.memory_id, item, item.score) for kind, item in found),
            *((item.kind, item.memory_id, item, item.score) for item in others),
        ]
        relevant = {item.memory_id for _kind, item in found}
        listed = {
            key: {
                "id": str(key),
                "kind": kind,
                "text": item.text,
                "score": score,
                "stated_at": item.stated_at.isoformat(),
                "relevant": key in relevant,
            }
            for kind, key, item, score in rows
        }
        return list(listed.values())


NO_MEMORY = UsedMemory()


def read_memory(scope: Scope, user: User, asked: ApiRequest) -> UsedMemory:
    """Search by the newest message; a short one with the last turn."""
    if not scope.reads:
        return UsedMemory(reason=Reason.NO_MEMORY)
    *earlier, _ = asked.sent or [""]
    before = earlier[-1] if earlier else ""
    query = query_of(asked.question, Spoken(asked.last_reply, before), user.zone)
    query = replace(query, channel=asked.place)
    texts = {line.text for line in asked.lines}
    with span("prompt"):
        policy = MemoryPolicy.objects.of(scope.space_id)
        place = place_of_call(scope, policy, user.zone, texts, asked.sent)
        known = know(scope, policy, query, place)
        text, added, used = context.build_memory(known.brief(), settings.PROMPT_TOKENS)
    memory = UsedMemory(text, added, known.facts, used, Lookup.of(scope, policy))
    if current_provider().connected:
        return memory
    earlier = earlier[::-1]
    remarks = remarks_of(asked.question, earlier, memory.known, place.household, user)
    basis = basis_of(asked.question, remarks, keeps=scope.writes, earlier=earlier)
    begins = len(asked.sent) == 1
    return replace(memory, basis=replace(basis, begins=begins))
