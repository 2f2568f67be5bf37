"""The one statement that looks for memories.

The scope is a MATERIALIZED table expression, in which both signals are measured for
every row that the user may see; only then anything is ordered and cut. So no index on
vectors can be chosen that would filter after its search and lose rows, and what others
have stored cannot push anything out. The user and the space are constants in it.

It goes through the scope once and joins nothing but the few best rows, so that it stays
linear where the planner knows nothing yet, as right after an import.

Models of at most 384 dimensions are scanned by the short copy `near`, and the best are
measured again by the full vector. Wider ones are measured in full up to 2,000 rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall import statements
from memory.recall.profiles import Profile
from memory.recall.query import TERM_LIMIT, Query, Term
from memory.recall.scoring import Signals
from memory.recall.shelves import Shelf
from memory.recall.vector_text import vector_text
from people.scope import Scope

RERANKED = 60
RERANKED_WIDE = 200
FULL_SCAN = 2000
STALE = 8
DATE_SHARE = 0.75
"""What it counts that a row was said on a day the message names, against naming it."""
SAMPLE = 1000
"""Rows that the rarity of a long message's words is counted over."""


@dataclass(frozen=True, slots=True)
class Found:
    """Signals of the rows worth scoring, and what is true of the whole scope."""

    signals: tuple[Signals, ...]
    best_keyword: float
    stale_ids: tuple[UUID, ...]


def search(scope: Scope, query: Query, shelf: Shelf, profile: Profile) -> Found:
    """Both signals for every row of the shelf that could be among the best."""
    owner = {"user": scope.user_id, "space": scope.space_id}
    terms = _rarest(owner, query.terms, shelf)
    statement = statements.search(
        shelf, terms, literal=profile.literal, vector=_width(query)
    )
    values: dict[str, Any] = {
        **owner,
        **statements.term_values(terms),
        "model": query.model,
        "date": DATE_SHARE,
        "reranked": RERANKED_WIDE if _width(query) == "wide" else RERANKED,
        "cosine_weight": profile.cosine_weight,
        "keyword_weight": profile.keyword_weight,
        "stale": STALE,
        "full_scan": FULL_SCAN,
    }
    if query.vector is not None:
        values["near"] = vector_text(query.vector[:NEAR_DIMENSIONS])
        values["vector"] = vector_text(query.vector)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    best_keyword, stale_ids = rows[0][:2]
    signals = tuple(Signals(*row[2:]) for row in rows if row[2] is not None)
    return Found(signals, best_keyword, tuple(stale_ids))


def _width(query: Query) -> statements.Width:
    if query.vector is None:
        return "none"
    return "wide" if query.vector[NEAR_DIMENSIONS:].any() else "narrow"


def _rarest(
    owner: dict[str, Any], terms: Sequence[Term], shelf: Shelf
) -> Sequence[Term]:
    """At most 12 terms, the rarest in the scope, in the order of the message."""
    if len(terms) <= TERM_LIMIT:
        return terms
    values = owner | {
        "terms": [term.tsquery for term in terms],
        "sample": SAMPLE,
        "limit": TERM_LIMIT,
    }
    with connection.cursor() as cursor:
        cursor.execute(statements.rarest(shelf), values)
        numbers = sorted(number for (number,) in cursor.fetchall())
    return [terms[number - 1] for number in numbers]
