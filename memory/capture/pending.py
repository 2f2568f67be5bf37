"""A candidate on its way into the database."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from meddie.ai.vectors import Vector
from memory.capture import store
from memory.capture.evidence import refusal_of, says_more, stating
from memory.capture.neighbours import Neighbour, Neighbours, Probe
from memory.capture.normalise import content_hash
from memory.capture.same_fact import differ, may_include
from memory.models import Memory
from memory.models.embedded import NO_MODEL
from memory.reasons import Reason
from memory.recall.thresholds import thresholds
from memory.values import Action, Candidate, Decision, Provenance
from memory.vectors import vector_text
from people.scope import Scope

WRITTEN_BY_MODELS = frozenset({Memory.Origin.INLINE, Memory.Origin.BACKGROUND})


@dataclass(frozen=True)
class Fact:
    """A candidate that passed the guards. Its rows are read under the scope's lock."""

    scope: Scope
    candidate: Candidate
    line: str
    vector: Vector
    model: str
    provenance: Provenance

    def decided(
        self,
        action: Action,
        reason: Reason,
        memory: Memory | None = None,
        target: Memory | None = None,
    ) -> Decision:
        return Decision(
            self.line,
            action,
            reason,
            memory.pk if memory else None,
            target.pk if target else None,
        )

    def is_stated_since(self, retired_at: datetime | None) -> bool:
        """Whether the user states the fact in a message not before that time."""
        said = self._said_since(retired_at)
        return bool(said) and not refusal_of(self.line, said)

    def _said_since(self, retired_at: datetime | None) -> str:
        if retired_at is None or self.provenance.stated_at < retired_at:
            return ""
        return stating(self.provenance.user_text or "")

    @cached_property
    def content_hash(self) -> str:
        return content_hash(self.line)

    @cached_property
    def literal(self) -> str:
        return vector_text(self.vector)

    @cached_property
    def neighbours(self) -> Neighbours:
        vector = "" if self.model == NO_MODEL else self.literal
        return store.find_neighbours(
            self.scope, Probe(self.content_hash, vector, self.model)
        )

    @cached_property
    def row(self) -> Memory | None:
        """The memory of the same sentence."""
        same = self.neighbours.same
        return store.load_memory(self.scope, same) if same else None

    @cached_property
    def successor(self) -> store.Successor | None:
        return store.find_successor(self.scope, self.row) if self.row else None

    @property
    def tombstones(self) -> list[Neighbour]:
        """Retracted memories that the fact may tell again."""
        same, near = self.neighbours.same, self.neighbours.near
        found = [
            row for row, cosine in near if row.retracted and self._tells(row, cosine)
        ]
        return [same, *found] if same and same.retracted else found

    def _tells(self, row: Neighbour, cosine: float) -> bool:
        """A model may put it in any words, other sources in nearly the same."""
        levels = thresholds(self.model)
        if self.provenance.origin in WRITTEN_BY_MODELS:
            return cosine > levels.tombstone and not self._says_more_than(row)
        # A blanked tombstone has no text.
        differs = bool(row.content) and differ(self.line, row.content)
        return cosine > levels.duplicate and not differs

    def _says_more_than(self, row: Neighbour) -> bool:
        """Whether the user speaks of something that the tombstone does not have."""
        said = self._said_since(row.retired_at)
        return bool(row.content) and says_more(self.line, row.content, said)

    @cached_property
    def twin(self) -> Memory | None:
        """What another origin stored of the same message, in other words."""
        least = thresholds(self.model).tombstone
        near = [row.id for row, cosine in self.neighbours.near if cosine > least]
        if self.provenance.message_id is None or not near:
            return None
        of_message = Memory.objects.visible_to(self.scope).active()
        of_message = of_message.filter(
            pk__in=near, source_message=self.provenance.message_id
        ).exclude(origin=self.provenance.origin)
        said = self.provenance.user_text or ""
        for row in of_message.defer("embedding", "near"):
            more = says_more(self.line, row.content, said)
            if may_include(row.content, self.line) and not more:
                return row
        return None

    @cached_property
    def superseded(self) -> Memory | None:
        """The user's memory that the candidate names as superseded."""
        named = self.candidate.supersedes
        rows = store.read_active(self.scope, [named]) if named else []
        return next((r for r in rows if r.content_hash != self.content_hash), None)
