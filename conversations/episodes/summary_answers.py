"""What models answer when they are asked for a summary, and the asking."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, Field, field_validator

from conversations import prompts
from conversations.prompts import Document
from meddie.ai.background import answer_of
from meddie.ai.events import ChatMessage
from meddie.ai.provider import current_provider
from meddie.text import storable


class ChunkSummary(BaseModel):
    summary: str

    @field_validator("summary")
    @classmethod
    def _clean(cls, text: str) -> str:
        return storable(text).strip()[:3000]


class _Listing(ChunkSummary):
    @field_validator("*")
    @classmethod
    def _short(cls, value: object) -> object:
        """Bound lists, and the lines in them."""
        if not isinstance(value, list):
            return value
        return [
            " ".join(storable(v).split())[:500] if isinstance(v, str) else v
            for v in value[:20]
        ]


class RunningSummary(_Listing):
    open_loops: list[str] = []


class FactCandidate(BaseModel):
    text: str
    confidence: float = Field(default=0.5, ge=0, le=1)


class ArtifactNote(BaseModel):
    artifact_id: str
    note: str = ""


class EpisodeSummary(_Listing):
    """With the fields of S2's `summary_json`."""

    topic: str = ""
    decisions: list[str] = []
    todos: list[str] = []
    facts_candidates: list[FactCandidate] = []
    entities: list[str] = []
    artifacts: list[ArtifactNote] = []
    open_questions: list[str] = []


A = TypeVar("A", bound=BaseModel)


def ask_running(document: Document) -> RunningSummary:
    """Like the others, raises the AIErrors of `Provider.ask`."""
    return _ask(RunningSummary, "running_summary", prompts.running, document)


def ask_chunk(document: Document) -> ChunkSummary:
    return _ask(ChunkSummary, "chunk_summary", prompts.chunk, document)


def ask_episode(document: Document) -> EpisodeSummary:
    return _ask(EpisodeSummary, "episode_summary", prompts.episode, document)


def _ask(
    schema: type[A],
    name: str,
    request: Callable[[Document], list[ChatMessage]],
    document: Document,
) -> A:
    provider = current_provider()
    asking = provider.ask(schema, request(document), name=name, max_tokens=2000)
    return answer_of(provider, asking)
