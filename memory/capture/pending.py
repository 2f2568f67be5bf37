"""A candidate on its way into the database."""

from dataclasses import dataclass
from functools import cached_property

from meddie.ai.vectors import Vector
from memory.capture import store
from memory.capture.grounding import stated_again
from memory.capture.neighbours import Neighbours, Probe
from memory.capture.normalise import content_hash
from memory.models import Memory
from memory.models.embedded import NO_MODEL
from memory.values import Action, Candidate, Decision, Provenance
from memory.vectors import vector_text
from people.scope import Scope


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
        reason: str,
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

    @property
    def is_in_message(self) -> bool:
        text = self.provenance.user_text
        return text is not None and stated_again(self.line, text)

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
    def superseded(self) -> Memory | None:
        """The user's memory that the candidate names as superseded."""
        named = self.candidate.supersedes
        rows = store.read_active(self.scope, [named]) if named else []
        return next((r for r in rows if r.content_hash != self.content_hash), None)
