"""Memory's public functions.

`prepare_*` use the network, `index` and `search` both, `topic_threshold` and what is
imported from context and retelling nothing, the others the database. A scope without a
user reads and writes nothing.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from memory.context import announces_topic, confirms, is_bare, with_confirmed
from memory.exports import (
    exported_facts,
    exported_lore,
    former_facts,
    json_line,
    markdown_line,
)
from memory.facts import (
    background,
    deferred,
    episodes,
    journal_lines,
    lore,
    store,
)
from memory.facts import forget as wishes
from memory.facts import remember as capture
from memory.facts.corrections import correct
from memory.facts.episodes import capture_episode
from memory.facts.expiry import archive_expired, users_with_old_facts
from memory.facts.forget import prepare_forgetting
from memory.facts.message_edits import tell_again, withdraw
from memory.facts.remember import Prepared
from memory.facts.retelling import StatementIndex, without_known, without_retired
from memory.facts.retraction import (
    erase,
    erase_facts,
    erase_forgotten,
    forget_everything,
    forget_memory,
)
from memory.facts.statements import stated_only_in
from memory.facts.undo import restore_forgotten, take_back
from memory.journal import record
from memory.judgement.judge import judge_sentences
from memory.models import (
    CaptureJob,
    EpisodicMemory,
    JournalLine,
    Memory,
    MemoryEvent,
    MemoryPolicy,
)
from memory.recall import recall as reading
from memory.recall.explanation import weigh
from memory.recall.query import Query
from memory.recall.recall import PROFILE_IMPORTANCE, newest, policy_of
from memory.recall.retired import retired_facts as retired
from memory.recall.search import search_facts
from memory.recall.shelves import EPISODES, Shelf, further_shelf
from memory.recall.thresholds import thresholds
from memory.reembedding import reembed_rows, stale_rows
from memory.subjects import shown_text, subject_of
from memory.values import (
    Candidate,
    Decision,
    ProfileCandidate,
    ProfileLine,
    Provenance,
    Recall,
    Recalled,
    Turns,
)
from memory.vectors import embed_texts as embed
from memory.words import grounded, language_of
from people.scope import Scope

__all__ = [
    "EPISODES",
    "Prepared",
    "Query",
    "Shelf",
    "StatementIndex",
    "announces_topic",
    "archive_expired",
    "capture_episode",
    "confirms",
    "correct",
    "embed",
    "erase",
    "erase_facts",
    "erase_forgotten",
    "exported_facts",
    "exported_lore",
    "forget_everything",
    "forget_memory",
    "former_facts",
    "further_shelf",
    "grounded",
    "is_bare",
    "json_line",
    "judge_sentences",
    "language_of",
    "markdown_line",
    "newest",
    "policy_of",
    "prepare_forgetting",
    "restore_forgotten",
    "retired",
    "shown_text",
    "stated_only_in",
    "subject_of",
    "take_back",
    "tell_again",
    "users_with_old_facts",
    "weigh",
    "with_confirmed",
    "withdraw",
    "without_known",
    "without_retired",
]


def topic_threshold(model: str) -> float:
    """The least cosine of a message and its topic."""
    return thresholds(model).topic


def prepare_query(message: str, last_reply: str = "") -> Query:
    """Read and embed a message."""
    return reading.prepare_query(message, last_reply)


def recall(
    scope: Scope,
    query: Query,
    *,
    policy: MemoryPolicy | None = None,
    ranking: str | None = None,
    limit: int | None = None,
    shelves: Sequence[Shelf] = (),
) -> Recall:
    """Relevant memories and rows of `shelves`, best first.

    Without `policy` and `ranking`, those of the space are used.
    """
    return reading.recall(
        scope, query, policy=policy, ranking=ranking, limit=limit, shelves=shelves
    )


def search(
    scope: Scope,
    query_text: str,
    *,
    channel: str = "",
    limit: int = 8,
    everyone: bool = False,
) -> list[Recalled]:
    """1 to 24 facts that fit a query, best first. Network, then database.

    Own facts and lore; with `everyone`, for staff alone, all of the space. Those of
    `channel` are lifted.
    """
    return search_facts(
        scope, query_text, channel=channel, limit=limit, everyone=everyone
    )


def prepare_facts(candidates: Sequence[Candidate]) -> Prepared:
    """Guard and embed facts. A failing model is not raised."""
    return capture.prepare_facts(candidates)


def remember(
    scope: Scope,
    prepared: Prepared,
    provenance: Provenance,
    profile: Sequence[ProfileCandidate] = (),
) -> list[Decision]:
    """Store new facts, in one run; the decisions, first on those of the profile.

    Facts without vectors are deferred. A profile has one value per category and key.
    """
    return capture.commit(scope, prepared, provenance, profile)


def remember_lore(
    scope: Scope, lines: Sequence[object], provenance: Provenance
) -> list[Decision]:
    """Store lines for all members of the space, if its policy wants that."""
    return lore.remember_lore(scope, lines, provenance)


def profile(scope: Scope, least: float = PROFILE_IMPORTANCE) -> list[ProfileLine]:
    """Active profile facts of at least that importance, most important first."""
    return reading.profile(scope, least)


def capture_later(
    scope: Scope,
    text: str,
    provenance: Provenance,
    context: Sequence[tuple[str, str]] = (),
    *,
    policy: MemoryPolicy | None = None,
) -> None:
    """Extract facts after the commit, if the space's policy wants it.

    `context` is the last messages before it, as role and text.
    """
    if not scope.writes or scope.user_id is None:
        return
    long_enough = len(text.strip()) >= background.SHORTEST
    if long_enough and (policy or policy_of(scope)).captures(scope.channel):
        deferred.put_extraction(scope, text, context, provenance)


def forget(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    """Retract the memories that the sentences state, also if `scope.writes` is false.

    The decision on a sentence that matches none names the nearest memories.
    """
    return wishes.forget(scope, prepared, provenance)


def count_memories(scope: Scope) -> int:
    """The number of active memories, profile facts and lines told for the space."""
    told = lore.told_lore(scope).active().count() if scope.user_id else 0
    return reading.count_memories(scope) + len(reading.profile(scope, least=0.0)) + told


def index(rows: QuerySet[Any], *, embedder: Embedder | None = None) -> int:
    """Embed a batch outside of transactions; return how many."""
    return reembed_rows(rows, embedder=embedder)


def count_stale(rows: QuerySet[Any]) -> int:
    """How many rows have no vector of the current model."""
    return stale_rows(rows, embeddings.current_embedder().model.name).count()


def remember_episode(scope: Scope, content: str, turns: Turns) -> EpisodicMemory:
    return episodes.store_episode(scope, content, turns)


def drop_episodes(ids: Collection[UUID]) -> None:
    """Delete summaries of conversations."""
    EpisodicMemory.objects.filter(pk__in=ids).delete()


def move_run(scope: Scope, message_ids: Collection[UUID], run_id: UUID) -> None:
    """Move what was learnt from messages to another episode."""
    store.lock(scope)
    owner = {"user_id": scope.user_id, "space_id": scope.space_id}
    CaptureJob.objects.filter(**owner, source_id__in=message_ids).update(run_id=run_id)
    learnt = Memory.objects.owned_by(scope).filter(source_message__in=message_ids)
    learnt.update(run_id=run_id)


def drop_runs(run_ids: Collection[UUID]) -> None:
    """Delete what belongs to deleted episodes."""
    CaptureJob.objects.filter(run_id__in=run_ids).delete()
    EpisodicMemory.objects.filter(run_id__in=run_ids).delete()


def journal(  # noqa: PLR0913 -- a line has all of them
    scope: Scope,
    message_id: UUID,
    at: datetime,
    author: str,
    text: str,
    *,
    policy: MemoryPolicy | None = None,
    ingested: bool = False,
) -> None:
    """Leave a line for operators, if the policy wants it; `ingested`: by that API."""
    policy = policy or policy_of(scope)
    if policy.journals(ingested=ingested):
        journal_lines.add_journal_line(
            scope, message_id, at, author, text, ingested=ingested
        )


def drop_journal(message_ids: Collection[UUID] | QuerySet[Any]) -> None:
    JournalLine.objects.of_messages(message_ids).delete()


def record_unreadable_block(scope: Scope, raw: str) -> None:
    """Keep an unreadable reply block for staff."""
    record(scope, MemoryEvent.Kind.BLOCK_ERROR, {}, texts={"raw": raw[:4000]})
