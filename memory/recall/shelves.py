"""What can be searched: a table with text, vector, tsvector, date and owner, as a value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shelf:
    """A table to search, and the SQL that says which of its rows a scope may see.

    `visible` speaks of a row as `r`, and of %(user)s and %(space)s. `session` is what
    was said together, `place` a row's number in it, `speaker` whose words it holds; a
    shelf without them says NULL.
    """

    table: str
    visible: str
    session: str = "NULL::text"
    place: str = "NULL::int"
    speaker: str = "NULL::text"


MEMORIES = Shelf(
    table="memories",
    # IS TRUE keeps the links a hashed set: as a join, with no statistics yet, they
    # would be gone through once for every row.
    visible="""
        r.user_id = %(user)s AND r.space_id = %(space)s
        AND r.audience = 'private' AND r.active
        AND (r.id IN (
            SELECT l.memory_id FROM memory_memorylink l
             WHERE l.user_id = %(user)s AND l.space_id = %(space)s
        )) IS TRUE""",
    session="(r.stated_at AT TIME ZONE 'UTC')::date",
)
