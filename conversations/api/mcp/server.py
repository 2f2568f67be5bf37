"""Meddie's memory as tools and resources of the Model Context Protocol (docs/mcp.md)."""

from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, date, datetime, time
from typing import Annotated, ParamSpec, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from conversations.api.mcp.short_answers import (
    DecisionResult,
    ForgottenResult,
    ForgottenRows,
    MemoryServer,
    Rows,
    RowsResult,
    compact_json,
    result_of,
    short_rows,
)
from conversations.api.memories import changing, showing
from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import (
    MOST_FOUND,
    MOST_LISTED,
    About,
    Correction,
    Kind,
    ListQuery,
    NewMemories,
    SearchQuery,
    Wish,
)
from conversations.api.ninja_errors import as_api_error
from meddie.threads import run_work
from meddie.version import VERSION
from memory.models.fact import ROOM_LIMIT
from memory.values import CONTENT_LIMIT

P = ParamSpec("P")
R = TypeVar("R")
CALLER: ContextVar[Caller] = ContextVar("caller")
RECENT = 20
PROFILE = ListQuery(kind="profile", limit=MOST_LISTED)
JSON = "application/json"
READS = ToolAnnotations(
    read_only_hint=True, idempotent_hint=True, open_world_hint=False
)
ADDS = ToolAnnotations(
    read_only_hint=False,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
CORRECTS = ADDS.model_copy(update={"idempotent_hint": False})
REMOVES = ADDS.model_copy(update={"destructive_hint": True})
Key = Annotated[UUID, Field(description="The id of a memory, as other tools give it.")]
Detail = Annotated[
    bool, Field(description="All that is stored of each memory, not only the words.")
]

server = MemoryServer(
    "meddie",
    title="Meddie",
    version=VERSION,
    instructions=(
        "Meddie remembers lasting facts about the user across conversations. Call recall"
        " before you answer anything that may depend on who the user is, and remember"
        " when the user states a lasting fact about themselves or their people."
    ),
    log_level="WARNING",
    subscriptions=False,  # nothing is sent unasked
)


async def _carry_out(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Raises ToolError with the sentence that the model may read."""
    try:
        return await run_work(work, *args, **kwargs)
    except Exception as error:
        refusal = as_api_error(error)
        raise ToolError(f"{refusal.message} ({refusal.reason})") from error


async def _remembering_caller() -> Caller:
    """Raises ToolError while memory is off: what is read or corrected is a model's."""
    caller = CALLER.get()
    if off := await _carry_out(caller.off):
        raise ToolError(f"{off.label} ({off.value})")
    return caller


@server.tool("remember", title="Remember a fact", annotations=ADDS)
async def remember_tool(
    text: Annotated[
        str,
        Field(max_length=CONTENT_LIMIT, description="One fact as a short sentence."),
    ],
    about: Annotated[
        About | None,
        Field(
            description=(
                "Whom the fact is about, if not the user: a name or a relation, as in"
                " Mia, my mother or daughter Mia. Say it also in the sentence."
            )
        ),
    ] = None,
    user_words: Annotated[
        str,
        Field(
            max_length=2000,
            description=(
                "What the user literally said of it. Only with these words can a fact"
                " be remembered that the user asked to forget."
            ),
        ),
    ] = "",
) -> DecisionResult:
    """Remember a lasting fact about the user or their people.

    The answer tells whether it was stored, replaced another fact, was known already, or
    was refused and why.
    """
    new = NewMemories(text=text, subject=about)
    added = await _carry_out(changing.add_memories, CALLER.get(), new, said=user_words)
    return result_of(added.decisions[0])


@server.tool("recall", title="Recall what is known", annotations=READS)
async def recall_tool(  # noqa: PLR0913, PLR0917 -- models name what they ask for
    query: Annotated[str, Field(description="What to look for, in plain words.")],
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND)] = 8,
    about: Annotated[
        About | None,
        Field(description="Only what is about this person; me for the user."),
    ] = None,
    kind: Kind | None = None,
    room: Annotated[
        str,
        Field(max_length=ROOM_LIMIT, description="Only what was said in this chat."),
    ] = "",
    as_of: Annotated[
        date | None, Field(description="What was true on this day, as in 2026-05-31.")
    ] = None,
    detail: Detail = False,  # noqa: FBT002 -- models name it
) -> RowsResult:
    """Find what is remembered about a topic, best first.

    The subject of a memory tells whom it is about: never take another's for the user's.
    """
    caller = await _remembering_caller()
    zone = caller.user.zone if caller.user else UTC
    moment = None if as_of is None else datetime.combine(as_of, time.max, zone)
    asked = SearchQuery(
        q=query,
        limit=limit,
        subject=about,
        kind=kind,
        room=room or None,
        as_of=moment,
    )
    found = await _carry_out(showing.search_memories, caller, asked)
    rows = short_rows(caller, found.memories, detail=detail)
    return result_of(Rows(memories=rows))


