"""Searchable tables as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memory.visibility import owned_sql, visible_sql


@dataclass(frozen=True, slots=True)
class Counted:
    """What is known of a whole scope when a shelf holds only candidates of it: the
    weights of the query's words, and the ids, as bytes, of a sample of rows."""

    weights: tuple[float, ...]
    sample: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A table with text, vector, tsvector and date, and its SQL fragments.

    `visible` is the condition under which the scope may see a row `r`; it names %(user)s
    and %(space)s. `session` groups rows that belong together, `place` is a row's number
    in it, and `speaker` is the name of the person who spoke; each is NULL where a table has none.

    `visible_by_id` is the same condition for a few rows read by their ids. `own` is the
    condition without links, for the index of large scopes; without it a shelf has no such
    index. `bound` has further values to bind.
    """

    table: str
    visible: str
    session: str = "NULL::bigint"
    place: str = "NULL::int"
    speaker: str = "NULL::text"
    visible_by_id: str = ""
    own: str = ""
    bound: Mapping[str, Any] = field(default_factory=dict)
    counted: Counted | None = None


MEMORIES = Shelf(
    table="memories",
    visible=f"r.active AND {visible_sql('r')}",
    session="(r.stated_at AT TIME ZONE 'UTC')::date - '2000-01-01'::date",
    visible_by_id=f"r.active AND {visible_sql('r', few=True)}",
    own=f"r.active AND {owned_sql('r')}",
)
