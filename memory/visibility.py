"""Which memories a scope owns and which it sees, as QuerySet filters and as SQL.

A scope owns the private memories of its user in its space. It sees those of them that
are linked to the user. Without a user it owns and sees nothing. A further audience is
added here and nowhere else.
"""

import uuid

from django.db.models import Q

from people.scope import Scope

OWN_AUDIENCE = "private"
NOTHING = Q(pk__in=[])
IN_SCOPE = "{row}.user_id = %(user)s AND {row}.space_id = %(space)s"
LINKS = f"""(
    SELECT link.memory_id FROM memory_memorylink link
     WHERE {IN_SCOPE.format(row="link")}{{which}}
)"""  # noqa: S608 -- constants


def owned(scope: Scope) -> Q:
    """Match the memories that capture compares with and writes to."""
    if scope.user_id is None:
        return NOTHING
    return Q(audience=OWN_AUDIENCE, user_id=scope.user_id, space_id=scope.space_id)


def visible(scope: Scope) -> Q:
    """Match the memories that may be recalled; to be passed to one `filter` call."""
    return owned(scope) & Q(
        links__user_id=scope.user_id, links__space_id=scope.space_id
    )


def owned_sql(row: str) -> str:
    """Condition of `owned` on the table alias `row`; takes `scope_values`."""
    return f"{IN_SCOPE.format(row=row)} AND {row}.audience = '{OWN_AUDIENCE}'"


def linked_sql(row: str) -> str:
    """Condition that a row is linked to the user of the scope."""
    return f"EXISTS {LINKS.format(which=f' AND link.memory_id = {row}.id')}"


def visible_sql(row: str, *, few: bool = False) -> str:
    """Condition of `visible` on the table alias `row`; takes `scope_values`.

    `few` suits statements that test few rows. For many the links are hashed: IS TRUE
    keeps the planner from a join, which without statistics reads them once per row.
    """
    if few:
        return f"{owned_sql(row)} AND {linked_sql(row)}"
    return f"{owned_sql(row)} AND ({row}.id IN {LINKS.format(which='')}) IS TRUE"


def scope_values(scope: Scope) -> dict[str, uuid.UUID | None]:
    """The parameters of the SQL conditions; NULL for no user matches no row."""
    return {"user": scope.user_id, "space": scope.space_id}
