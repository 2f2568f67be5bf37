"""Memory's front door: what other apps call.

`prepare_*` use the network, `index` and `search` both, the others the database. A scope
without a user reads and writes nothing; what changes facts raises NoOwner for it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from memory.episodes import capture_episode, drop_runs, move_run, remember_episode
from memory.exports import (
    count_exported,
    exported_facts,
    exported_lore,
    fact_as_json,
    facts_as_markdown,
    former_facts,
)
from memory.facts import (
    archiving,
    deferred,
    journal_lines,
    kinds,
    message_edits,
    restoration,
    retraction,
)
from memory.facts import assign as assigning
from memory.facts import commit as committing
from memory.facts import forget as wishes
from memory.facts import prepare as preparing
from memory.facts.doubts import (
    extract,
    judge_changes,
    record_doubts,
    refusals_to_tell,
)
from memory.facts.older import older_read, settle_older
from memory.facts.proposals import SHORTEST_FACT
from memory.facts.relatives import (
    join_person,
    join_relative,
    keep_apart,
    relatives_like,
    sex_of,
)
from memory.facts.resolve import answer_doubts
from memory.facts.tidy import (
    settle_tidying,
    start_tidying,
    tidy,
    tidy_changes,
    tidying_of,
)
from memory.import_formats import (
    FORMATS,
    UNKNOWN_SHAPE,
    InvalidImport,
    import_all,
    read_import,
)
from memory.journal import record
from memory.models import Fact, MemoryEvent, MemoryPolicy
from memory.recall import recall as reading
from memory.recall.explanation import explain
from memory.recall.lists import retired_facts
from memory.recall.query import Query
from memory.recall.search import near_facts, search_facts
from memory.recall.shelves import Shelf
from memory.recall.thresholds import thresholds
from memory.reembedding import reembed_rows, stale_rows
from memory.subjects import Household, Subject
from memory.values import (
    AnyCandidate,
    Decision,
    Prepared,
    Provenance,
    Recall,
    Recalled,
)
from memory.vectors import embed_texts
from people.models import User
from people.scope import Scope

__all__ = [  # noqa: RUF022 -- by topic
    # Recall
    "prepare_query", "recall", "search", "near", "explain", "count", "seen_facts", "fact_of",
    "keys", "retired_facts",
    # Capture
    "prepare_facts", "remember", "capture_later", "extract", "refusals_to_tell",
    "remember_episode", "capture_episode", "move_run", "drop_runs",
    # Taking back, and what the user is asked
    "prepare_forgetting", "forget_stated", "forget", "restore", "correct", "assign", "erase",
    "older_read", "settle_older",
    "tidying_of", "start_tidying", "tidy_changes", "tidy", "settle_tidying",
    "relatives_like", "join_relative", "join_person", "keep_apart", "sex_of",
    "withdraw", "stated_only_in", "archive_expired",
    "judge_changes", "record_doubts", "answer_doubts",
    # Files of facts
    "exported_facts", "former_facts", "exported_lore", "count_exported",
    "fact_as_json", "facts_as_markdown", "read_import", "import_all", "FORMATS", "InvalidImport", "UNKNOWN_SHAPE",
    # Upkeep
    "journal", "record_unreadable_block", "record_failure", "index", "count_stale",
    "embed_texts", "thresholds",
]  # fmt: skip

# Recall


def prepare_query(
    message: str, last_reply: str = "", before: str = "", now: datetime | None = None
) -> Query:
    """Read and embed a message; a short one with the last turn. `now` is the user's time."""
    return reading.prepare_query(message, last_reply, before, now=now)


def recall(  # noqa: PLR0913 -- a search has all of them
    scope: Scope,
    query: Query,
    *,
    policy: MemoryPolicy | None = None,
    ranking: str | None = None,
    limit: int | None = None,
    shelves: Sequence[Shelf] = (),
    listed: int | None = None,
) -> Recall:
    """Relevant memories and rows of `shelves`, best first; by default by the space's policy.

    `listed`: how many of the newest facts to return as well; the profile comes with them.
    """
    return reading.recall(
        scope,
        query,
        policy=policy,
        ranking=ranking,
        limit=limit,
        shelves=shelves,
        listed=listed,
    )


