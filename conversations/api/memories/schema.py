"""What calls about memories send and receive."""

from datetime import UTC, datetime
from json import loads
from typing import Annotated, Any, Literal
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    model_validator,
)

from conversations.reply.turn import LONGEST_MESSAGE
from meddie.moments import Moment
from meddie.text import storable
from memory.household import told_subject
from memory.models import Fact
from memory.models.fact import ROOM_LIMIT
from memory.subjects import SUBJECT_LIMIT
from memory.values import (
    CONTENT_LIMIT,
    LORE_KIND,
    MEMORY_KIND,
    PROFILE_KIND,
    Action,
    Decision,
    metadata_text,
    told_line,
)

Kind = Literal["memory", "profile", "lore"]
State = Literal["active", "superseded", "archived"]
Category = Literal["identity", "preference", "constraint", "instruction"]
NAMES_OF_KINDS: dict[str, Kind] = {
    MEMORY_KIND: "memory",
    PROFILE_KIND: "profile",
    LORE_KIND: "lore",
}
PROFILE_NAMES = ("category", "key", "value", "importance")
OLDEST = datetime(2000, 1, 1, tzinfo=UTC)
MOST_FACTS, MOST_MESSAGES = 20, 100
MOST_LISTED = 100
MOST_FOUND = 24


def _in_the_past(at: datetime) -> datetime:
    if not OLDEST <= at <= timezone.now():
        raise ValueError(_("it must be after the year 2000 and not in the future"))
    return at


Text = Annotated[str, Field(max_length=CONTENT_LIMIT), AfterValidator(storable)]
About = Annotated[str, Field(max_length=SUBJECT_LIMIT), AfterValidator(storable)]
SUBJECT_TEXT = (
    "Whom it is about: empty for the user, else a person of the space, a name or a"
    " relation, as in `Mia`, `mother` or `daughter Mia`; `?` if that is not sure."
)
ROOM_TEXT = "The chat it was said in: a room, or the ID of a conversation."
Room = Annotated[str, Field(max_length=ROOM_LIMIT), AfterValidator(storable)]
PastTime = Annotated[Moment, AfterValidator(_in_the_past)]


class Strict(Schema):
    model_config = ConfigDict(extra="forbid")


class NewFact(Strict):
    """A sentence (`memory`), a line for all members (`lore`), or a `profile` fact."""

    kind: Kind = "memory"
    text: Text = Field(default="", description="Of a memory or of lore.")
    subject: About | None = Field(
        default=None, description=f"{SUBJECT_TEXT} Without it the words decide."
    )
    category: Category = Field(default="identity", description="Of a profile fact.")
    key: Text = Field(default="", description="Of a profile fact, such as `city`.")
    value: Text = Field(default="", description="Of a profile fact.")
    confidence: float = Field(default=1.0, ge=0, le=1, strict=True)
    importance: float = Field(
        default=0.8, ge=0, le=1, strict=True, description="Of a profile fact."
    )

    @model_validator(mode="after")
    def _is_whole(self) -> "NewFact":
        of_profile = self.kind == "profile"
        if of_profile and not (self.key and self.value and not self.text):
            raise ValueError(_("a profile fact has a key and a value, and no text"))
        if not of_profile and (self.key or self.value or not self.text):
            raise ValueError(_("a memory or lore has a text, and no key or value"))
        if self.kind != "memory" and self.subject is not None:
            raise ValueError(_("only a memory has a subject"))
        return self

    @property
    def line(self) -> str:
        return self.text or f"{self.key}: {self.value}"


def _noted(metadata: dict[str, Any]) -> dict[str, Any]:
    if metadata and not metadata_text(metadata):
        raise ValueError(_("it has at most 1 kB of plain JSON"))
    return metadata


Metadata = Annotated[dict[str, Any], AfterValidator(_noted)]


class SaidMessage(Strict):
    role: Literal["user", "assistant", "system"] = "user"
    content: Annotated[str, Field(max_length=LONGEST_MESSAGE), AfterValidator(storable)]


