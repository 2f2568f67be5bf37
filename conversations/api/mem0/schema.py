"""Requests and answers of mem0's clients."""

from datetime import UTC, datetime
from typing import Annotated, Any

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from conversations.api.given_names import NameOrNone
from conversations.api.memories.schema import (
    MOST_FACTS,
    MOST_MESSAGES,
    DecisionOut,
    History,
    MemoryOut,
    NewMemories,
    SaidMessage,
)
from meddie.ai.events import text_of
from meddie.http.api_edge import ApiError
from meddie.text import storable

Json = dict[str, Any]
EVENTS = {"add": "ADD", "replace": "UPDATE", "retract": "DELETE"}


class UnknownFilter(ApiError):
    def __init__(self) -> None:
        text = _(
            "Only the filters user_id and run_id are known, each one name, joined by AND."
        )
        super().__init__(400, text, code="unknown_filter")


class Names(Schema):
    user_id: NameOrNone = None
    run_id: NameOrNone = None


class Filter(Names):
    model_config = ConfigDict(extra="forbid")


class Filters(Filter):
    every: list[Filter] = Field(default=[], alias="AND", max_length=20)


def _read_filters(sent: object) -> list[Filter]:
    """Raises UnknownFilter."""
    try:
        read = Filters.model_validate({} if sent is None else sent)
    except ValidationError as error:
        raise UnknownFilter from error
    return [read, *read.every]


class Mem0Call(Names):
    """Names may be in `filters`, too; other fields have no meaning here."""

    filters: Annotated[list[Filter], BeforeValidator(_read_filters)] = []

    @property
    def user(self) -> str | None:
        return self._named("user_id")

    @property
    def room(self) -> str | None:
        return self._named("run_id")

    def _named(self, name: str) -> str | None:
        """Raises UnknownFilter for two names, which no memory has."""
        told = {getattr(part, name) for part in (self, *self.filters)} - {None, ""}
        if len(told) > 1:
            raise UnknownFilter
        return next(iter(told), None)


class AddCall(Mem0Call):
    messages: list[Json] = Field(max_length=MOST_MESSAGES)
    infer: bool | None = None
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
        at = datetime.fromtimestamp(self.timestamp, UTC) if self.timestamp else None
        return NewMemories(
            messages=said, infer=infer, stated_at=at, room=self.room or ""
        )


class SearchCall(Mem0Call):
    query: str
    top_k: int = Field(default=8, ge=1)
    threshold: float | None = None


class UpdateCall(Schema):
    text: str = Field(max_length=2000)


class Paging(Schema):
    page: int = Field(default=1, ge=1, le=10_000)
    page_size: int = Field(default=50, ge=1, le=100)


def mem0_memory(memory: MemoryOut, user: str | None) -> Json:
    return {
        "id": str(memory.id),
        "memory": memory.text,
        "user_id": user,
        "run_id": memory.room or None,
        "metadata": {"subject": memory.subject} if memory.subject else None,
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