def search(  # noqa: PLR0913 -- a search has all of them
    scope: Scope,
    query_text: str,
    *,
    channel: str = "",
    limit: int = 8,
    everyone: bool = False,
    ranking: str | None = None,
    former: bool = False,
    as_of: datetime | None = None,
    among: Collection[UUID] | None = None,
    least: float | None = None,
    safety: bool = False,
) -> list[Recalled]:
    """1 to 24 facts that fit a query, best first. Network, then database.

    Those about whom it asks come first. With `everyone`, for staff alone, all of the space;
    `former`: also replaced or archived ones; or only what was true `as_of` a moment.
    `among` has the keys of all that may be found, `least` is the lowest score.
    `safety` is for programs, which are no blinder than a prompt (decision 53): the space's
    ranking, and beyond the limit the nearest safety facts. Else it is "ranked".
    """
    how: dict[str, Any] = {"everyone": everyone, "former": former, "safety": safety}
    how |= {"as_of": as_of, "among": among, "least": least, "ranking": ranking}
    return search_facts(
        scope, query_text, kinds.searched_shelves, channel, limit, **how
    )


def near(scope: Scope, words: str) -> set[UUID]:
    """Keys of facts near the words of a search; none is far. Network, then database."""
    return near_facts(scope, words, kinds.searched_shelves)


def count(scope: Scope) -> int:
    return sum(kind.seen(scope).active().count() for kind in kinds.KINDS.values())


def seen_facts(scope: Scope, without: Collection[str] = ()) -> Iterator[Fact]:
    """Active facts that the user knows of but for some kinds, newest first."""
    return kinds.seen_facts(scope, without)


def fact_of(key: UUID) -> Fact | None:
    """A fact of anyone, for jobs."""
    return kinds.fact_of(key)


def keys(scope: Scope) -> list[UUID]:
    """Of active facts, newest first."""
    return retraction.active_keys(scope)


# Capture


def prepare_facts(candidates: Sequence[AnyCandidate], household: Household) -> Prepared:
    """A proposal for each candidate, guarded and embedded. A failing model is not raised.

    Facts of a profile about health become sentences like others. A sentence without a
    subject gets the one of `household` that its words name.
    """
    return preparing.prepare_facts(candidates, household)


def remember(
    scope: Scope, prepared: Prepared, provenance: Provenance
) -> list[Decision]:
    """Store new facts; a decision on each proposal, in their order.

    Facts without vectors are deferred. A profile has one value per category and key.
    Lore is kept if the space's policy wants that.
    """
    return committing.commit(scope, prepared, provenance)


def capture_later(
    scope: Scope,
    text: str,
    provenance: Provenance,
    context: Sequence[tuple[str, str]] = (),
    *,
    policy: MemoryPolicy | None = None,
    metadata: str = "",
) -> UUID | None:
    """Extract facts after the commit, if the space's policy wants it; the job's key.

    `context` is the last messages before it, as role and text, `metadata` for its facts.
    """
    short = len(text.strip()) < SHORTEST_FACT
    if short or not scope.writes or scope.user_id is None:
        return None
    policy = policy or MemoryPolicy.objects.of(scope.space_id)
    if not policy.captures(scope.channel):
        return None
    return deferred.put_extraction(scope, text, context, provenance, metadata)


# Taking back


def prepare_forgetting(sentences: Sequence[object], *said: str) -> Prepared:
    """Embed wishes, and judge them by the message and what came before it."""
    return wishes.prepare_forgetting(sentences, *said)


def forget_stated(
    scope: Scope, prepared: Prepared, provenance: Provenance
) -> list[Decision]:
    """Retract the facts that the sentences state, also if `scope.writes` is false.

    `ask` if the message does not want it; without a match it names the nearest.
    """
    return wishes.forget_stated(scope, prepared, provenance)