class NewMemories(Strict):
    """One of `text`, `memories` and `messages`."""

    text: Text = Field(default="", description="The same as one memory.")
    subject: About | None = Field(
        default=None, description="Of `text`, as of a memory."
    )
    memories: list[NewFact] = Field(default=[], max_length=MOST_FACTS)
    messages: list[SaidMessage] = Field(
        default=[],
        max_length=MOST_MESSAGES,
        description="A part of a conversation, the oldest message first.",
    )
    infer: bool = Field(
        default=True,
        strict=True,
        description=(
            "Extract facts from the user's messages in the background; else each of"
            " them is stored as it is."
        ),
    )
    stated_at: PastTime | None = Field(
        default=None, description="Now, if it is left out."
    )
    room: Room = Field(default="", description="The chat that it was said in.")
    metadata: Metadata = Field(
        default={}, description="Noted of each memory, at most 1 kB of JSON."
    )

    @model_validator(mode="after")
    def _is_one(self) -> "NewMemories":
        if sum(map(bool, (self.text, self.memories, self.messages))) != 1:
            raise ValueError(_("send one of text, memories and messages"))
        if self.subject is not None and not self.text:
            raise ValueError(_("only a text has a subject"))
        return self

    @property
    def extracts(self) -> bool:
        return bool(self.messages) and self.infer

    @property
    def facts(self) -> list[NewFact]:
        if self.text:
            return [NewFact(text=self.text, subject=self.subject)]
        said = [m.content for m in self.messages if m.role == "user" and m.content]
        # One that is too long has a decision.
        return self.memories or [NewFact.model_construct(text=text) for text in said]


class Correction(Strict):
    """A text, a subject or both."""

    text: Text = Field(
        default="", description="The new sentence; of a profile fact the value."
    )
    subject: About | None = Field(
        default=None, description=f"{SUBJECT_TEXT} Without it that of before."
    )

    @model_validator(mode="after")
    def _says_something(self) -> "Correction":
        if not self.text and self.subject is None:
            raise ValueError(_("send a text or a subject"))
        return self


class Wish(Strict):
    text: Text = Field(description="What to forget, as in `that I live in Oslo`.")


class ListQuery(Strict):
    kind: Kind | None = None
    state: State = "active"
    subject: About | None = Field(default=None, description=SUBJECT_TEXT)
    as_of: Moment | None = Field(default=None, description="What was true.")
    since: Moment | None = None
    until: Moment | None = Field(default=None, description="Not included.")
    room: Room | None = Field(default=None, description=ROOM_TEXT)
    cursor: UUID | None = Field(default=None, description="`next` of the page before.")
    limit: int = Field(default=50, ge=1, le=MOST_LISTED)
    user: str = Field(default="", description="Another member, for staff.")


class SearchBody(Strict):
    q: str
    ranking: Literal["ranked", "fused", "chat", "strict_semantic"] | None = Field(
        default=None, description="That of the space's conversations, if left out."
    )
    limit: int = Field(default=8, ge=1, le=MOST_FOUND, strict=True)
    former: bool = Field(
        default=False, strict=True, description="Also what was replaced."
    )
    kind: Kind | None = None
    subject: About | None = Field(default=None, description=SUBJECT_TEXT)
    room: Room | None = Field(default=None, description=ROOM_TEXT)
    as_of: Moment | None = Field(default=None, description="What was true.")


class SearchQuery(SearchBody):
    limit: int = Field(default=8, ge=1, le=MOST_FOUND)
    former: bool = Field(default=False, description="Also what was replaced.")
    user: str = Field(default="", description="Another member, for staff.")


