"""Searchable tables as values."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self
from uuid import UUID

from memory.models.embedded import NO_MODEL
from memory.values import LORE_KIND, MEMORY_KIND, PROFILE_KIND
from memory.visibility import (
    IN_SCOPE,
    community_sql,
    lent_sql,
    lore_sql,
    owned_sql,
    space_sql,
    visible_own_sql,
)

# Of a profile fact in every prompt, at least (S4-30); the others are searched.
PROFILE_IMPORTANCE = 0.5
# Lines without a vector; a scope has at most fifty.
PROFILE_LINES = f"""(
    SELECT p.id, p.user_id, p.space_id, p.importance, p.confidence, p.channel,
           p.stated_at, concat(p.key, ': ', p.value) AS content, p.content_tsv,
           '{NO_MODEL}' AS embedding_model, NULL::vector AS embedding,
           NULL::halfvec AS near
      FROM memory_profilefact p WHERE p.active
)"""  # noqa: S608 -- constants


@dataclass(frozen=True, slots=True)
class Counted:
    """Statistics of a whole scope, for a shelf of candidates."""

    # Of the query's words: the rarer, the heavier.
    weights: tuple[float, ...]
    # Different words of a text of usual length.
    usual: float


@dataclass(frozen=True, slots=True)
class Shelf:
    """A table and its SQL fragments, which call a row `r`."""

    table: str
    # Whether the scope sees a row of its own; takes %(user)s and %(space)s.
    visible: str
    # Groups rows that belong together; a row's number in its group, or its first and last
    # one; who spoke.
    session: str = "NULL::bigint"
    place: str = "NULL::int"
    last: str = "NULL::int"
    speaker: str = "NULL::text"
    # Of facts: what the user said of it, how sure it is, and where it was stated.
    evidence: str = "''"
    evidence_tsv: str = "''::tsvector"
    confidence: str = "1"
    channel: str = "''"
    room: str = "''"
    # A remark on a row, and when it was stored, read with its text.
    label: str = "''"
    # Whom a fact is about: the columns of `Subject.read`.
    subject: str = "''"
    person: str = "NULL::uuid"
    stored_at: str = "NULL::timestamptz"
    # The same as `visible`, for a few rows read by id.
    visible_by_id: str = ""
    # The same without links, for the index of large scopes; empty without an index.
    own: str = ""
    # Rows of other users that the scope sees; empty for none.
    lent: str = ""
    # Rows of no user that the scope finds, too; empty for none.
    community: str = ""
    # Further values to bind.
    bound: Mapping[str, Any] = field(default_factory=dict, compare=False)
    counted: Counted | None = field(default=None, compare=False)
    # Of shelves that are searched beside the facts.
    kind: str = ""
    ranking: str = ""
    limit: int = 0
    # Its best rows are shown below the gate, too, if the query names a file.
    of_files: bool = False

    def among(self, keys: Collection[UUID]) -> Self:
        """With no other rows, and so without the index of large scopes."""
        parts: dict[str, Any] = {
            name: f"({rows}) AND r.id = ANY(%(among)s::uuid[])"
            for name in ("visible", "visible_by_id", "lent", "community")
            if (rows := getattr(self, name))
        }
        bound = {**self.bound, "among": list(keys)}
        return replace(self, **parts, own="", bound=bound)

    @property
    def large(self) -> str:
        """Whether an index has rows of the scope."""
        return f"EXISTS (SELECT FROM {self.table} r WHERE r.ann AND {self.own})"

    @property
    def unless_large(self) -> Self:
        """The shelf, empty where the index applies."""
        small = f"NOT {self.large}"
        lent = self.lent and f"{small} AND {self.lent}"
        return replace(self, visible=f"{small} AND {self.visible}", lent=lent)


def further_shelf(
    kind: str,
    table: str,
    ranking: str,
    limit: int,
    *,
    which: str = "true",
    **parts: Any,
) -> Shelf:
    """The user's own rows of a table for which `which` holds; `parts` as in Shelf."""
    visible = f"{IN_SCOPE.format(row='r')} AND {which}"
    return Shelf(table, visible, kind=kind, ranking=ranking, limit=limit, **parts)


# Days, or months that begin or end with their first or last day.
_MOMENT = """to_char({moment} AT TIME ZONE 'UTC',
    CASE WHEN {moment} = date_trunc('month', {moment}, 'UTC') THEN 'YYYY-MM'
         ELSE 'YYYY-MM-DD' END)"""