def forget(
    scope: Scope,
    keys: Collection[UUID] | None,
    *,
    by: User | None = None,
    undo: bool = False,
    at: datetime | None = None,
) -> list[UUID]:
    """Retract active facts and their earlier versions; without keys, all of the user.

    Texts are kept for 30 days, so that it can be undone. With `undo` what a fact replaced
    is restored instead. `at` is the time for `restore`. Return those forgotten.
    """
    return retraction.forget(scope, keys, by=by, undo=undo, at=at)


def restore(
    scope: Scope,
    keys: Collection[UUID],
    *,
    at: datetime | None = None,
    by: User | None = None,
) -> list[Decision]:
    """Restore facts that were retracted at that time or, for staff, retired at any.

    A decision is `restore`, or `reject` with the reason.
    """
    return restoration.restore(scope, keys, at=at, by=by)


def correct(
    scope: Scope,
    key: UUID,
    prepared: Prepared,
    provenance: Provenance | None = None,
) -> Decision:
    """Let the one prepared sentence supersede a fact of the user or, for staff, lore.

    The decision is `replace`, `ignore` for the same text, or `reject`.
    """
    return committing.correct(scope, key, prepared, provenance)


def assign(
    scope: Scope,
    keys: Collection[UUID],
    subject: Subject,
    *,
    by: User | None = None,
) -> dict[UUID, Subject]:
    """Move the user's own sentences, with earlier versions and labels, to another subject.

    Return the former subjects of those that moved, for Undo. A Person of another space is a
    mere name.
    """
    return assigning.assign(scope, keys, subject, by=by)


def erase(
    scope: Scope, keys: Collection[UUID] | None, *, by: User | None = None
) -> list[UUID]:
    """Forget facts, also retired ones, for good; without keys, what was forgotten before.

    The texts of earlier versions are blanked, too. Return those forgotten.
    """
    return retraction.erase(scope, keys, by=by)


def withdraw(scope: Scope, gone: Sequence[UUID], back: Sequence[UUID] = ()) -> None:
    """Withdraw what replaced messages stated.

    Tell again what the messages stated that are `back`, unless it was forgotten since.
    """
    message_edits.withdraw(scope, gone, back)


def stated_only_in(scope: Scope, message_ids: Collection[UUID]) -> list[UUID]:
    """Keys of facts that no other message stated."""
    return message_edits.stated_only_in(scope, message_ids)


def archive_expired(
    policy: MemoryPolicy,
    uses: Callable[[Collection[UUID]], Mapping[UUID, int]],
    now: datetime,
    *,
    dry_run: bool,
) -> Counter[str]:
    """Archive facts whose time to live has passed; how many, by kind.

    `uses` counts the replies that used them.
    """
    return archiving.archive_expired(policy, uses, now, dry_run=dry_run)


# Upkeep


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
    """Leave a line for operators, if the policy wants it."""
    policy = policy or MemoryPolicy.objects.of(scope.space_id)
    if policy.journals(ingested=ingested):
        journal_lines.add_journal_line(
            scope, message_id, at, author, text, ingested=ingested
        )


def record_unreadable_block(scope: Scope, raw: str) -> None:
    """For staff."""
    record(scope, MemoryEvent.Kind.BLOCK_ERROR, {}, texts={"raw": raw[:4000]})


def record_failure(scope: Scope, kind: str, error: str, **about: str) -> None:
    """Tell staff of a message without an answer, and nothing of its text."""
    record(scope, kind, {"error": error, **about})


def index(rows: QuerySet[Any], *, embedder: Embedder | None = None) -> int:
    """Embed a batch; return how many."""
    return reembed_rows(rows, embedder=embedder)


def count_stale(rows: QuerySet[Any]) -> int:
    """Without a vector of the current model."""
    return stale_rows(rows, embeddings.current_embedder().model.name).count()
