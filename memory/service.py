"""The front door of memory: all that the rest of the application calls.

Functions named prepare_* may wait for the embedding model and never touch the database.
The others, except `index`, touch the database and never the network. Without a user in
the scope nothing is read and nothing is written.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from meddie.ai.embeddings import Embedder
from memory import journal
from memory.capture import forgetting, message_edits
from memory.capture import remember as capture
from memory.capture.remember import Prepared
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.recall import recall as reading
from memory.recall.query import Query
from memory.recall.shelves import MEMORIES, Shelf
from memory.reembedding import reembed_rows
from memory.values import Candidate, Decision, Provenance, Recall
from people.scope import Scope

__all__ = ["Prepared", "Query", "Shelf"]


def prepare_query(text: str, *, names: Collection[str] = ()) -> Query:
    """Read and embed a message. Network, no database; a failing model is not raised.

    `names` are the speakers of the shelf that will be searched.
    """
    return reading.prepare_query(text, names=names)


def recall(
    scope: Scope,
    query: Query,
    *,
    ranking: str | None = None,
    limit: int | None = None,
    shelves: Sequence[Shelf] = (MEMORIES,),
) -> Recall:
    """Return what is known that bears on the message, best first. Database only.

    The space's policy names the ranking unless one is given.
    """
    return reading.recall(scope, query, ranking=ranking, limit=limit, shelves=shelves)


def ranking_of(scope: Scope) -> str:
    """Return the name of the ranking that the space's policy chose. Database only."""
    return reading.ranking_of(scope)


def prepare_facts(candidates: Sequence[Candidate]) -> Prepared:
    """Normalise, guard and embed proposed facts in one batch. Network, no database.

    A failing model is not raised: `remember` then defers the facts to a job.
    """
    return capture.prepare_facts(candidates)


def remember(
    scope: Scope, prepared: Prepared, provenance: Provenance
) -> list[Decision]:
    """Store what is new, one Decision per fact. Database only, in one transaction.

    Facts without vectors wait in a job. Stored ones are resolved against their neighbours
    in a job after the commit.
    """
    return capture.commit(scope, prepared, provenance)


def prepare_forgetting(sentences: Sequence[object]) -> Prepared:
    """Normalise and embed the sentences to forget. Network, no database."""
    return forgetting.prepare_forgetting(sentences)


def forget(scope: Scope, prepared: Prepared, provenance: Provenance) -> list[Decision]:
    """Retract the memories that the sentences state. Database only.

    Works in conversations that are not remembered too: the wish is explicit.
    """
    return forgetting.forget(scope, prepared, provenance)


def withdraw(scope: Scope, message_ids: Sequence[UUID]) -> None:
    """Retire what edited messages had taught, and restore what it had replaced.

    Takes a retraction scope: it also works after memory was switched off. Database only.
    """
    message_edits.withdraw(scope, message_ids)


def erase(memory: Memory) -> None:
    """Retract a memory and blank its text at once; its hash and vector remain.

    Database only, in one transaction.
    """
    forgetting.erase(memory)


def index(rows: QuerySet[Any], *, embedder: Embedder | None = None) -> int:
    """Give a batch of a shelf's rows vectors of the current model; return how many.

    Network and database, so outside of any transaction. 0 when nothing is left to do or
    the model fails.
    """
    return reembed_rows(rows, embedder=embedder)


def drop_runs(run_ids: Collection[UUID]) -> None:
    """Delete waiting captures of deleted episodes. Their facts stay. Database only."""
    CaptureJob.objects.filter(run_id__in=run_ids).delete()


def record_unreadable_block(scope: Scope, raw: str) -> None:
    """Keep a reply block that could not be parsed, for staff. Database only."""
    journal.record(scope, MemoryEvent.Kind.BLOCK_ERROR, {"raw": raw[:4000]})
