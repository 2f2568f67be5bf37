"""What can be searched: a table with text, vector, tsvector, date and owner, as a value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shelf:
    """A table to search, and the SQL that says which of its rows a scope may see.

    `visible` speaks of a row as `r`, and of %(user)s and %(space)s.
    """

    table: str
    visible: str


MEMORIES = Shelf(
    table="memories",
    visible="""
        r.user_id = %(user)s AND r.space_id = %(space)s
        AND r.audience = 'private' AND r.active
        AND EXISTS (
            SELECT 1 FROM memory_memorylink l
             WHERE l.memory_id = r.id
               AND l.user_id = %(user)s AND l.space_id = %(space)s
        )""",
)
