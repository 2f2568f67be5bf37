"""What can be searched: a table with text, vector, tsvector, date and owner, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memory.visibility import owned_sql, visible_sql


@dataclass(frozen=True, slots=True)
class Counted:
    """What is known of a scope of which a shelf holds candidates alone: the weights of
    the query's words in all of it, and the ids, as bytes, of a sample of its rows."""

    weights: tuple[float, ...]
    sample: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A table to search, and the SQL that says which of its rows a scope may see.

    `visible` speaks of a row as `r`, and of %(user)s and %(space)s. `session` is a whole
    number for what was said together, `place` a row's number in it, `speaker` whose words
    it holds; a shelf without them says NULL.

    A shelf with an approximate index (its column `ann` says which rows are in it) tells
    cheaply which rows are a scope's `own`, and which of a `few` rows are visible.
    `bound` is what the SQL needs beyond user and space; `counted` what candidates do not
    tell of their scope.
    """

    table: str
    visible: str
    session: str = "NULL::bigint"
    place: str = "NULL::int"
    speaker: str = "NULL::text"
    own: str = ""
    few: str = ""
    bound: Mapping[str, Any] = field(default_factory=dict)
    counted: Counted | None = None


MEMORIES = Shelf(
    table="memories",
    visible=f"r.active AND {visible_sql('r')}",
    session="(r.stated_at AT TIME ZONE 'UTC')::date - '2000-01-01'::date",
    own=f"r.active AND {owned_sql('r')}",
    few=f"r.active AND {visible_sql('r', few=True)}",
)
