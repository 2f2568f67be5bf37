"""A candidate that may be stored, and what lies around it."""

from dataclasses import dataclass
from functools import cached_property

from meddie.ai.vectors import Vector
from memory.capture import store
from memory.capture.grounding import stated_again
from memory.capture.neighbours import Neighbours, Probe
from memory.capture.normalise import content_hash
from memory.models import Memory
from memory.values import Action, Candidate, Decision, Provenance
from memory.vectors import NO_MODEL, vector_text
from people.scope import Scope


@dataclass(frozen=True)
class Fact:
    """A candidate with all that is needed to store it, while the scope is locked."""

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
        """The Decision on this fact."""
        return Decision(
            self.line,
            action,
            reason,
            memory.pk if memory else None,
            target.pk if target else None,
        )

    @property
    def returns(self) -> bool:
        """Whether the user states it in this very turn."""
        text = self.provenance.user_text
        return text is not None and stated_again(self.line, text)

    @cached_property
    def content_hash(self) -> str:
        return content_hash(self.line)

    @cached_property
    def literal(self) -> str:
        """The vector as PostgreSQL reads it."""
        return vector_text(self.vector)

    @cached_property
    def around(self) -> Neighbours:
        """The rows of the scope that may state the same."""
        vector = "" if self.model == NO_MODEL else self.literal
        return store.look(
            self.scope,
            Probe(self.content_hash, vector, self.model),
        )

    @cached_property
    def rivals(self) -> list[Memory]:
        """The memory that the candidate names as superseded, if it is the user's."""
        named = self.candidate.supersedes
        found = store.own(self.scope, [named]) if named else []
        return [row for row in found if row.content_hash != self.content_hash]
