"""A search of memory that the model asks for while it answers (S3)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from conversations.models import Message
from conversations.reply.prompt import prompts
from meddie.ai.events import Tool
from meddie.text import one_line, storable
from meddie.threads import run_work
from memory import service
from memory.models import MemoryPolicy
from memory.subjects import Subject
from memory.values import Recalled, told_line
from people.scope import Scope

LONGEST_QUERY = 220  # characters (B-34)


@dataclass(slots=True)
class Lookup:
    """`found` are rows of the scope for the model's `query`, which is empty until it asks."""

    scope: Scope
    query: str = ""
    found: Sequence[Recalled] = ()

    @classmethod
    def of(cls, scope: Scope, policy: MemoryPolicy) -> Self | None:
        return cls(scope) if policy.model_lookup and scope.reads else None

    @property
    def tool(self) -> Tool:
        return Tool(prompts.LOOKUP, prompts.LOOKUP_TEXT, "query", self._run)

    async def _run(self, query: str) -> str:
        self.query = one_line(storable(query))[:LONGEST_QUERY]
        self.found = await run_work(self._search)
        zone = self.scope.zone
        lines: defaultdict[Subject, list[tuple[str, date]]] = defaultdict(list)
        for fact in self.found:
            day = fact.stated_at.astimezone(zone).date()
            lines[fact.about].append((told_line(fact.text), day))
        return prompts.looked_up(lines)

    def _search(self) -> list[Recalled]:
        return service.search(self.scope, self.query, channel=self.scope.channel)


def forget_queries(
    scope: Scope, _lines: Collection[str] | None, _until: datetime | None
) -> None:
    """Blank what was searched for: it may name what is forgotten."""
    own = {"conversation__user": scope.user_id, "conversation__space": scope.space_id}
    Message.objects.filter(**own).exclude(lookup="").update(lookup="")
