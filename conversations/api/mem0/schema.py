"""Requests and answers of mem0's clients."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from conversations.api.given_names import NameOrNone
from conversations.api.memories.caller import AGENT
from conversations.api.memories.schema import (
    MOST_FACTS,
    MOST_MESSAGES,
    DecisionOut,
    History,
    JobOut,
    MemoryOut,
    Metadata,
    NewMemories,
    SaidMessage,
)
from meddie.ai.events import text_of
from meddie.http.api_edge import ApiError
from meddie.text import storable
from memory.values import CONTENT_LIMIT

Json = dict[str, Any]
EVENTS = {"add": "ADD", "replace": "UPDATE", "retract": "DELETE"}
STATES = {"waiting": "PENDING", "running": "RUNNING", "done": "SUCCEEDED"}
ANY = "*"
LABELS = ("agent_id", "app_id")
"""Names that are noted in the metadata of a memory."""
MOST_CLAUSES = 20


class UnknownFilter(ApiError):
    def __init__(self) -> None:
        text = _(
            "The known filters are user_id, run_id, agent_id, app_id, each one name, and"
            " metadata, joined by AND; OR joins one clause, or names of one user."
        )
        super().__init__(400, text, code="unknown_filter")


class Everyone(ApiError):
    """A mistake would erase or show what is known of all users."""

    def __init__(self) -> None:
        text = _("Name one user: * for all of them is not carried out.")
        super().__init__(400, text, code="one_user")


def _id(found: object) -> object:
    """Raises ApiError."""
    try:
        return found if isinstance(found, UUID) else UUID(str(found))
    except ValueError as error:
        text = _("This is no ID of a memory.")
        raise ApiError(400, text, code="invalid_id") from error


MemoryId = Annotated[UUID, BeforeValidator(_id)]
Item = TypeVar("Item")


class Names(Schema):
    user_id: NameOrNone = None
    agent_id: NameOrNone = None
    app_id: NameOrNone = None
    run_id: NameOrNone = None


class Filter(Names):
    model_config = ConfigDict(extra="forbid")
    metadata: Metadata = {}


Clauses = Annotated[list["Filters"], Field(max_length=MOST_CLAUSES)]


class Filters(Filter):
    every: Clauses = Field(default=[], alias="AND", min_length=1)
    either: Clauses = Field(default=[], alias="OR", min_length=1)

    def clauses(self) -> list[Filter]:
        """All of which a memory has to meet. Raises UnknownFilter."""
        nested = [part for clause in self.every for part in clause.clauses()]
        return [self, *nested, *self._either()]

    def _either(self) -> list[Filter]:
        """What a run or an agent of a user remembers, the user does, too."""
        if len(self.either) <= 1:
            return [part for clause in self.either for part in clause.clauses()]
        told = [clause.model_dump(exclude_none=True) for clause in self.either]
        plain = [{n: v for n, v in clause.items() if v} for clause in told]
        if any(len(clause) != 1 or not clause.keys() & NAMES for clause in plain):
            raise UnknownFilter
        users = [clause for clause in plain if "user_id" in clause]
        agents = [clause for clause in plain if "agent_id" in clause]
        return [Filter.model_validate(clause) for clause in users or agents or plain]


NAMES = Names.model_fields.keys()


def _read_filters(sent: object) -> list[Filter]:
    """Raises UnknownFilter."""
    try:
        return Filters.model_validate({} if sent is None else sent).clauses()
    except (ValidationError, RecursionError) as error:
        raise UnknownFilter from error


def _without_default(schema: Json) -> None:
    """What it is read as is no default of what is sent."""
    del schema["default"]


class Mem0Call(Names):
    """Names may be in `filters`, too; other fields have no meaning here."""

    filters: Annotated[
        list[Filter],
        BeforeValidator(_read_filters),
        WithJsonSchema({"type": ["object", "null"], "additionalProperties": True}),
    ] = Field(default=[], json_schema_extra=_without_default)

    @property
    def user(self) -> str | None:
        """Raises UnknownFilter, Everyone."""
        return self._named("user_id")

    @property
    def agent(self) -> str | None:
        return self._named("agent_id")

    @property
    def room(self) -> str | None:
        return self._named("run_id")

    @property
    def labels(self) -> Json:
        return {name: value for name in LABELS if (value := self._named(name))}

    def _named(self, name: str) -> str | None:
        """Any run is no filter. Raises UnknownFilter for two names, and Everyone."""
        told = {getattr(part, name) for part in (self, *self.filters)} - {None, ""}
        if name == "run_id":
            told.discard(ANY)
        if ANY in told:
            raise Everyone
        if len(told) > 1:
            raise UnknownFilter
        return next(iter(told), None)


class AddCall(Mem0Call):
    messages: list[Json] = Field(max_length=MOST_MESSAGES)
    infer: bool | None = Field(default=None, strict=True)
    metadata: Metadata | None = None
    timestamp: int | None = Field(default=None, ge=946_684_800, le=253_402_300_799)

    def new(self) -> NewMemories:
        """Raises ValueError."""
        said = [
            SaidMessage(role=role, content=storable(text_of(message)))
            for message in self.messages
            if (role := message.get("role", "user")) in ("user", "assistant")
        ]
        infer = self.infer is not False
        if not infer:
            said = [message for message in said if message.role == "user"][:MOST_FACTS]
        return NewMemories(
            messages=said,
            infer=infer,
            stated_at=_moment(self.timestamp),
            room=self.room or "",
            metadata=(self.metadata or {}) | self.labels,
        )


def _moment(timestamp: int | None) -> datetime | None:
    return datetime.fromtimestamp(timestamp, UTC) if timestamp else None


class ReadCall(Mem0Call):
    metadata: Metadata | None = None

    @property
    def noted(self) -> Json:
        """What the metadata of a memory has to have. Raises UnknownFilter."""
        wanted: Json = dict(self.metadata or {})
        for part in self.filters:
            for name, value in part.metadata.items():
                if wanted.setdefault(name, value) != value:
                    raise UnknownFilter
        return wanted | self.labels


class SearchCall(ReadCall):
    query: str
    top_k: int = Field(default=8, ge=1)
    threshold: float | None = Field(default=None, strict=True)


class UpdateCall(Schema):
    """A text, metadata or both."""

    text: str | None = Field(default=None, min_length=1, max_length=CONTENT_LIMIT)
    metadata: Metadata | None = None
    timestamp: Any = None


class NamedMemory(Schema):
    memory_id: MemoryId


class NewVersion(UpdateCall, NamedMemory):
    pass


class BatchOf(Schema, Generic[Item]):
    memories: list[Item] = Field(min_length=1, max_length=MOST_MESSAGES)


class Paging(Schema):
    page: int = Field(default=1, ge=1, le=10_000)
    page_size: int = Field(default=50, ge=1, le=100)


def mem0_memory(memory: MemoryOut, user: str | None) -> Json:
    noted = dict(memory.metadata or {})
    labels = {name: noted.pop(name, None) for name in LABELS}
    if memory.subject:
        noted["subject"] = memory.subject
    return {
        "id": str(memory.id),
        "memory": memory.text,
        "user_id": None if user and user.startswith(AGENT) else user,
        "run_id": memory.room or None,
        **labels,
        "metadata": noted or None,
        "categories": [],
        "created_at": memory.stated_at.isoformat(),
        "updated_at": (memory.retired_at or memory.stated_at).isoformat(),
        "expiration_date": None,
    }


def event_of(decision: DecisionOut) -> Json:
    key = decision.id or decision.target
    return {
        "id": str(key) if key else None,
        "memory": decision.text,
        "event": EVENTS.get(decision.action, "NONE"),
        "reason": decision.reason,
        "message": decision.message,
    }


def job_event(job: JobOut) -> Json:
    status = STATES.get(job.state, "FAILED")
    return {"id": str(job.id), "event_type": "ADD", "status": status, "results": []}


def entities_of(names: Sequence[tuple[str, str, datetime]]) -> list[Json]:
    """Of keys, names and times."""
    return [
        {
            "type": "agent" if name.startswith(AGENT) else "user",
            "name": name.removeprefix(AGENT),
            "id": key,
            "created_at": at.isoformat(),
        }
        for key, name, at in names
    ]


def events_of(history: History, user: str | None) -> list[Json]:
    """The changes of a memory, the oldest first."""
    told = [(None, history.memory, at.stated_at) for at in history.statements[:1]]
    replaced = [
        (update.old, update.new, update.at) for update in history.updates if update.old
    ]
    return [
        {
            "id": f"{history.memory.id}-{number}",
            "memory_id": str(history.memory.id),
            "user_id": user,
            "old_memory": old.text if old else None,
            "new_memory": new.text if new else None,
            "event": "UPDATE" if old else "ADD",
            "created_at": at.isoformat(),
            "updated_at": at.isoformat(),
        }
        for number, (old, new, at) in enumerate([*told, *replaced])
    ]
