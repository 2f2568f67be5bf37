"""Which memories a scope owns and sees, as QuerySet filters and as SQL.

It owns the private memories of its user in its space, and sees those of any user that
are linked to its user there. Each member of a space sees its lore. Recall also finds
community memories while it sees few of its own (S1-41, S1-42).
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from people.scope import Scope

OWN_AUDIENCE = "private"
SPACE_AUDIENCE = "space"
COMMUNITY_AUDIENCE = "everyone"
COMMUNITY = Q(audience=COMMUNITY_AUDIENCE, user=None, space=None)
ENOUGH_OWN = 5  # own memories
# Of a search through a whole space: facts of one member, and of all.
NEWEST_EACH, NEWEST = 2_000, 20_000
NOTHING = Q(pk__in=[])
IN_SCOPE = "{row}.user_id = %(user)s AND {row}.space_id = %(space)s"
LINKS_SQL = f"""(
    SELECT link.memory_id FROM memory_memorylink link
     WHERE {IN_SCOPE.format(row="link")}{{which}}
)"""  # noqa: S608 -- constants

# From a partial index, which is empty for most users.
LENT = f"""{{row}}.id = ANY(ARRAY{LINKS_SQL.format(which=" AND link.lent")})
 AND {{row}}.user_id <> %(user)s AND {{row}}.space_id = %(space)s
 AND {{row}}.audience = '{OWN_AUDIENCE}'"""


# Of rows for all members of a space.
LORE = f"""{{row}}.user_id IS NULL AND {{row}}.space_id = %(space)s
 AND {{row}}.audience = '{SPACE_AUDIENCE}' AND %(user)s::uuid IS NOT NULL"""


def in_scope(scope: Scope) -> Q:
    """Rows of its user in its space."""
    if scope.user_id is None:
        return NOTHING
    return Q(user_id=scope.user_id, space_id=scope.space_id)


MEMBERS = """SELECT account.id FROM people_user account
  JOIN people_membership membership ON membership.user_id = account.id
 WHERE membership.space_id = %(space)s AND account.is_active AND account.memory_on"""
SPACE_REMEMBERS = """EXISTS (
    SELECT FROM people_space here WHERE here.id = %(space)s AND here.memory_on
)"""
# Of rows of active members whose memory is on, and of lore.
KNOWN_IN_SPACE = f"""{{row}}.space_id = %(space)s AND {SPACE_REMEMBERS}
 AND ({{row}}.user_id IS NULL OR {{row}}.user_id IN ({MEMBERS}))"""
# The newest of them, read from an index one member at a time.
NEWEST_IN_SPACE = f"""{SPACE_REMEMBERS} AND {{row}}.id = ANY(ARRAY(
    SELECT newest.id FROM ({MEMBERS}) member CROSS JOIN LATERAL (
        SELECT own.id, own.stated_at FROM memories own
         WHERE own.user_id = member.id AND own.space_id = %(space)s AND own.active
         ORDER BY own.stated_at DESC, own.id DESC LIMIT {NEWEST_EACH}
    ) newest ORDER BY newest.stated_at DESC LIMIT {NEWEST}
) || ARRAY(
    SELECT lore.id FROM memories lore
     WHERE lore.user_id IS NULL AND lore.space_id = %(space)s AND lore.active
     ORDER BY lore.stated_at DESC LIMIT {NEWEST_EACH}
))"""  # noqa: S608 -- constants
# Of rows for a user with few own ones.
SHARED_SQL = f"""{{row}}.user_id IS NULL AND {{row}}.space_id IS NULL
 AND {{row}}.audience = '{COMMUNITY_AUDIENCE}' AND %(user)s::uuid IS NOT NULL AND (
    SELECT count(*) FROM (
        SELECT FROM memories own WHERE own.active AND {{own}} LIMIT {ENOUGH_OWN}
    ) own
) < {ENOUGH_OWN}"""  # noqa: S608 -- constants


def owned(scope: Scope) -> Q:
    return in_scope(scope) & Q(audience=OWN_AUDIENCE)


def visible(scope: Scope) -> Q:
    """Use it in one `filter` call, because it joins links."""
    if scope.user_id is None:
        return NOTHING
    linked = Q(links__user_id=scope.user_id, links__space_id=scope.space_id)
    return linked & Q(space_id=scope.space_id, audience=OWN_AUDIENCE)


def lore(space_id: uuid.UUID) -> Q:
    return Q(audience=SPACE_AUDIENCE, user=None, space_id=space_id)


def told_lore(scope: Scope) -> Q:
    """Lore that its user told."""
    if scope.user_id is None:
        return NOTHING
    return lore(scope.space_id) & Q(told_by=scope.user_id)


def owned_sql(row: str) -> str:
    """Condition on the table alias `row`; takes `scope_values`."""
    return f"{IN_SCOPE.format(row=row)} AND {row}.audience = '{OWN_AUDIENCE}'"


def linked_sql(row: str) -> str:
    return f"EXISTS {LINKS_SQL.format(which=f' AND link.memory_id = {row}.id')}"


def visible_own_sql(row: str, *, few: bool = False) -> str:
    """Condition on the table alias `row`; takes `scope_values`.

    `few` suits statements that test few rows. For many the links are hashed.
    """
    if few:
        return f"{owned_sql(row)} AND {linked_sql(row)}"
    # IS TRUE prevents a join, which without statistics reads the links once per row.
    return f"{owned_sql(row)} AND ({row}.id IN {LINKS_SQL.format(which='')}) IS TRUE"


def space_sql(row: str, *, few: bool = False) -> str:
    """Condition on the table alias `row`, for staff alone: memories of all members.

    Only the newest; `few` suits statements that test few rows, and takes them all.
    """
    return (KNOWN_IN_SPACE if few else NEWEST_IN_SPACE).format(row=row)


def lent_sql(row: str) -> str:
    """Condition on the table alias `row`; takes `scope_values`."""
    return LENT.format(row=row)


def lore_sql(row: str) -> str:
    """Condition on the table alias `row`; takes `scope_values`."""
    return LORE.format(row=row)


def community_sql(row: str) -> str:
    """Condition on the table alias `row`; takes `scope_values`."""
    return SHARED_SQL.format(row=row, own=visible_own_sql("own", few=True))


def scope_values(scope: Scope) -> dict[str, Any]:
    """NULL for no user matches no row. `offset` is that of the user's time zone."""
    ahead = datetime.now(scope.zone).utcoffset() or timedelta()
    offset = f"{ahead.total_seconds():.0f} seconds"  # an interval without days
    return {"user": scope.user_id, "space": scope.space_id, "offset": offset}