class MemoryOut(Schema):
    id: UUID
    kind: Kind
    text: str
    subject: str | None = Field(
        description=f"{SUBJECT_TEXT} None of lore, and of older facts until it is found."
    )
    state: State
    stated_at: datetime
    valid_from: datetime | None = Field(description="Of what is true since then.")
    valid_until: datetime | None = Field(description="When it is true no longer.")
    retired_at: datetime | None
    confidence: float
    origin: str
    channel: str
    room: str
    evidence: str = Field(description="The user's words that state it.")
    metadata: dict[str, Any] | None = Field(
        default=None, description="What a program noted of it."
    )
    category: str | None = None
    key: str | None = None
    value: str | None = None
    importance: float | None = None

    @classmethod
    def of(cls, fact: Fact, viewer: UUID | None) -> "MemoryOut":
        """Of a memory that others lent only what it says, and since when it is known."""
        common: dict[str, Any] = {
            "id": fact.pk,
            "text": told_line(fact.content) if fact.is_lore else fact.content,
            "subject": told_subject(fact),
            "state": "active" if fact.active else fact.retired_reason,
            "stated_at": fact.stated_at,
            "valid_from": fact.valid_from,
            "valid_until": fact.valid_until,
            "retired_at": fact.retired_at,
            "confidence": fact.confidence,
            "origin": fact.origin,
            "channel": fact.channel,
        }
        common |= {
            name: getattr(fact, name) for name in PROFILE_NAMES if hasattr(fact, name)
        }
        is_lent = fact.of_kind == MEMORY_KIND and fact.user_id != viewer
        if is_lent:
            linked_at: datetime = getattr(fact, "linked_at", fact.inserted_at)
            common |= {"stated_at": linked_at, "channel": "", "subject": None}
        return cls(
            kind=NAMES_OF_KINDS[fact.of_kind],
            room="" if is_lent else fact.room,
            evidence="" if is_lent else fact.evidence,
            metadata=None if is_lent or not fact.metadata else loads(fact.metadata),
            **common,
        )


class FoundMemory(MemoryOut):
    score: float
    relevant: bool = Field(
        description="False of allergies, medicines and such that the search did not find."
    )


class Page(Schema):
    memories: list[MemoryOut]
    total: int = Field(description="Of all pages.")
    next: str | None = Field(description="The cursor of the next page.")


class FoundMemories(Schema):
    memories: list[FoundMemory]
    reason: str | None = Field(
        default=None, description="Why nothing was looked for; see docs/rest.md."
    )
    message: str | None = Field(default=None, description="The reason as a sentence.")


class DecisionOut(Schema):
    """What became of a proposed fact, or of a wish to forget."""

    text: str
    action: Action
    reason: str = Field(description="A word; see docs/rest.md.")
    message: str = Field(description="The reason as a sentence.")
    id: UUID | None = Field(description="The memory that says it now.")
    target: UUID | None = Field(description="The memory that it was compared with.")
    subject: str | None = Field(
        default=None, description="Whom a new memory is about; `?` asks for a PATCH."
    )

    @classmethod
    def of(cls, decision: Decision, text: str = "") -> "DecisionOut":
        return cls(
            text=text or decision.text,
            action=decision.action,
            reason=decision.reason.value,
            message=str(decision.reason.label),
            id=decision.memory_id,
            target=decision.target_id,
            subject=_subject_of(decision),
        )


def _subject_of(decision: Decision) -> str | None:
    about = decision.proposal.candidate.subject if decision.proposal else None
    return about.text if about and decision.kind == MEMORY_KIND else None


class Added(Schema):
    decisions: list[DecisionOut]
    jobs: list[UUID] = Field(description="Extractions that run in the background.")


class ForgottenMemories(Schema):
    forgotten: list[UUID] = Field(description="Their earlier versions go, too.")


class Wished(Schema):
    decisions: list[DecisionOut]
    nearest: list[MemoryOut] = Field(
        description="What is most like it, if nothing was forgotten."
    )


class JobOut(Schema):
    id: UUID
    state: str = Field(description="waiting, running, done or dead")


class Statement(Schema):
    stated_at: datetime
    message: UUID | None
    withdrawn: bool


class Replacement(Schema):
    at: datetime
    reason: str
    old: MemoryOut | None
    new: MemoryOut | None


class EventOut(Schema):
    at: datetime
    event: str
    action: str
    reason: str


class History(Schema):
    memory: MemoryOut
    statements: list[Statement]
    updates: list[Replacement]
    events: list[EventOut]


class AnswerOut(Schema):
    """An answer by its keys: its text may tell what was forgotten."""

    id: UUID
    conversation: UUID
    channel: str
    answered_at: datetime
    change: str = Field(description="corrected or forgotten")
    changed_at: datetime


class OutdatedAnswers(Schema):
    answers: list[AnswerOut] = Field(
        description="The newest first; none while the memory is active."
    )
