"""Arguments and results of memory."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from meddie.ai.vectors import Vector
from meddie.text import storable
from memory.reasons import Reason
from memory.subjects import UNSURE, USER, Subject

if TYPE_CHECKING:
    from people.models import User

Action = Literal[
    "add", "replace", "ignore", "reject", "defer", "retract", "restore", "ask", "assign"
]
READ_ALL = (
    "memory.view_memory",
    "memory.view_profilefact",
    "conversations.view_conversation",
)
"""Permissions with which staff read all that is known of users."""
STORED = frozenset({"add", "replace"})
MEMORY_KIND, PROFILE_KIND, LORE_KIND = "memory", "profile_fact", "lore"
LORE_PREFIX = "Memory line: "
CONTENT_LIMIT = 500
"""Characters of a fact, S0-34."""
METADATA_LIMIT = 1024
"""Bytes of what a program notes of a fact."""


NUL = "\\u0000"  # as JSON has it; PostgreSQL reads no such text


def metadata_text(found: object) -> str:
    """An object as JSON, or such a text. Empty for anything else and if it is too long."""
    try:
        found = json.loads(found) if isinstance(found, str) else found
        text = json.dumps(found, ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError):
        return ""
    fits = len(text.encode(errors="replace")) <= METADATA_LIMIT
    plain = fits and storable(text) == text and NUL not in text
    return text if found and isinstance(found, dict) and plain else ""


def lore_text(line: str) -> str:
    """The text of a stored line (S3-29)."""
    return f"{LORE_PREFIX}{line}."


def told_line(text: str) -> str:
    """The line of a stored text."""
    return text.removeprefix(LORE_PREFIX).removesuffix(".")


class AnyCandidate:
    """What may become a fact of the kind `of_kind`. Its texts are unchecked.

    `withheld` is the caller's reason not to store it.
    """

    __slots__ = ()
    of_kind: ClassVar[str]
    confidence: float = 1.0
    evidence: str = ""
    withheld: Reason | None = None
    subject: Subject | None = USER  # None: to be found by the words


@dataclass(frozen=True, slots=True)
class Candidate(AnyCandidate):
    """A sentence; `supersedes` is a memory to replace.

    `taken`: the user takes it although Meddie would leave it out (`TAKEN_ANYWAY`).
    `valid_from` and `valid_until` are as stated, as in "2025-06"
    (`memory.facts.periods`). `metadata` is an object as JSON, of a program.
    """

    text: object
    kind: str = "other"
    confidence: float = 1.0
    evidence: str = ""
    supersedes: uuid.UUID | None = None
    withheld: Reason | None = None
    taken: bool = False
    valid_from: str = ""
    valid_until: str = ""
    subject: Subject | None = None
    metadata: object = ""
    of_kind: ClassVar[str] = MEMORY_KIND


@dataclass(frozen=True, slots=True)
class ProfileCandidate(AnyCandidate):
    """`correction`: the user corrects what was known, so the confidence does not count."""

    category: object
    key: object
    value: object
    confidence: float = 1.0
    importance: float = 0.8
    correction: bool = False
    withheld: Reason | None = None
    of_kind: ClassVar[str] = PROFILE_KIND


@dataclass(frozen=True, slots=True)
class LoreCandidate(AnyCandidate):
    """A line for all members of the space."""

    text: object
    subject: Subject | None = None
    of_kind: ClassVar[str] = LORE_KIND


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate in its stored form, judged by itself.

    `line` is how a person reads it. `refusal` says why it may not be stored; `safety`: no
    answer may overlook it.
    """

    candidate: AnyCandidate
    line: str
    refusal: Reason | None = None
    vector: Vector | None = None
    safety: bool = False
    key: uuid.UUID = field(default_factory=uuid.uuid4, compare=False)

    @property
    def kind(self) -> str:
        return self.candidate.of_kind


