"""The one statement that looks for memories.

The scope is a MATERIALIZED table expression, in which both signals are measured for
every row that the user may see; only then anything is ordered and cut. So no index on
vectors can be chosen that would filter after its search and lose rows, and what others
have stored cannot push anything out. The user and the space are constants in it.

It goes through the scope once and joins nothing but the few best rows, so that it stays
linear where the planner knows nothing yet, as right after an import.

Vectors of at most 384 numbers are whole in the short copy `near`. Wider ones are measured
in full up to 2,000 rows; of more, the best by `near` are measured again.
"""

from dataclasses import dataclass
from datetime import UTC
from typing import Any
from uuid import UUID

from django.db import connection

from memory.recall import asking, statements
from memory.recall.profiles import Profile
from memory.recall.query import Query
from memory.recall.scoring import Signals
from memory.recall.shelves import Shelf
from memory.recall.silence import Background
from people.scope import Scope

CANDIDATES = 40
CANDIDATES_WIDE = 200
DATE_SHARE = 0.75
"""What it counts that a row was said on a day the message names, against naming it."""


@dataclass(frozen=True, slots=True)
class Found:
    """Signals of the rows worth scoring, and what is true of the whole scope."""

    signals: tuple[Signals, ...]
    best_keyword: float
    stale_ids: tuple[UUID, ...]
    background: Background


def search(scope: Scope, query: Query, shelf: Shelf, profile: Profile) -> Found:
    """Both signals for every row of the shelf that could be among the best."""
    terms = asking.rarest(scope, query.terms, shelf)
    statement = statements.search(
        shelf, terms, literal=profile.literal, vector=asking.width(query)
    )
    values: dict[str, Any] = {
        **asking.values(scope, query, terms, shelf),
        "date": DATE_SHARE,
        "many": CANDIDATES_WIDE if asking.width(query) == "wide" else CANDIDATES,
        "cosine_weight": profile.cosine_weight,
        "keyword_weight": profile.keyword_weight,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    best_keyword, stale_ids, *background = rows[0][:5]
    signals = tuple(
        # Django reads times with a zone in Python, ten times slower.
        Signals(key, text, stated_at.replace(tzinfo=UTC), cosine, keyword)
        for *_, key, text, stated_at, cosine, keyword in rows
        if key is not None
    )
    return Found(signals, best_keyword, tuple(stale_ids), Background(*background))