# What was stated begins and ends at a midnight of UTC. What follows from another fact
# is a moment, whose day is the user's.
_LAST = """CASE WHEN {moment} <> date_trunc('day', {moment}, 'UTC')
    THEN to_char({moment} AT TIME ZONE %(offset)s::interval, 'YYYY-MM-DD')
    ELSE to_char(({moment} - interval '1 microsecond') AT TIME ZONE 'UTC',
        CASE WHEN {moment} = date_trunc('month', {moment}, 'UTC') THEN 'YYYY-MM'
             ELSE 'YYYY-MM-DD' END) END"""
_SINCE = f"""CASE WHEN r.valid_from = date_trunc('day', r.valid_from, 'UTC')
    THEN 'since ' || {_MOMENT.format(moment="r.valid_from")} END"""
PERIOD_LABEL = f"""concat_ws(' ', {_SINCE},
    'until ' || {_LAST.format(moment="r.valid_until")})"""
# It waits for the user's word whether a newer one replaces it, or it an older one.
# With a limit the planner asks row by row; EXISTS would read all memories once.
_UNSETTLED = """CASE WHEN (SELECT true FROM memories newer
    WHERE newer.may_replace_id = r.id AND newer.active LIMIT 1)
    OR (SELECT older.active FROM memories older WHERE older.id = r.may_replace_id)
    THEN 'unsettled' END"""
FACT_LABEL = f"concat_ws(', ', {_UNSETTLED}, nullif({PERIOD_LABEL}, ''))"
OWN_MEMORIES = Shelf(
    table="memories",
    visible=f"r.active AND {visible_own_sql('r')}",
    session="(r.stated_at AT TIME ZONE 'UTC')::date - '2000-01-01'::date",
    evidence="r.evidence",
    evidence_tsv="r.evidence_tsv",
    confidence="r.confidence",
    channel="r.channel",
    room="r.room",
    label=FACT_LABEL,
    subject="r.subject",
    person="r.person_id",
    stored_at="r.inserted_at",
    visible_by_id=f"r.active AND {visible_own_sql('r', few=True)}",
    own=f"r.active AND {owned_sql('r')}",
    lent=f"r.active AND {lent_sql('r')}",
)
# What an answer must not overlook (decision 53).
SAFETY = replace(
    OWN_MEMORIES,
    visible=f"r.safety AND r.active AND {visible_own_sql('r', few=True)}",
    own="",
    lent="",
    kind="safety",
    limit=12,
)
# What was replaced or archived, not what was forgotten.
_FORMER = f"r.retired_reason IN ('superseded', 'archived') AND {owned_sql('r')}"
FORMER_MEMORIES = replace(
    OWN_MEMORIES, visible=_FORMER, visible_by_id=_FORMER, own="", lent=""
)
# What was replaced, at the time of a question or, without one, at any.
_PAST = f"""r.retired_reason = 'superseded' AND r.valid_until IS NOT NULL
 AND r.valid_until > coalesce(r.valid_from, r.stated_at) AND {owned_sql("r")}
 AND (%(past_since)s::timestamptz IS NULL OR r.valid_until > %(past_since)s
      AND coalesce(r.valid_from, r.stated_at) < %(past_until)s)"""
PAST_MEMORIES = replace(
    FORMER_MEMORIES, visible=_PAST, visible_by_id=_PAST, kind=MEMORY_KIND, limit=4
)
# As `FactQuerySet.true_at` has it.
_AT = f"""coalesce(r.valid_from, r.stated_at) <= %(as_of)s AND {owned_sql("r")}
 AND (r.active OR r.retired_reason = 'superseded')
 AND CASE WHEN r.valid_until IS NULL THEN r.active ELSE r.valid_until > %(as_of)s END"""
MEMORIES_AT = replace(OWN_MEMORIES, visible=_AT, visible_by_id=_AT, own="", lent="")
SPACE_MEMORIES = Shelf(
    table="memories",
    visible=f"r.active AND {space_sql('r')}",
    visible_by_id=f"r.active AND {space_sql('r', few=True)}",
    evidence="r.evidence",
    evidence_tsv="r.evidence_tsv",
    confidence="r.confidence",
    channel="r.channel",
    room="r.room",
)
LORE_SHELF = replace(
    SPACE_MEMORIES,
    visible=f"r.active AND {lore_sql('r')}",
    visible_by_id="",
    kind=LORE_KIND,
)
MEMORIES = replace(OWN_MEMORIES, community=f"r.active AND {community_sql('r')}")
OWN_PROFILE = further_shelf(
    PROFILE_KIND,
    PROFILE_LINES,
    "fused",
    6,
    confidence="r.confidence",
    channel="r.channel",
)
MINOR_PROFILE = replace(
    OWN_PROFILE,
    visible=f"{OWN_PROFILE.visible} AND r.importance < {PROFILE_IMPORTANCE}",
)
SPACE_PROFILE = replace(OWN_PROFILE, visible=space_sql("r", few=True))
