"""What every statement of recall is given: whose rows, which words, which vector."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall import sql
from memory.recall.query import TERM_LIMIT, Query, Term
from memory.recall.shelves import Shelf
from memory.vectors import vector_text
from memory.visibility import scope_values
from people.scope import Scope

FULL_SCAN = 2000
SAMPLE = 1000
"""Rows that the rarity of a long message's words is counted over."""


def owner(scope: Scope, shelf: Shelf) -> dict[str, Any]:
    """Whose rows a statement may see: the user is a constant in every one."""
    return {**scope_values(scope), **shelf.bound}


def values(
    scope: Scope, query: Query, terms: Sequence[Term], shelf: Shelf
) -> dict[str, Any]:
    """What a search for these terms of a query binds, whatever the profile."""
    bound: dict[str, Any] = {
        **owner(scope, shelf),
        **sql.term_values(terms),
        "model": query.model,
        "speaker": query.speaker,
        "full_scan": FULL_SCAN,
    }
    if query.vector is not None:
        bound["near"] = vector_text(query.vector[:NEAR_DIMENSIONS])
        if width(query) == "wide":
            bound["vector"] = vector_text(query.vector)
    return bound


def width(query: Query) -> sql.Width:
    """Whether the short copy holds the query's vector whole."""
    if query.vector is None:
        return "none"
    return "wide" if query.vector[NEAR_DIMENSIONS:].any() else "narrow"


def shortened(query: Query, rows: int) -> bool:
    """Whether so many rows were compared by the short copies, and these do not hold all
    of a vector."""
    return width(query) == "wide" and rows > FULL_SCAN


def rarest(scope: Scope, terms: Sequence[Term], shelf: Shelf) -> Sequence[Term]:
    """At most 12 terms, the rarest in the scope, in the order of the message."""
    if len(terms) <= TERM_LIMIT:
        return terms
    bound = owner(scope, shelf) | {
        "terms": [term.tsquery for term in terms],
        "sample": SAMPLE,
        "limit": TERM_LIMIT,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql.rarest(shelf), bound)
        numbers = sorted(number for (number,) in cursor.fetchall())
    return [terms[number - 1] for number in numbers]