@server.tool("forget", title="Forget a fact", annotations=REMOVES)
async def forget_tool(
    text: Annotated[
        str,
        Field(
            max_length=CONTENT_LIMIT, description="The fact to forget, as a sentence."
        ),
    ] = "",
    id: Annotated[  # noqa: A002 -- the name that models see
        UUID | None, Field(description="Or the id of the memory.")
    ] = None,
) -> ForgottenResult:
    """Forget a fact, when the user asks for it.

    If no memory says it, nothing is forgotten and the nearest memories are listed: ask
    the user which one is meant, and call again with its id.
    """
    caller = CALLER.get()
    if id is None and not text:
        raise ToolError(_("Send a text or an id."))
    if id is not None:
        done = await _carry_out(changing.forget_named, caller, id)
    else:
        done = await _carry_out(changing.forget_wished, caller, Wish(text=text))
    off = await _carry_out(caller.off)
    nearest = [] if off else short_rows(caller, done.nearest)
    return result_of(ForgottenRows(decisions=done.decisions, nearest=nearest))


@server.tool("correct", title="Correct a fact", annotations=CORRECTS)
async def correct_tool(
    id: Key,  # noqa: A002 -- the name that models see
    text: Annotated[
        str, Field(max_length=CONTENT_LIMIT, description="What is true instead.")
    ] = "",
    about: Annotated[
        About | None, Field(description="Whom it is about, if that was wrong.")
    ] = None,
) -> DecisionResult:
    """Replace what a memory says, or whom it is about.

    The former version is kept in its history.
    """
    if not text and about is None:
        raise ToolError(_("Send a text, or whom it is about."))
    new = Correction(text=text, subject=about)
    caller = await _remembering_caller()
    done = await _carry_out(changing.correct_memory, caller, id, new)
    return result_of(done)


@server.tool("list_memories", title="List what is known", annotations=READS)
async def list_tool(
    kind: Kind | None = None,
    about: Annotated[
        About | None,
        Field(description="Only what is about this person; me for the user."),
    ] = None,
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 50,
    cursor: Annotated[
        UUID | None, Field(description="`next` of the page before.")
    ] = None,
    detail: Detail = False,  # noqa: FBT002 -- models name it
) -> RowsResult:
    """List what is remembered, the newest first."""
    asked = ListQuery(kind=kind, subject=about, limit=limit, cursor=cursor)
    return result_of(await _rows(asked, detail=detail))


@server.tool("get_profile", title="Read the profile", annotations=READS)
async def profile_tool() -> RowsResult:
    """The user's profile: name, place, preferences, constraints."""
    return result_of(await _rows(PROFILE))


async def _rows(asked: ListQuery, *, detail: bool = False) -> Rows:
    caller = await _remembering_caller()
    page = await _carry_out(showing.list_memories, caller, asked)
    rows = short_rows(caller, page.memories, detail=detail)
    return Rows(memories=rows, next=page.next)


@server.resource("memory://profile", name="Profile", mime_type=JSON)
async def profile_resource() -> str:
    """The user's profile."""
    return compact_json(await _rows(PROFILE))


@server.resource("memory://recent", name="Recent facts", mime_type=JSON)
async def recent_resource() -> str:
    """The facts that were stated last."""
    return compact_json(await _rows(ListQuery(limit=RECENT)))


@server.prompt("doctor", title="What should I tell the doctor?")
def doctor_prompt() -> str:
    """A summary for a visit."""
    return (
        "I am seeing a doctor. Recall my allergies, medicines, conditions and recent"
        " complaints, each by a call of its own, and write a short list of what I should"
        " say, with dates. Add nothing that is not remembered."
    )


@server.prompt("person", title="What do you know about someone?")
def person_prompt(name: str) -> str:
    """What is remembered about a person, by name or relation."""
    return (
        f"List what is remembered about {name}, in groups, with dates. Say so if there is"
        " nothing, and add nothing that is not remembered."
    )