@dataclass(frozen=True, slots=True)
class Prepared:
    """`error` says why there are no vectors."""

    proposals: tuple[Proposal, ...] = ()
    model: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where and when something was stated.

    `user_text` can restate a retracted fact, by its sentences that are `stating` one:
    judged before the transaction. `in_context` has the question before it if the user
    only confirmed, `in_files` what the files in the prompt hold. `unread` ones have no
    text yet, so each word has to be the user's. `by` is the staff member who states it,
    `person_id` that of the conversation.
    """

    origin: str
    stated_at: datetime
    source: str = "chat"
    message_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    user_text: str | None = None
    stating: str = ""
    in_context: str | None = None
    in_files: str = ""
    unread: bool = False
    by: "User | None" = None
    person_id: uuid.UUID | None = None

    @property
    def is_of_reply(self) -> bool:
        return (self.origin, self.source) == ("inline", "chat")

    @classmethod
    def by_hand(
        cls, text: str, at: datetime, *, by: "User | None" = None
    ) -> "Provenance":
        """Of words typed to be remembered. The user's state themselves, staff's do not."""
        if by is not None:
            return cls("operator", at, "manual", by=by)
        return cls("page", at, "manual", user_text=text or None, stating=text)


@dataclass(frozen=True, slots=True)
class ImportedFact:
    """`origin` is known of facts that were exported."""

    candidate: AnyCandidate
    stated_at: datetime
    origin: str = "import"

    @property
    def provenance(self) -> Provenance:
        return Provenance(self.origin, self.stated_at)


@dataclass(frozen=True, slots=True)
class Turns:
    """Consecutive messages of a thread, by their numbers; `run_id` is their episode."""

    thread_id: uuid.UUID
    run_id: uuid.UUID
    first: int
    last: int
    stated_at: datetime


@dataclass(frozen=True, slots=True)
class StatedMessage:
    """A message of the user."""

    message_id: uuid.UUID
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """`target_id` was replaced or retracted, or is the original of a duplicate. `nearest`
    are the memories closest to a wish that matches none. The ids are those of facts of
    `kind`. `proposal` is what was decided on, `evidence` what was quoted for it,
    `verdict` what the resolver wanted to do.
    """

    text: str
    action: Action
    reason: Reason
    memory_id: uuid.UUID | None = None
    target_id: uuid.UUID | None = None
    nearest: tuple[uuid.UUID, ...] = ()
    kind: str = MEMORY_KIND
    evidence: str = ""
    verdict: str = ""
    proposal: Proposal | None = field(default=None, compare=False, repr=False)

    @classmethod
    def on(
        cls,
        proposal: Proposal,
        action: Action,
        reason: Reason,
        memory_id: uuid.UUID | None = None,
        target_id: uuid.UUID | None = None,
    ) -> Self:
        return cls(
            proposal.line,
            action,
            reason,
            memory_id,
            target_id,
            kind=proposal.kind,
            evidence=proposal.candidate.evidence,
            proposal=proposal,
        )


@dataclass(frozen=True, slots=True)
class TidyChange:
    """What a kept line would become: kinds and texts. `repeats` an earlier change.

    `shortens`: what no answer may overlook loses words.
    """

    key: uuid.UUID
    text: str
    candidates: Sequence[AnyCandidate]
    lines: Sequence[tuple[str, str]]
    repeats: bool = False
    shortens: bool = False


@dataclass(frozen=True, slots=True)
class Tidying:
    """`kept` lines may be read in `calls`; `changed` ones may be undone.

    `is_ready`: for the user.
    """

    kept: int = 0
    calls: int = 0
    read: int = 0
    total: int = 0
    unreadable: int = 0
    error: str = ""
    is_stopped: bool = False
    is_ready: bool = False
    changed: int = 0


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """`text` is the line of a prompt, as in "name: Alex"."""

    fact_id: uuid.UUID
    category: str
    key: str
    value: str
    importance: float
    stated_at: datetime
    stored_at: datetime

    @property
    def text(self) -> str:
        return f"{self.key}: {self.value}"

    def as_recalled(self) -> "Recalled":
        """As a fact that no search found."""
        key, at = self.fact_id, self.stated_at
        return Recalled(
            key,
            self.text,
            0.0,
            None,
            0.0,
            at,
            kind=PROFILE_KIND,
            stored_at=self.stored_at,
            about=USER,
        )


@dataclass(frozen=True, slots=True)
class RetiredFact:
    """A superseded or retracted fact; `text` is empty once it is blanked.

    `message_ids` are the messages that stated it.
    """

    text: str
    retired_at: datetime
    memory_id: uuid.UUID
    message_ids: Sequence[uuid.UUID] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """`cosine` is None where the vectors cannot be compared.

    A `shared` one is a community memory: not about the user. `label` is the shelf's
    remark on the row, such as who spoke or, of a fact, when it was true. `stored_at` is
    that of a fact. What is not `relevant` comes for safety's sake alone.
    """

    memory_id: uuid.UUID
    text: str
    score: float
    cosine: float | None
    keyword: float
    stated_at: datetime
    shared: bool = False
    label: str = ""
    evidence: str = ""
    confidence: float = 1.0
    kind: str = MEMORY_KIND
    stored_at: datetime | None = None
    about: Subject = UNSURE
    relevant: bool = True


@dataclass(frozen=True, slots=True)
class Recall:
    """Best first. `stale_ids` have vectors of another model; `degraded`: none was used.

    `total` counts all active facts, for an overview. `further` has what other shelves
    gave, by their kind, and lore. `detailed`: as Ranking's. `newest` are the facts by
    date, without scores, `safety` those that no answer may overlook, and `profile` all
    lines, if they were asked for.
    """

    items: tuple[Recalled, ...] = ()
    overview: bool = False
    stale_ids: tuple[uuid.UUID, ...] = ()
    degraded: bool = False
    total: int = 0
    detailed: bool = False
    further: Mapping[str, tuple[Recalled, ...]] = field(default_factory=dict)
    newest: tuple[Recalled, ...] = ()
    safety: tuple[Recalled, ...] = ()
    profile: tuple[ProfileLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Weighed:
    """A row as a ranking sees it, and whether it passes the ranking's gate.

    `parts` has the signals that the ranking measures, by name. `floor`: it has enough
    meaning or words for the ranking. `carried` rows were used by the last reply and are
    shown below the gate.
    """

    item: Recalled
    passed: bool
    floor: bool
    carried: bool
    parts: Mapping[str, float]
